// A decider that counts, submissions for it, and a sqlite ledger for the tests of the sequencer.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { now } from "../../src/clock.ts";
import type { Appended, Engine } from "../../src/ledger/engine.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import type { Draft, Ulid } from "../../src/ledger/record/record.ts";
import type { LedgerDecider, Submission, SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { nextUlid } from "./lines.ts";

export type Count = { readonly caller: string; readonly key: Ulid; readonly note: string };
const INSTANCE = nextUlid();

/** A note over which the decider stumbles. */
export const UNDECIDABLE = "undecidable";

/** Counts what was noted; each record says how many there were before it, so a stale decision would show. */
export const counting: LedgerDecider<Count, number> = {
  decide: (before, { caller, key, note }, floor) => {
    if (note === UNDECIDABLE) throw new TypeError("nothing can be decided");
    const at = now();
    const draft: Draft = {
      actor: { id: caller, kind: "person", roles: [] },
      auditId: nextUlid(),
      body: { before, request: { note } },
      configHash: sha256("config"),
      correlationId: INSTANCE,
      eventTime: at,
      idempotencyKey: key,
      instance: INSTANCE,
      kind: "test.counted",
      processTime: floor !== undefined && floor > at ? floor : at,
    };
    return { draft };
  },
  evolve: (before) => before + 1,
  initial: 0,
};

type Asked = { readonly caller?: string; readonly key?: Ulid; readonly lane?: Submission<Count>["lane"] };

export const asking = (
  note: string,
  { caller = "tester", key = nextUlid(), lane = "mutation" }: Asked = {},
): Submission<Count> => ({
  caller,
  command: { caller, key, note },
  key,
  lane,
});

export const onLedger = async <T>(work: (open: () => Promise<Engine>) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-sequencer-"));
  const engines: Engine[] = [];
  try {
    return await work(async () => {
      const opened = await openSqlite(join(folder, "ledger.db"), { mode: "write" });
      assert.ok(opened.kind === "open", JSON.stringify(opened));
      engines.push(opened.engine);
      return opened.engine;
    });
  } finally {
    for (const engine of engines) await engine.close();
    rmSync(folder, { force: true, recursive: true });
  }
};

/** The same engine, with every append counted and, where asked, its answer changed after it was done. */
export const watched = (engine: Engine, change: (done: Appended, turn: number) => Appended = (done) => done) => {
  const lines: number[] = [];
  const append: Engine["append"] = async (commit, expect) => {
    lines.push(commit.lines.length);
    return change(await engine.append(commit, expect), lines.length);
  };
  return { engine: { ...engine, append }, lines };
};

export const bodies = (answers: readonly SubmissionAnswer[]): readonly unknown[] =>
  answers.map((answer) => (answer.kind === "recorded" ? answer.record.body["before"] : answer.kind));
