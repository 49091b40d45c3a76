// Who is meant by a name or by the public id of a token: of those alone who have a role where the caller operates, so
// that nobody learns of others. Whoever is nearest to a name that is unknown is told, and never taken for it. keeps B3
//
// Of callers who operate nothing nothing is looked up: the kernel says what they may not.

import { rolesHeld } from "../../kernel/command/role-grants.ts";
import { isMet } from "../../kernel/decide/granting.ts";
import { grantsToEnd, isOperatorName } from "../../kernel/state/people.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { State, TokenState } from "../../kernel/state/state.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import type { ServiceSession } from "../hold/session.ts";

type Asking = Pick<ServiceSession, "caller" | "writer">;

const isLookedUp = ({ caller }: Asking): boolean => rolesHeld(caller.grants).includes("operator");

const tokensMet = ({ caller, writer }: Asking): readonly TokenState[] =>
  Array.from(entries(writer.state().subjects), ([, token]) => token).filter(
    ({ grants, id }) => id === caller.actor.id || isMet(caller.grants, grants),
  );

const peopleMet = ({ caller }: Asking, state: State): readonly string[] =>
  [...entries(state.people), ...entries(state.invitations)]
    .map(([name]) => name)
    .filter((name) => isMet(caller.grants, grantsToEnd(state, name) ?? []));

export const tokenUnknown = (
  session: Asking,
  named: { readonly id: string } | { readonly name: string },
): Refusal | undefined => {
  if (!isLookedUp(session)) return undefined;
  const met = tokensMet(session);
  if ("id" in named) {
    const { id: token } = named;
    const ids = met.map((one) => one.token);
    if (ids.includes(token)) return undefined;
    const meant = nearest(token, ids);
    return meant === undefined
      ? refuse("token-unknown", { cause: "id", facts: { token } })
      : refuse("token-unknown", { cause: "id-meant", facts: { meant, token } });
  }
  const { name: subject } = named;
  const names = met.map(({ id }) => id);
  if (names.includes(subject)) return undefined;
  if (peopleMet(session, session.writer.state()).includes(subject))
    return refuse("token-unknown", { cause: "person", facts: { subject } });
  const meant = nearest(subject, names);
  return meant === undefined
    ? refuse("token-unknown", { cause: "subject", facts: { subject } })
    : refuse("token-unknown", { cause: "subject-meant", facts: { meant, subject } });
};

export const personUnknown = (session: Asking, subject: string): Refusal | undefined => {
  if (!isLookedUp(session)) return undefined;
  const state = session.writer.state();
  const names = peopleMet(session, state);
  if (names.includes(subject)) return undefined;
  if (tokensMet(session).some(({ id }) => id === subject))
    return refuse("person-unknown", { cause: "token", facts: { subject } });
  if (isOperatorName(state, subject)) return refuse("person-unknown", { cause: "operator", facts: { subject } });
  const meant = nearest(subject, names);
  return meant === undefined
    ? refuse("person-unknown", { cause: "nobody", facts: { subject } })
    : refuse("person-unknown", { cause: "meant", facts: { meant, subject } });
};
