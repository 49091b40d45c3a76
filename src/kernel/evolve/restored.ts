// What a restore does to the state: whatever was recorded after the backup is lost, calls that left among it.
//
// What was open may have been performed: its outcome is unknown, and its VM is blocked until somebody reconciles it.
// Not here: what ends with everything that may be missing (go-on-without.ts). Keeps P7-F1, P7-F2.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import { endedBy } from "../../spine/rules/outcome-causes.ts";
import type { Requests } from "../command/request.ts";
import { openIntents } from "../state/recovery.ts";
import type { ReAnchored, State } from "../state/state.ts";
import { blocked } from "./fold-intents.ts";
import { goOnWithout } from "./go-on-without.ts";

type RestoreRequest = Requests["ledger.restore"];

/** What became of the ledger before: cut short by what the backup lacks of it, or gone. */
export const restoredFrom = ({
  anchored,
  size,
}: RestoreRequest): Pick<ReAnchored, "found"> & { readonly lost: number } => {
  const lost = Math.max(0, (anchored?.size ?? 0) - size);
  return { found: lost > 0 ? "ledger-cut-short" : "ledger-absent", lost };
};

export const restored = (state: State, record: LedgerRecord, request: RestoreRequest): State => {
  const { actor, processTime: at, seq } = record;
  const { reason, size } = request;
  const by = actor.id;
  const ended = openIntents(state).reduce(
    (before, intent) => blocked(before, intent.id, endedBy("ledger-restored", {}), record),
    goOnWithout(state, record, reason),
  );
  return {
    ...ended,
    reAnchored: { at, by, count: (state.reAnchored?.count ?? 0) + 1, ...restoredFrom(request), reason, seq, size },
  };
};
