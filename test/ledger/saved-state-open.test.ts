// Opening a ledger that has a saved state: what is walked, what is refused all the same, and what is left to verify.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { appendNote } from "../../src/ledger/anchor/anchor.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import { type Expected, openChecked } from "../../src/ledger/open.ts";
import { rootOf } from "../../src/ledger/tree/merkle.ts";
import { readChainState } from "../../src/ledger/verify/chain-state.ts";
import { auditEngine } from "../../src/ledger/verify/verify-ledger.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { recordNext } from "./acting.ts";
import { asking, counting } from "./counting.ts";
import { ACTING } from "./moving.ts";
import { type Desk, grown, reading, SIGNER, withDesk } from "./saved-state-desk.ts";
import { tamper } from "./sqlite-files.ts";

/** Opens as every command does; gives the refusals, the remarks, and where reads began. */
const opening = async (
  desk: Desk,
  name?: string,
): Promise<{
  readonly froms: readonly number[];
  readonly refusals: readonly Refusal[];
  readonly remarks: readonly string[];
}> => {
  const { engine, froms } = reading(await desk.open(name));
  const expected: Expected = {
    anchor: desk.anchor,
    mode: "write",
    onProgress: () => undefined,
    savedState: desk.savedState,
    vkey: SIGNER.vkey,
  };
  const opened = await openChecked({ engine, kind: "open" }, expected);
  return opened.kind === "refused"
    ? { froms, refusals: [opened.refusal], remarks: [] }
    : { froms, refusals: [], remarks: opened.ledger.remarks.map(({ cause }) => cause) };
};

/** A checkpoint as the command makes it: the record, then the note over it. */
const checkpointed = async (desk: Desk, engine: Engine): Promise<void> => {
  const acted = await recordNext(engine, ACTING, () => ({ kind: "ledger.checkpoint", request: {}, result: {} }));
  assert.ok(acted.kind === "recorded");
  const { tree } = acted.chain;
  appendNote(desk.anchor, SIGNER.sign({ root: rootOf(tree), size: tree.size }));
};

/** 11 records with a checkpoint, 300 more and their saved state, another checkpoint, one record more. */
const anchoredLedger = async (desk: Desk): Promise<void> => {
  const engine = await desk.open();
  await grown(desk, engine, 10);
  await checkpointed(desk, engine);
  await grown(desk, engine);
  await checkpointed(desk, engine);
  await grown(desk, engine, 1);
};

test("opening walks from the saved state to the largest signed size, and no line before", async () => {
  await withDesk(async (desk) => {
    await anchoredLedger(desk);
    const { froms, refusals, remarks } = await opening(desk);
    assert.deepEqual([refusals, remarks], [[], []]);
    // The line it ends with; the walk; the last line, for a seal; and what no note covers, for what it says of anchors.
    assert.deepEqual(froms, [310, 311, 312, 312]);
  });
});

test("a note that the saved state knows nothing of is walked to from the first line", async () => {
  await withDesk(async (desk) => {
    await anchoredLedger(desk);
    const { tree } = await readChainState(await desk.open(), undefined, 100);
    appendNote(desk.anchor, SIGNER.sign({ root: rootOf(tree), size: 100 }));
    const { froms, refusals, remarks } = await opening(desk);
    assert.deepEqual([refusals, froms, remarks], [[], [310, 0, 312, 312], ["checkpoint-unknown"]]);
  });
});

const untouched = (): Promise<readonly Refusal[]> =>
  withDesk(async (desk) => {
    await anchoredLedger(desk);
    return (await opening(desk)).refusals;
  });

cannot("G1", "open a ledger that was cut behind its saved state", {
  neighbour: untouched,
  offence: () =>
    withDesk(async (desk) => {
      await anchoredLedger(desk);
      tamper(desk.file("ledger.db"), "DELETE FROM lines WHERE seq >= 311");
      return (await opening(desk)).refusals;
    }),
});

cannot("N7", "open a ledger that was written anew under a saved state and anchor of another", {
  neighbour: untouched,
  offence: () =>
    withDesk(async (desk) => {
      await anchoredLedger(desk);
      const other = await openSequencer(await desk.open("other.db"), counting);
      await Promise.all(Array.from({ length: 313 }, () => other.submit(asking("rewritten"))));
      return (await opening(desk, "other.db")).refusals;
    }),
});

cannot("N7", "open a ledger whose signed lines after the saved state were altered", {
  neighbour: untouched,
  offence: () =>
    withDesk(async (desk) => {
      await anchoredLedger(desk);
      const sql = "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'alice', 'alicf') AS BLOB) WHERE seq = 311";
      tamper(desk.file("ledger.db"), sql);
      return (await opening(desk)).refusals;
    }),
});

test("a line that was changed in its place before the saved state is verify's to find, and the state is that of the signed one", async () => {
  await withDesk(async (desk) => {
    await anchoredLedger(desk);
    const sql = "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'tester', 'festet') AS BLOB) WHERE seq = 5";
    tamper(desk.file("ledger.db"), sql);
    assert.deepEqual((await opening(desk)).refusals, []);
    const engine = await desk.open();
    assert.equal((await desk.start(engine)).state(), 313);
    const { findings } = await auditEngine(engine, { checkpoints: [], onProgress: () => undefined });
    assert.equal(findings[0]?.seq, 6);
    rmSync(desk.savedState);
    assert.deepEqual(
      (await opening(desk)).refusals.map(({ code }) => code),
      ["ledger-rewritten"],
    );
  });
});
