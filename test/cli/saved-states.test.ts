// Saved states on the command line: a session leaves one, and nobody walks or folds what is under it; one that does not
// do costs time, is said, and changes no answer.
//
// Whether a line was read is seen by changing one: a walk over it refuses the ledger, a fold of it shows another word.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { appendNote, noteText, readNotes } from "../../src/ledger/anchor/anchor.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { readKeyFile } from "../../src/ledger/tree/key-file.ts";
import { rootOf } from "../../src/ledger/tree/merkle.ts";
import { signerOf } from "../../src/ledger/tree/signer.ts";
import { readChainState, START } from "../../src/ledger/verify/chain-state.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import { asking, counting } from "../ledger/counting.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { ANCHOR, DATABASE, type Dedalus, KEY, withLedger } from "./ledger-desk.ts";

const SAVED_STATE = `${DATABASE}-saved-state`;

/** Enough records for a saved state, written by somebody who leaves none. */
const filled = async (folder: string, records: number): Promise<void> => {
  const opened = await openSqlite(join(folder, DATABASE), { mode: "write" });
  assert.ok(opened.kind === "open");
  const writer = await openSequencer(opened.engine, counting);
  await Promise.all(Array.from({ length: records }, () => writer.submit(asking("n"))));
  await writer.close();
  await opened.engine.close();
};

const session = async (dedalus: Dedalus): Promise<string> => {
  const { code, err } = await dedalus("freeze", "--env", "home", "--reason", "again");
  assert.equal(code, 0, err);
  return err;
};

/** A freeze, many records, and a session that ends with a saved state over them. */
const withSavedState = (work: (dedalus: Dedalus, folder: string) => Promise<void>): Promise<void> =>
  withLedger(0, async (dedalus, folder) => {
    assert.equal((await dedalus("freeze", "--reason", "incident")).code, 0);
    await filled(folder, 300);
    assert.ok(!existsSync(join(folder, SAVED_STATE)));
    await session(dedalus);
    assert.ok(existsSync(join(folder, SAVED_STATE)));
    await work(dedalus, folder);
  });

const change = (folder: string): void => {
  const sql =
    "UPDATE lines SET line = CAST(replace(CAST(line AS TEXT), 'incident', 'accident') AS BLOB) WHERE seq BETWEEN 1 AND 9";
  tamper(join(folder, DATABASE), sql);
};

/** The beginning of the anchor that the saved state vouches for. */
const headOf = (folder: string): { readonly bytes: number; readonly digest: string } =>
  JSON.parse(readFileSync(join(folder, SAVED_STATE), "utf8").split("\n")[0] ?? "").anchor;

test("sessions and readers begin at the saved state, however many checkpoints follow it, and read no line under it", async () => {
  await withSavedState(async (dedalus, folder) => {
    change(folder);
    for (let sessions = 0; sessions < 3; sessions += 1) {
      assert.equal(await session(dedalus), "");
      const { code, err, out } = await dedalus("status");
      assert.deepEqual([code, err], [0, ""]);
      assert.match(out, /! frozen {2}everything {2}by alice: incident/);
    }
    assert.equal((await dedalus("plans")).code, 0);
    assert.equal((await dedalus("ledger", "verify")).code, 7);
    rmSync(join(folder, SAVED_STATE));
    assert.equal((await dedalus("status")).code, 7, "without the saved state every line is read");
  });
});

test("a second saved state knows the checkpoints of every session before it", async () => {
  await withSavedState(async (dedalus, folder) => {
    await session(dedalus);
    const first = readFileSync(join(folder, SAVED_STATE));
    await filled(folder, 300);
    await session(dedalus);
    assert.ok(!readFileSync(join(folder, SAVED_STATE)).equals(first));
    change(folder);
    const { code, err } = await dedalus("status");
    assert.deepEqual([code, err], [0, ""]);
  });
});

type Harm = readonly [string, (folder: string) => Promise<void> | void, RegExp];

const HARMS: readonly Harm[] = [
  [
    "broken",
    (folder) => writeFileSync(join(folder, SAVED_STATE), "{}"),
    /^note: the saved state is not used: its signature/,
  ],
  [
    "of another state",
    (folder) => {
      const [head = "", signature = ""] = readFileSync(join(folder, SAVED_STATE), "utf8").split("\n");
      writeFileSync(join(folder, SAVED_STATE), `${head}\n${signature}\n{}`);
    },
    /^note: the saved state is not used: its state is not the one that was signed/,
  ],
  [
    "without a checkpoint that another session signed meanwhile",
    async (folder) => {
      const key = readKeyFile(join(folder, KEY));
      const opened = await openSqlite(join(folder, DATABASE), { mode: "read" });
      assert.ok(key.kind === "ok" && opened.kind === "open");
      const { tree } = await readChainState(opened.engine, START, 100);
      await opened.engine.close();
      appendNote(join(folder, ANCHOR), signerOf(key.keys).sign({ root: rootOf(tree), size: tree.size }));
    },
    /^note: the saved state does not know every checkpoint/,
  ],
];

for (const [name, harm, said] of HARMS) {
  test(`a saved state ${name} is said once, changes no answer, and is replaced at the end of a session`, async () => {
    await withSavedState(async (dedalus, folder) => {
      const whole = await dedalus("status", "--env", "home");
      await harm(folder);
      const { code, err, out } = await dedalus("status", "--env", "home");
      assert.deepEqual([code, out], [0, whole.out]);
      assert.match(err, said);
      assert.equal(err.trim().split("\n").length, 1, err);
      assert.match(await session(dedalus), said);
      assert.equal((await dedalus("status")).err, "");
    });
  });
}

test("a note of the anchor that was altered is refused, whether the saved state has seen it before or not", async () => {
  await withSavedState(async (dedalus, folder) => {
    const known = headOf(folder);
    await session(dedalus);
    const anchor = readFileSync(join(folder, ANCHOR));
    assert.ok(known.bytes > 0 && known.bytes < anchor.length);
    for (const at of [known.bytes, anchor.length]) {
      const altered = Buffer.from(anchor);
      // One of sixty-four signatures has an A there already.
      altered.write(altered.toString("latin1", at - 10, at - 9) === "A" ? "B" : "A", at - 10);
      writeFileSync(join(folder, ANCHOR), altered);
      const { code, err } = await dedalus("status");
      assert.equal(code, 7);
      assert.match(err, /anchor-unverified/);
    }
    writeFileSync(join(folder, ANCHOR), anchor);
    assert.equal((await dedalus("status")).code, 0);
  });
});

test("a saved state knows the notes of its own session: the last of them cannot be taken away unseen", async () => {
  await withSavedState(async (dedalus, folder) => {
    const whole = readFileSync(join(folder, ANCHOR));
    assert.equal(headOf(folder).bytes, whole.length);
    const { notes } = readNotes(join(folder, ANCHOR));
    writeFileSync(join(folder, ANCHOR), notes.slice(0, -1).map(noteText).join(""));
    const status = await dedalus("status");
    assert.equal(status.code, 0);
    assert.match(status.err, /anchor-shortened/);
    for (const words of [["ledger", "verify"], ["doctor"], ["freeze", "--reason", "again"]]) {
      const { code, err, out } = await dedalus(...words);
      assert.equal(code, 7, words.join(" "));
      assert.match(`${err}${out}`, /anchor-shortened/);
    }
    writeFileSync(join(folder, ANCHOR), whole);
    await session(dedalus);
  });
});

test("a ledger that does not hold what a signed saved state ends with was cut or rewritten, and is refused", async () => {
  await withSavedState(async (dedalus, folder) => {
    copyFileSync(join(folder, SAVED_STATE), join(folder, "kept"));
    for (const name of ["", "-wal", "-shm", "-saved-state"]) rmSync(join(folder, DATABASE + name), { force: true });
    rmSync(join(folder, ANCHOR));
    await filled(folder, 400);
    copyFileSync(join(folder, "kept"), join(folder, SAVED_STATE));
    const refused = await dedalus("status", "--json");
    assert.equal(refused.code, 7, refused.out);
    assert.match(refused.out, /"cause":"saved-state-end-differs","code":"ledger-rewritten"/);
    tamper(join(folder, DATABASE), "DELETE FROM lines WHERE seq > 100");
    const cut = await dedalus("freeze", "--reason", "again", "--json");
    assert.equal(cut.code, 7, cut.out);
    assert.match(cut.out, /"cause":"behind-saved-state","code":"ledger-cut-short","facts":\{[^}]*"size":101/);
    const verified = await dedalus("ledger", "verify", "--json");
    assert.equal(verified.code, 7);
    const findings: readonly { readonly what: string }[] = JSON.parse(verified.out).findings;
    assert.ok(findings.some(({ what }) => what === "cut-short"));
  });
});

test("N7 replay and the past are read link by link, also under a saved state: a reason that was changed is found", async () => {
  await withSavedState(async (dedalus, folder) => {
    for (const words of [["replay"], ["state", "--at", "20"]]) assert.equal((await dedalus(...words)).code, 0);
    change(folder);
    for (const words of [["replay"], ["state", "--at", "20"]]) {
      const { code, err } = await dedalus(...words);
      assert.equal(code, 7, err);
      assert.match(err, /record 2: its prev is .*ledger-broken\)/);
    }
    assert.equal((await dedalus("status")).code, 0, "what does not read the line goes on");
  });
});
