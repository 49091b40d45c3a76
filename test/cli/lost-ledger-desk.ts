// A desk with three sessions behind it, and what somebody without the key does to its ledger.

import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { LedgerDecider } from "../../src/ledger/write/submission.ts";
import { asking, type Count, counting } from "../ledger/counting.ts";
import { ANCHOR, DATABASE, type Dedalus, withLedger } from "./ledger-desk.ts";

export const SAVED_STATE = `${DATABASE}-saved-state`;
export const anchorIn = (folder: string): string => join(folder, ANCHOR);

/** Three sessions, each with its note; no saved state is there to tell of them. */
export const withSessions = <T>(work: (dedalus: Dedalus, folder: string) => Promise<T>): Promise<T> =>
  withLedger(0, async (dedalus, folder) => {
    for (const reason of ["one", "two", "three"]) {
      const { code, err } = await dedalus("freeze", "--reason", reason);
      assert.equal(code, 0, err);
    }
    assert.ok(!existsSync(join(folder, SAVED_STATE)));
    return work(dedalus, folder);
  });

const atEngine = async <T>(
  folder: string,
  mode: "read" | "write",
  work: (engine: Engine) => Promise<T>,
): Promise<T> => {
  const opened = await openSqlite(join(folder, DATABASE), { mode });
  assert.ok(opened.kind === "open");
  try {
    return await work(opened.engine);
  } finally {
    await opened.engine.close();
  }
};

export const linesIn = (folder: string): Promise<number> =>
  atEngine(folder, "read", async (engine) => (await engine.head()).size);

/** So many records more, decided by nobody that the kernel knows. */
export const added = (
  folder: string,
  records: number,
  decider: LedgerDecider<Count, number> = counting,
): Promise<void> =>
  atEngine(folder, "write", async (engine) => {
    const writer = await openSequencer(engine, decider);
    await Promise.all(Array.from({ length: records }, () => writer.submit(asking("n"))));
    await writer.close();
  });

/** The same number of records, none of them the same. */
export const rewritten = async (folder: string): Promise<void> => {
  const records = await linesIn(folder);
  for (const name of ["", "-wal", "-shm"]) rmSync(join(folder, DATABASE + name), { force: true });
  await added(folder, records);
};
