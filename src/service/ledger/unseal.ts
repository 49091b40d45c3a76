// unseal: a sealed ledger goes on because its operator states that the copy is gone.
//
// One record, right behind the seal or not at all, so that a crash leaves a sealed ledger or one that goes on. It voids
// the copy's id for ever and freezes everything: nobody knows what the copy did while it stood. What can be checked is
// checked: an anchor that covers more than this ledger has was written by the copy, and refuses (src/ledger/open.ts).

import { copyOf } from "../../ledger/record/copy-marks.ts";
import type { Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedBy, type ServiceAnswer } from "../answer.ts";
import { type ActGround, actAt, granted, judgeUnrecorded, recordAct } from "./acting.ts";

/** `isCopyGone` is the operator's statement, which nothing here can check: without it there is nothing to ask for. */
export type UnsealRequest = { readonly isCopyGone: true; readonly reason: string };

/** `seal` is the record that it goes on after. */
export type LedgerUnsealed = {
  readonly copy: Sha256;
  readonly name: string;
  readonly seal: number;
  readonly seq: number;
};

export const unsealLedger = (ground: ActGround, { reason }: UnsealRequest): Promise<ServiceAnswer<LedgerUnsealed>> =>
  actAt(ground, "unseal", async (acting) => {
    const { brings, ledger } = acting;
    const { engine, seal } = ledger;
    const copy = seal === undefined ? undefined : copyOf(seal);
    if (seal === undefined || copy === undefined)
      return refusedBy(refuse("ledger-unsealed", { cause: "copy-unnamed", facts: { name: engine.name } }));
    const request = { copy, kind: "ledger.unseal", reason, ...brings } as const;
    const refused = judgeUnrecorded(acting, request);
    if (refused !== undefined) return refused;
    const acted = await recordAct(acting, request);
    if ("kind" in acted) return acted;
    const { record } = acted;
    return granted(acting, record, { copy, name: engine.name, seal: seal.seq, seq: record.seq });
  });
