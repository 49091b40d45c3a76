// Which anchors were made anew, found in a walk over the lines of a ledger: whoever believes it must know how far each reached.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import { readRecord } from "../../ledger/record/read-record.ts";

export type ReAnchor = Omit<ReAnchored, "count">;

const NEEDLE = Buffer.from('"kind":"re-anchor"');

/** Those in a walk over lines, the first first. */
export const reAnchors = (): { readonly all: () => readonly ReAnchor[]; readonly take: (line: Uint8Array) => void } => {
  const all: ReAnchor[] = [];
  return {
    all: () => all,
    take: (line) => {
      if (!Buffer.from(line.buffer, line.byteOffset, line.length).includes(NEEDLE)) return;
      const read = readRecord(line);
      const body = read.kind === "finding" ? undefined : bodyOf(read.record);
      if (read.kind === "finding" || body?.kind !== "re-anchor" || body.result.kind !== "done") return;
      const { found, reason, size } = body.request;
      all.push({ at: read.record.processTime, by: read.record.actor.id, found, reason, seq: read.record.seq, size });
    },
  };
};
