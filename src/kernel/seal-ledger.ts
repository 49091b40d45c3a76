// Seals a ledger that moves: decided by the kernel on exactly the records that were copied, and appended at exactly
// that place or not at all. Not in the queue of the sequencer, which would decide it again behind what others wrote
// meanwhile.

import type { Engine } from "../ledger/engine.ts";
import type { Draft } from "../ledger/record/record.ts";
import type { ChainState } from "../ledger/verify/chain-state.ts";
import type { ActAnswer } from "../ledger/write/record-act.ts";
import { appendDraft } from "../ledger/write/record-act.ts";
import type { Refusal } from "../spine/model.ts";
import { bodyOf } from "./command/record-body.ts";
import type { RequestOf } from "./command/request.ts";
import { type CommandDesk, commandOf } from "./command-desk.ts";
import { decide } from "./versions.ts";
import type { OpenWriter } from "./writer.ts";

export type SealGround = { readonly desk: CommandDesk; readonly engine: Engine; readonly writer: OpenWriter };
type SealRequest = RequestOf<"ledger.seal">;
type Refused = { readonly kind: "refused"; readonly refusal: Refusal };

/** A refusal is a record as well, and the ledger is not sealed by it. */
export const sealAt = async (
  { desk, engine, writer }: SealGround,
  { tree }: ChainState,
  request: SealRequest,
): Promise<ActAnswer | Refused> => {
  const state = await writer.refresh();
  if (state.size !== tree.size) return { kind: "conflict", size: state.size };
  const chain = writer.chain();
  const { draft } = decide(state, commandOf(desk, request), chain.floor);
  const acted = await appendDraft(engine, chain, draft);
  const [refusal] = refusalsIn(draft);
  return refusal === undefined || acted.kind !== "recorded" ? acted : { kind: "refused", refusal };
};

const CONFLICTS_MAX = 100;

/** Records the refusal when who asks may not seal, before anything is copied; nothing when they may. */
export const recordSealRefusal = async (
  { desk, engine, writer }: SealGround,
  request: Omit<SealRequest, "size">,
): Promise<readonly Refusal[]> => {
  for (let conflicts = 0; ; conflicts += 1) {
    const state = await writer.refresh();
    const chain = writer.chain();
    const { draft } = decide(state, commandOf(desk, { ...request, size: state.size }), chain.floor);
    const refusals = refusalsIn(draft);
    if (refusals.length === 0) return refusals;
    const acted = await appendDraft(engine, chain, draft);
    if (acted.kind !== "conflict" || conflicts === CONFLICTS_MAX) return refusals;
  }
};

const refusalsIn = (draft: Draft): readonly Refusal[] => {
  const result = bodyOf(draft)?.result;
  return result?.kind === "refused" ? result.refusals : [];
};
