// Under which posture a service runs, for whoever watches it: numbers and codes, and no name of a VM, a person or
// an environment. It needs no caller, and leaves no record. Whoever watches asks every few seconds, so that nothing is
// walked here that grows with the ledger.

import { entries } from "../../kernel/state/persistent-map.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Sha256 } from "../../spine/model.ts";
import { CONTRACT_SHA256 } from "../../spine/rules/contract.ts";
import { RULES_VERSION } from "../../spine/rules/rules-version.ts";
import type { Configuration } from "../ports.ts";

export type ServicePosture = {
  /** How many environments have which approval mode. */
  readonly approvalModes: Readonly<Record<string, number>>;
  /** VMs whose outcome is unknown. */
  readonly blockedVms: number;
  /** The digest of the contract that this program serves. */
  readonly contract: Sha256;
  /** The engine that keeps the ledger; what it promises was asserted when it was opened. */
  readonly engine: string;
  readonly freezes: number;
  readonly openIntents: number;
  readonly rules: number;
  readonly size: number;
};

export const postureOf = (state: State, size: number, { config }: Pick<Configuration, "config">): ServicePosture => {
  const modes = Array.from(config.environments.values(), ({ approval }) => approval);
  return {
    approvalModes: Object.fromEntries(
      Array.from(
        Map.groupBy(modes, (mode) => mode),
        ([mode, all]) => [mode, all.length],
      ),
    ),
    blockedVms: Array.from(entries(state.blocked)).length,
    contract: CONTRACT_SHA256,
    engine: config.ledger.engine,
    freezes: Array.from(entries(state.freezes)).reduce((sum, [, freezes]) => sum + freezes.length, 0),
    openIntents: Array.from(entries(state.open)).length,
    rules: RULES_VERSION,
    size,
  };
};
