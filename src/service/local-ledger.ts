// The acts of an operator on the ledger that a configuration names. Nothing is held open between two of them.
//
// Acts are loaded when they are first asked for. Not here: what is asked (ledger-service.ts), how it is done (ledger/).

import type { ServiceAnswer } from "./answer.ts";
import type { ActGround } from "./ledger/acting.ts";
import type { LedgerOperation, LedgerService } from "./ledger-service.ts";
import type { Configuration, Ports } from "./ports.ts";
import { unfailing, type Watch } from "./progress.ts";

export const ledgerServiceOf = (configuration: Configuration, ports: Ports): LedgerService => {
  const heard = (watch: Watch | undefined): Watch => unfailing(watch ?? (() => undefined), ports.hears.note);
  const act =
    <R, T>(load: () => Promise<(ground: ActGround, request: R) => Promise<ServiceAnswer<T>>>): LedgerOperation<R, T> =>
    async (caller, request, watch) =>
      (await load())({ caller, configuration, ports, watch: heard(watch) }, request);
  return {
    backup: act(async () => (await import("./ledger/backup.ts")).backUpLedger),
    examine: async (caller, request, watch) =>
      (await import("./examine/examine.ts")).examine(configuration, ports, caller, request, heard(watch)),
    join: act(async () => (await import("./ledger/join.ts")).joinLedger),
    move: act(async () => (await import("./ledger/move.ts")).moveLedger),
    reAnchor: act(async () => (await import("./ledger/re-anchor.ts")).reAnchorLedger),
    restore: act(async () => (await import("./ledger/restore.ts")).restoreLedger),
    unlock: act(async () => (await import("./ledger/unlock.ts")).unlockLedger),
    unseal: act(async () => (await import("./ledger/unseal.ts")).unsealLedger),
    verify: async (request, watch) =>
      (await import("./ledger/verify-configured.ts")).verifyLedger(configuration, ports, request, heard(watch)),
  };
};
