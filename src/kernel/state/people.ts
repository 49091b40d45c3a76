// Who signed in, and what they may do: derived from the groups of their newest sign-in and the newest configuration
// that is served, so that neither an older session nor an older map of groups outlives what took its place. keeps B2
//
// Not here: whether a sign-in is taken (decide/session-acts.ts), what it does to the state (evolve/fold-people.ts).

import { canonicalText } from "../../ledger/record/profile.ts";
import type { IssuedIdentity } from "../command/proposed-subject.ts";
import type { RecordedConfig, RecordedService } from "../command/recorded-config.ts";
import { type Grants, rolesHeldIn } from "../command/role-grants.ts";
import { find, get } from "./persistent-map.ts";
import type { Approval, PersonState, SessionState, State } from "./state.ts";

export const issuedKey = ({ issuer, sub }: IssuedIdentity): string => canonicalText([issuer, sub]);

/** What rules at the service door; nothing before a process has served. */
export const servedConfig = ({ configs, serving }: State): RecordedConfig | undefined =>
  serving === undefined ? undefined : get(configs, serving.configHash);

export const servedOidc = (state: State): RecordedService["oidc"] => servedConfig(state)?.service?.oidc;

/**
 * Of somebody whom another issuer named, or who is in none of the groups, there is nothing; nor of somebody with a
 * passkey where a provider of identities is served: people come by that alone then.
 */
export const grantsOfPerson = (state: State, { known }: Pick<PersonState, "known">): Grants => {
  const oidc = servedOidc(state);
  if (known.kind === "passkey") return oidc === undefined ? known.grants : [];
  if (oidc === undefined || oidc.issuer !== known.issuer) return [];
  return oidc.groups
    .filter(({ group }) => known.groups.includes(group))
    .map(({ environments, roles }) => ({ environments, roles }));
};

/** What ends with somebody who is known by this name, or invited under it; undefined where nobody is. */
export const grantsToEnd = (state: State, name: string): Grants | undefined => {
  const [person, invitation] = [get(state.people, name), get(state.invitations, name)];
  if (person === undefined && invitation === undefined) return undefined;
  return [...(person === undefined ? [] : grantsOfPerson(state, person)), ...(invitation?.grants ?? [])];
};

/** By a provider of identities, by a passkey, or not yet. */
export type SignsInBy = "invitation" | "oidc" | "passkey";

export const signsInBy = (state: State, name: string): SignsInBy => get(state.people, name)?.known.kind ?? "invitation";

/** The session with this public id, and whose it is; also one that its person signed out of. */
export const sessionNamed = (
  { people }: State,
  token: string,
): { readonly person: PersonState; readonly session: SessionState } | undefined => {
  const person = find(people, ({ sessions }) => sessions.some((one) => one.token === token));
  const session = person?.sessions.find((one) => one.token === token);
  return person === undefined || session === undefined ? undefined : { person, session };
};

/**
 * Whether an approval still stands for whoever gave it: who signed in and lost the role has agreed to nothing any more,
 * and where people sign in, nobody who came by a token has.
 */
export const isStillApprover = (
  state: State,
  { by, door }: Pick<Approval, "by" | "door">,
  environment: string,
): boolean => {
  const person = get(state.people, by);
  if (person === undefined) return door === "local" || servedOidc(state) === undefined;
  return rolesHeldIn(grantsOfPerson(state, person), environment).includes("approver");
};

/** The operator of any configuration that was ever recorded: a process that has it acts so without a token. */
export const isOperatorName = ({ configs }: State, id: string): boolean =>
  find(configs, ({ operator }) => operator === id) !== undefined;

/** Whether nobody has this name: no operator, no token, no person. */
export const isFreeName = (state: State, id: string): boolean =>
  !isOperatorName(state, id) && get(state.subjects, id) === undefined && get(state.people, id) === undefined;
