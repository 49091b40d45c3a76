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
import type { Configuration } from "../ports.ts";

/** Whether what is of this environment is seen; of no environment, what is of the whole ledger. */
export type Sight = (environment: string | undefined) => boolean;

export const sightOf =
  (reader: Reader): Sight =>
  (environment) =>
    environment === undefined ? seesWhole(reader) : seesOf(reader, environment);

/** Whoever sees the whole sees every environment. */
export const stateFor = (state: State, sees: Sight): State => (sees(undefined) ? state : stateSeen(state, sees));

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
