// re-anchor: after the anchor was lost, an operator's recorded word that this ledger goes on with a new one.
//
// The only way on, and for no other case: the whole ledger is verified and every decision replayed first, whatever is
// left of the old anchor must still fit, and who may not, or what cannot be written, is found before anything is
// recorded. The act is the only record: no start, no refusal, and no intent is ended here. It says what was wrong, and
// the size and root that were verified. Nothing is signed before it is durable. The old file stays beside the new one,
// as evidence. keeps N7

import { isText } from "../../formats/fields.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import { openWriterOn } from "../../kernel/writer.ts";
import type { AnchorLoss } from "../../ledger/anchor/anchor-loss.ts";
import type { AnchorPlace } from "../../ledger/anchor/anchor-place.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedBeside, refusedBy, refusedByKernel, refusedInput, type ServiceAnswer } from "../answer.ts";
import { withLedger } from "../hold/open-ledger.ts";
import { type ActGround, type Acting, beginActing, granted, judgeUnrecorded, recordAct } from "./acting.ts";
import { beginAnchor, locateConfiguredAnchor, probeNewAnchor } from "./begin-anchor.ts";
import { verifyToAccept } from "./verify-to-accept.ts";

export type AnchorBegun = Pick<RequestOf<"ledger.re-anchor">, "found" | "notes" | "reason" | "root" | "size"> & {
  readonly anchor: string;
  /** What was left of the old anchor, under its new name. */
  readonly kept?: string;
  readonly loss: AnchorLoss;
  readonly seq: number;
};

export const reAnchorLedger = async (
  ground: ActGround,
  { reason }: { readonly reason: string },
): Promise<ServiceAnswer<AnchorBegun>> => {
  if (!isText(reason)) {
    return refusedInput([refuse("usage", { cause: "not-a-text", facts: { argument: "reason" } })]);
  }
  const place = locateConfiguredAnchor(ground.configuration);
  return withLedger<ServiceAnswer<AnchorBegun>>({ ...ground, mode: "re-anchor" }, async (ledger, desk) => {
    const { loss } = ledger;
    if (loss === undefined) throw new Error("only a ledger whose anchor is lost is opened to be re-anchored");
    const verified = await verifyToAccept(ledger.engine, ledger.notes, ground.watch);
    if ("code" in verified) return refusedBy(verified);
    // No saved state: it would know the old anchor.
    const writer = await openWriterOn(ledger.engine);
    try {
      const acting = beginActing({ desk, ledger, writer }, ground);
      if ("code" in acting) return refusedByKernel([acting]);
      const notes = ledger.notes.length;
      const { brings } = acting;
      const request = { found: loss.code, kind: "ledger.re-anchor", notes, reason, ...verified, ...brings } as const;
      return await accept(acting, request, loss, place);
    } finally {
      await writer.close();
    }
  });
};

const accept = async (
  acting: Acting,
  request: RequestOf<"ledger.re-anchor">,
  loss: AnchorLoss,
  place: AnchorPlace,
): Promise<ServiceAnswer<AnchorBegun>> => {
  const { desk } = acting;
  const { found, notes, reason, root, size } = request;
  const refused = judgeUnrecorded(acting, request);
  if (refused !== undefined) return refused;
  const obstacle = probeNewAnchor(desk);
  if (obstacle !== undefined) return refusedBy(obstacle);
  const acted = await recordAct(acting, request);
  if ("kind" in acted) return acted;
  const { record } = acted;
  const { seq } = record;
  const begun = beginAnchor(desk, acting.writer.chain(), seq, place);
  // Its record stands.
  if ("code" in begun) return refusedBeside(begun);
  const { anchor } = desk.config;
  return granted(acting, record, { anchor, found, ...begun, loss, notes, reason, root, seq, size });
};
