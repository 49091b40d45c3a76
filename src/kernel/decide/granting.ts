// Where somebody may give roles and take them away, by a token, an invitation or the end of a person. Keeps B3.
//
// Nobody gives a role, or takes it away, where they are not operator themselves; whoever has no role where they operate
// is to them as if there were none. Not here: who may ask at all (actors.ts).

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Command } from "../command/request.ts";
import { type Grants, rolesHeldIn } from "../command/role-grants.ts";
import { isRole } from "../command/roles.ts";
import { get } from "../state/persistent-map.ts";
import type { State } from "../state/state.ts";
import { grantsOf } from "./actors.ts";

/** A grant names roles that there are, and environments of the configuration under which it is given. */
export const grantsRefusals = (
  state: State,
  { configHash }: Command,
  grants: Grants,
): readonly (Refusal | undefined)[] => {
  const known = get(state.configs, configHash)?.environments ?? {};
  const named = grants.flatMap(({ environments }) => (environments === "all" ? [] : environments));
  const isWhole = grants.every(
    ({ environments, roles }) => environments.length > 0 && roles.length > 0 && roles.every(isRole),
  );
  return [
    isWhole ? undefined : refuse("token-malformed", { cause: "grants" }),
    ...named.map((environment) =>
      Object.hasOwn(known, environment)
        ? undefined
        : refuse("environment-unknown", { cause: "not-configured", facts: { environment } }),
    ),
  ];
};

/** Whether somebody operates this environment; without one, all of them. */
const operates = (own: Grants, environment?: string): boolean => rolesHeldIn(own, environment).includes("operator");

export const beyondRefusal = (state: State, { actor }: Command, grants: Grants): Refusal | undefined => {
  const own = grantsOf(state, actor);
  if (operates(own)) return undefined;
  if (grants.some(({ environments }) => environments === "all"))
    return refuse("grant-beyond", { cause: "all", facts: { actor: actor.id } });
  const beyond = grants
    .flatMap(({ environments }) => environments)
    .filter((environment) => !operates(own, environment));
  return beyond.length === 0
    ? undefined
    : refuse("grant-beyond", { cause: "environments", facts: { actor: actor.id, environments: [...new Set(beyond)] } });
};

/** Whether these grants reach into an environment that somebody operates; none are of those who operate all. */
export const isMet = (own: Grants, grants: Grants): boolean =>
  operates(own) ||
  grants.some(({ environments }) => environments === "all" || environments.some((one) => operates(own, one)));

/** Of what somebody else is granted, whose name or token may be `unknown` to them. */
export const takenRefusal = (state: State, command: Command, grants: Grants, unknown: Refusal): Refusal | undefined =>
  isMet(grantsOf(state, command.actor), grants) ? beyondRefusal(state, command, grants) : unknown;
