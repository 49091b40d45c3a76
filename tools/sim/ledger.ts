// The ledger of the simulation: sealed lines in memory, with compare-and-set on their number and keys that are used
// once.
//
// It keeps the promises of the engine port in the shortest way there is; the real engines have a conformance suite of
// their own. When and whether a commit arrives here, and what is answered, is the scheduler's choice (engine.ts).

import assert from "node:assert/strict";
import type { Appended, Commit, Head, KeyUse } from "../../src/ledger/engine.ts";
import { readRecord } from "../../src/ledger/record/read-record.ts";
import { GENESIS, type LedgerRecord } from "../../src/ledger/record/record.ts";
import { recordHash } from "../../src/ledger/record/seal.ts";
import type { Sha256 } from "../../src/spine/model.ts";

export type SimLedger = {
  readonly lines: readonly Uint8Array[];
  /** Each line as a record, read from its bytes when it arrived. */
  readonly records: readonly LedgerRecord[];
  /** True time at which each line became durable. */
  readonly landedMs: readonly number[];
  readonly blobs: ReadonlyMap<Sha256, Uint8Array>;
  readonly keys: ReadonlyMap<string, KeyUse>;
  readonly head: () => Head;
  readonly size: () => number;
  /** All or nothing, only at the size that is expected, and no key twice. */
  readonly land: (commit: Commit, size: number, atMs: number) => Appended;
  /** How many records a checkpoint outside it covers: what it was when it began, and every intent that was anchored. */
  readonly anchored: () => number;
  readonly anchor: (size: number) => void;
  /** It loses its tail, as a log that was removed does; what is anchored stays, or nobody would open it again. */
  readonly cut: (size: number) => void;
  /** Another ledger with the same beginning. */
  readonly fork: () => SimLedger;
};

export const keyName = (caller: string, key: string): string => `${key} ${caller}`;

type Held = {
  readonly anchored: number;
  readonly hash: Sha256;
  readonly lines: Uint8Array[];
  readonly records: LedgerRecord[];
  readonly landedMs: number[];
  readonly blobs: Map<Sha256, Uint8Array>;
  readonly keys: Map<string, KeyUse>;
};

export const simLedger = (
  held: Held = { anchored: 0, blobs: new Map(), hash: GENESIS, keys: new Map(), landedMs: [], lines: [], records: [] },
): SimLedger => {
  const { blobs, keys, landedMs, lines, records } = held;
  let { anchored, hash } = held;
  const head = (): Head => ({ hash, size: lines.length });
  return {
    anchor: (size) => {
      assert.ok(size <= lines.length, "a checkpoint covers what is there");
      anchored = Math.max(anchored, size);
    },
    anchored: () => anchored,
    blobs,
    cut: (size) => {
      assert.ok(size >= anchored, "a ledger that is shorter than its anchor is not opened");
      for (const list of [landedMs, lines, records]) list.length = size;
      for (const [name, { seq }] of keys) if (seq >= size) keys.delete(name);
      const last = lines.at(-1);
      hash = last === undefined ? GENESIS : recordHash(last);
    },
    fork: () =>
      simLedger({
        anchored,
        blobs: new Map(blobs),
        hash,
        keys: new Map(keys),
        landedMs: [...landedMs],
        lines: [...lines],
        records: [...records],
      }),
    head,
    keys,
    land: (commit, size, atMs) => {
      for (const { caller, key } of commit.keys) {
        const use = keys.get(keyName(caller, key));
        if (use !== undefined) return { kind: "duplicate", seq: use.seq };
      }
      if (size !== lines.length) return { kind: "conflict", size: lines.length };
      for (const line of commit.lines) {
        const read = readRecord(line);
        assert.ok(read.kind === "record", "a sealed line is a record");
        lines.push(line);
        records.push(read.record);
        landedMs.push(atMs);
        hash = recordHash(line);
      }
      for (const use of commit.keys) keys.set(keyName(use.caller, use.key), use);
      for (const [digest, bytes] of commit.blobs) blobs.set(digest, bytes);
      return { kind: "ok" };
    },
    landedMs,
    lines,
    records,
    size: () => lines.length,
  };
};
