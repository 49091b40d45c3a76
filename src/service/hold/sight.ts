// What a caller sees: of the environments in which they have a role that reads, and of the whole ledger where they
// audit or operate all of them. Whatever they do not see is to them as if it were not there: unknown, and never
// forbidden. keeps B3
//
// What is read is read from what is given here, so that no read can forget it: the configuration and the state have no
// other environment in them. Whoever reads records themselves asks `sees` of each.
// Not here: which role may read what (kernel/decide/actors.ts).

import { rolesHeldIn } from "../../kernel/command/role-grants.ts";
import { type Reader, seesOf, seesWhole } from "../../kernel/decide/actors.ts";
import { stateSeen } from "../../kernel/state/seen-state.ts";
import type { State } from "../../kernel/state/state.ts";
import { canonical, type Json } from "../../spine/values/canonical.ts";
import type { Configuration } from "../ports.ts";

/** Whether what is of this environment is seen; of no environment, what is of the whole ledger. */
export type Sight = (environment: string | undefined) => boolean;

export const sightOf =
  (reader: Reader): Sight =>
  (environment) =>
    environment === undefined ? seesWhole(reader) : seesOf(reader, environment);

/** Callers of a few sights read one head; of more the oldest are worked out again. */
const SIGHTS_MAX = 64;
const seenStates = new WeakMap<State, Map<string, State>>();

/**
 * Whoever sees the whole sees every environment. What others see is worked out once for a state, which never changes,
 * and all who see the same of it: kind and grants say what that is.
 */
export const stateFor = (state: State, reader: Reader): State => {
  const sees = sightOf(reader);
  if (sees(undefined)) return state;
  const known = seenStates.get(state) ?? new Map<string, State>();
  seenStates.set(state, known);
  const sight = canonical([reader.actor.kind, reader.grants as Json]);
  const seen = known.get(sight) ?? stateSeen(state, sees);
  if (known.size >= SIGHTS_MAX && !known.has(sight)) known.delete(known.keys().next().value ?? "");
  known.set(sight, seen);
  return seen;
};

const within = <C extends Configuration>(configuration: C, isIn: (environment: string) => boolean): C => ({
  ...configuration,
  config: {
    ...configuration.config,
    environments: new Map([...configuration.config.environments].filter(([name]) => isIn(name))),
  },
  policies: new Map([...configuration.policies].filter(([name]) => isIn(name))),
});

/** With the environments that are seen. */
export const configurationFor = <C extends Configuration>(configuration: C, sees: Sight): C =>
  sees(undefined) ? configuration : within(configuration, sees);

/** With the environments in which they have any role, also one that reads nothing: a sensor names where it ingests. */
export const configurationOf = <C extends Configuration>(configuration: C, reader: Reader): C =>
  seesWhole(reader) ? configuration : within(configuration, (name) => rolesHeldIn(reader.grants, name).length > 0);
