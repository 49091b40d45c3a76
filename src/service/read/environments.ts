// The environments of the configuration that the caller has a role in, and under which terms each is changed. No
// provider is asked.

import type { ApprovalMode } from "../../kernel/decide/agreement-table.ts";
import { freezeOf } from "../../kernel/decide/freezing.ts";
import type { Numbers } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

export type EnvironmentListed = {
  readonly adapter: string;
  readonly approval: ApprovalMode;
  readonly environment: string;
  /** By a freeze of its own, or of everything. */
  readonly isFrozen: boolean;
  /** Whether a policy tightens what the rules ask for. */
  readonly isTightened: boolean;
  /** Whether its observations are live; only those carry an apply. */
  readonly live: boolean;
  readonly numbers: Numbers;
};
export type EnvironmentList = { readonly environments: readonly EnvironmentListed[] };

export const listEnvironments = async ({ desk, state }: Reading): Promise<EnvironmentList> => ({
  environments: Array.from(desk.config.environments, ([environment, { adapter, approval, live, numbers }]) => ({
    adapter,
    approval,
    environment,
    isFrozen: freezeOf(state, environment) !== undefined,
    isTightened: desk.policies.has(environment),
    live,
    numbers,
  })).sort((a, b) => (a.environment < b.environment ? -1 : 1)),
});
