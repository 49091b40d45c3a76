// Which anchors were made anew, found in a walk over the lines of a ledger: whoever believes it must know how far each
// reached.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { restoredFrom } from "../../kernel/evolve/restored.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import { readRecord } from "../../ledger/record/read-record.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";

export type ReAnchor = Omit<ReAnchored, "count">;

const NEEDLES = ["ledger.restore", "ledger.re-anchor"].map((kind) => Buffer.from(`"kind":"${kind}"`));

/** Those in a walk over lines, the first first. */
export const reAnchors = (): { readonly all: () => readonly ReAnchor[]; readonly take: (line: Uint8Array) => void } => {
  const all: ReAnchor[] = [];
  return {
    all: () => all,
    take: (line) => {
      const bytes = Buffer.from(line.buffer, line.byteOffset, line.length);
      if (!NEEDLES.some((needle) => bytes.includes(needle))) return;
      const read = readRecord(line);
      if (read.kind === "record") all.push(...reAnchorIn(read.record));
    },
  };
};

const reAnchorIn = (record: LedgerRecord): readonly ReAnchor[] => {
  const body = bodyOf(record);
  const isOne = body?.kind === "ledger.restore" || body?.kind === "ledger.re-anchor";
  if (!isOne || body.result.kind !== "done") return [];
  const { actor, processTime: at, seq } = record;
  const { reason, size } = body.request;
  const found = body.kind === "ledger.re-anchor" ? { found: body.request.found } : restoredFrom(body.request);
  return [{ at, by: actor.id, ...found, reason, seq, size }];
};
