// That an anchor was made anew, as text for people: whoever reads on must know how far the first one reached.

import { visible } from "../../formats/field-path.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import { readRecord } from "../../ledger/record/read-record.ts";

export type ReAnchor = Omit<ReAnchored, "count">;

const told = ({ at, by, found, reason, seq, size }: ReAnchor): string =>
  `at ${at} by ${by} (record ${seq}, ${found}, ${size} records accepted): ${reason}`;

export const reAnchoredText = (last: ReAnchored): string =>
  visible(`re-anchored ${last.count === 1 ? "once" : `${last.count} times, last`} ${told(last)}`);

export const reAnchorLine = (one: ReAnchor): string => visible(`re-anchored ${told(one)}`);

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
