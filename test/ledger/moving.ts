// For tests that move a ledger: engines on files of one folder, records with blobs, and who acts.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { now } from "../../src/clock.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { SEAL } from "../../src/ledger/record/copy-marks.ts";
import { GENESIS, type LedgerRecord } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { rootOf } from "../../src/ledger/tree/merkle.ts";
import { readChainState } from "../../src/ledger/verify/chain-state.ts";
import type { Copying } from "../../src/ledger/write/copy.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { type Acting, recordAt } from "./acting.ts";
import { draft } from "./drafts.ts";
import { digestOf, nextUlid } from "./lines.ts";

export const ACTING: Acting = {
  actor: { id: "alice", kind: "person", roles: ["operator"] },
  configHash: sha256("config"),
  instance: nextUlid(),
  nextId: nextUlid,
  now,
};

/** A copy from one engine to another, sealed as the kernel's record says it. */
export const copyingOf = (source: Engine, target: Engine, acting = ACTING): Copying => ({
  isVoid: () => false,
  nextId: nextUlid,
  onProgress: () => undefined,
  sealAt: (chain, { copy, root, size, to }) =>
    recordAt(source, chain, acting, { kind: SEAL, request: { copy, root, size, to }, result: { kind: "done" } }),
  source,
  target,
});

export type LedgerFolder = {
  readonly open: (name: string, mode?: "read" | "write") => Promise<Engine>;
  readonly folder: string;
};

/** Engines on files of a folder of the test's own; all are closed and removed after it. */
export const ledgerFolderFor = (t: TestContext): LedgerFolder => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-moving-"));
  const engines: Engine[] = [];
  t.after(async () => {
    for (const engine of engines) await engine.close();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    open: async (name, mode = "write") => {
      const opened = await openSqlite(join(folder, name), { mode });
      assert.ok(opened.kind === "open", JSON.stringify(opened));
      engines.push(opened.engine);
      return opened.engine;
    },
  };
};

/** Records 0 to count − 1, the same bytes each time; every third names a blob. */
export const fill = async (engine: Engine, count: number): Promise<readonly LedgerRecord[]> => {
  let prev: Sha256 = GENESIS;
  const records: LedgerRecord[] = [];
  for (let seq = 0; seq < count; seq += 1) {
    const blob = Buffer.from(`blob of record ${seq}`);
    const blobs = seq % 3 === 0 ? new Map([[digestOf(blob), blob]]) : new Map<Sha256, Uint8Array>();
    const { hash, line, record } = seal(draft(seq, blobs.size === 0 ? {} : { blobs: [...blobs.keys()] }), {
      prev,
      seq,
    });
    const keys = [keyUseOf(record)];
    const result = await engine.append({ blobs, keys, lines: [line] }, { size: seq });
    assert.deepEqual(result, { kind: "ok" });
    prev = hash;
    records.push(record);
  }
  return records;
};

export const rootIn = async (engine: Engine, size?: number): Promise<Sha256> =>
  rootOf((await readChainState(engine, undefined, size)).tree);
