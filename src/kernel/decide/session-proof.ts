// Who is proven by a session: the person whose it is, while it has not ended and nobody ended it, with the roles that
// the newest sign-in and the newest served configuration give them. A session is of the service door alone; and where
// people sign in, a token of a person proves nobody there. keeps B2
//
// Not here: tokens, and what a role may ask for (actors.ts).

import type { Instant, Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Command, Door } from "../command/request.ts";
import { rolesHeldIn } from "../command/role-grants.ts";
import { grantsOfPerson, servedOidc } from "../state/people.ts";
import { get } from "../state/persistent-map.ts";
import type { PersonState, SessionState, State, TokenState } from "../state/state.ts";
import { agentsOnlyRefusal } from "./agent-door.ts";

export const sessionRefusal = (
  state: State,
  person: PersonState,
  { actor, door, environment, token }: Pick<Command, "actor" | "door" | "environment" | "token">,
  at: Instant,
): Refusal | undefined => {
  const session = person.sessions.find((one) => one.token === token && one.isOut !== true);
  const roles = rolesHeldIn(grantsOfPerson(state, person), environment);
  const isTheirs =
    session !== undefined &&
    door === "service" &&
    actor.kind === "person" &&
    roles.length === actor.roles.length &&
    roles.every((role) => actor.roles.includes(role));
  if (isTheirs) return sessionEnded(person, session, at) ?? byPasskeyRefusal(state, person);
  const facts = { actor: actor.id, kind: actor.kind, ...(token === undefined ? {} : { token }) };
  return refuse("actor-unknown", { cause: "actor", facts });
};

const byPasskeyRefusal = (state: State, { known }: PersonState): Refusal | undefined => {
  const oidc = known.kind === "passkey" ? servedOidc(state) : undefined;
  return oidc === undefined
    ? undefined
    : refuse("people-by-oidc", { cause: "passkey", facts: { issuer: oidc.issuer } });
};

const sessionEnded = ({ id }: PersonState, { expiresAt, token }: SessionState, at: Instant): Refusal | undefined =>
  at < expiresAt ? undefined : refuse("token-expired", { cause: "session", facts: { actor: id, expiresAt, token } });

/** Where a provider of identities is served, a person comes by it alone: with a token besides, one could be two. */
export const personByTokenRefusal = (
  state: State,
  door: Door,
  { kind, token }: Pick<TokenState, "kind" | "token">,
): Refusal | undefined => {
  const oidc = door === "service" && kind === "person" ? servedOidc(state) : undefined;
  return oidc === undefined
    ? undefined
    : refuse("people-by-oidc", { cause: "token", facts: { issuer: oidc.issuer, token } });
};

/** Whose session has this hash, as a token's bearer is; undefined where no session has it. */
export const sessionBearer = (
  state: State,
  hash: Sha256,
  at: Instant,
  door: Door,
): TokenState | Refusal | undefined => {
  const id = get(state.sessions, hash);
  const person = id === undefined ? undefined : get(state.people, id);
  const session = person?.sessions.find((one) => one.hash === hash);
  if (person === undefined || session === undefined) return undefined;
  if (door !== "service")
    return agentsOnlyRefusal(door, { id: person.id, kind: "person" }) ?? refuse("actor-unknown", { cause: "token" });
  const { expiresAt, token } = session;
  const barred = byPasskeyRefusal(state, person);
  if (barred !== undefined) return barred;
  const grants = grantsOfPerson(state, person);
  return (
    sessionEnded(person, session, at) ?? { expiresAt, grants, hash, id: person.id, kind: "person", makers: [], token }
  );
};
