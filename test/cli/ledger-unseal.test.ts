// A ledger whose copy is gone goes on by a recorded act of its operator: frozen, with the copy's id void for ever.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import { readCopyMarks } from "../../src/ledger/record/copy-marks.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { copyLedger } from "../../src/ledger/write/copy.ts";
import { heedful } from "../../src/ledger/write/sealed.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { draft } from "../ledger/drafts.ts";
import { copyingOf, fill, ledgerFolderFor } from "../ledger/moving.ts";
import { tamper } from "../ledger/sqlite-files.ts";
import { coded } from "../spine/world.ts";
import { ANCHOR, codesIn, DATABASE, type Dedalus, moveTo, refusalsIn, withLedger } from "./ledger-desk.ts";

const UNSEAL = ["ledger", "unseal", "--copy-gone", "--reason", "its disk died before anything was written", "--json"];

const move = async (dedalus: Dedalus, to = "copy.db"): Promise<void> => {
  const moved = await dedalus("ledger", "move", "--to", to, "--yes");
  assert.equal(moved.code, 0, moved.err);
};
const notesIn = (folder: string): readonly string[] =>
  readFileSync(join(folder, ANCHOR), "utf8").split(/(?<=\n\n)(?=dedalus\/)/);
const COPY_SECTION = "  engine: sqlite\n  path: copy.db\n";
const OWN_SECTION = `  engine: sqlite\n  path: ${DATABASE}\n`;

test("a sealed ledger whose copy is gone goes on frozen, under the name of who said so", async () => {
  await withLedger(2, async (dedalus, folder) => {
    await move(dedalus);
    assert.deepEqual(codesIn(await dedalus("ledger", "checkpoint", "--json")), ["ledger-sealed"]);
    rmSync(join(folder, "copy.db"));
    const unsealed = await dedalus(...UNSEAL);
    assert.equal(unsealed.code, 0, unsealed.out);
    const { copy, seal, seq } = JSON.parse(unsealed.out);
    assert.deepEqual([seal, seq], [2, 3]);
    assert.match(copy, /^[0-9a-f]{64}$/);
    assert.match((await dedalus("status")).out, /^ ! frozen {2}everything {2}by alice: its disk died/);
    const { records } = JSON.parse((await dedalus("ledger", "show", "--json", "--from", "2")).out);
    assert.deepEqual(
      records.map(({ actor, body, kind }: { actor: { id: string }; body: { request: object }; kind: string }) => [
        kind,
        actor.id,
        (body.request as { readonly copy: string }).copy === copy,
      ]),
      [
        ["ledger.seal", "alice", true],
        ["ledger.unseal", "alice", true],
      ],
      "a verifier tells the two apart: this one says that the other is void",
    );
    for (const argv of [["ledger", "verify"], ["replay"], ["ledger", "checkpoint"]])
      assert.equal((await dedalus(...argv)).code, 0, argv.join(" "));
    assert.equal((await dedalus("unfreeze", "--reason", "looked at every VM")).code, 0);
    assert.deepEqual(codesIn(await dedalus(...UNSEAL)), ["ledger-unsealed"]);
    await move(dedalus, "second.db");
    moveTo(folder, "  engine: sqlite\n  path: second.db\n");
    assert.equal((await dedalus("ledger", "checkpoint")).code, 0, "a later copy goes on, with the whole story in it");
    assert.equal((await dedalus("ledger", "verify")).code, 0);
    assert.equal((await dedalus("replay")).code, 0);
  });
});

/** The copy is there all the while; its operator says that it is gone, and brings it back. */
const broughtBack = (isUnsealed: boolean): Promise<readonly Refusal[]> =>
  withLedger(2, async (dedalus, folder) => {
    await move(dedalus);
    if (isUnsealed) assert.equal((await dedalus(...UNSEAL)).code, 0);
    moveTo(folder, COPY_SECTION);
    return refusalsIn(await dedalus("ledger", "checkpoint", "--json")) as readonly Refusal[];
  });
cannot("G1", "go on with a copy that was declared gone, where the anchor is seen", {
  neighbour: () => broughtBack(false),
  offence: async () => coded("ledger-cut-short", await broughtBack(true)),
});

const unsealedAfter = (prepare: (dedalus: Dedalus, folder: string) => Promise<unknown>): Promise<readonly Refusal[]> =>
  withLedger(2, async (dedalus, folder) => {
    await move(dedalus);
    await prepare(dedalus, folder);
    const answer = await dedalus(...UNSEAL);
    const kept = await dedalus("ledger", "show", "--json", "--kind", "ledger.unseal");
    if (answer.code !== 0 && kept.code === 0) assert.deepEqual(JSON.parse(kept.out).records, []);
    return refusalsIn(answer) as readonly Refusal[];
  });
cannot("P7-F1", "undo a seal whose copy has gone on", {
  neighbour: () => unsealedAfter(async () => undefined),
  offence: async () =>
    coded(
      "copy-alive",
      await unsealedAfter(async (dedalus, folder) => {
        moveTo(folder, COPY_SECTION);
        assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
        moveTo(folder, OWN_SECTION);
      }),
    ),
});
cannot("P7-F1", "undo the seal in the copy that goes on", {
  neighbour: () => unsealedAfter(async () => undefined),
  offence: async () => coded("ledger-unsealed", await unsealedAfter(async (_, folder) => moveTo(folder, COPY_SECTION))),
});

test("a seal is undone by a statement, and by nothing less", async () => {
  await withLedger(1, async (dedalus) => {
    await move(dedalus);
    assert.equal((await dedalus("ledger", "unseal", "--reason", "x")).code, 2);
    assert.equal((await dedalus("ledger", "unseal", "--copy-gone")).code, 2);
    assert.deepEqual(codesIn(await dedalus("ledger", "unseal", "--copy-gone", "--reason", " ", "--json")), [
      "reason-missing",
    ]);
    assert.deepEqual(codesIn(await dedalus("ledger", "checkpoint", "--json")), ["ledger-sealed"]);
  });
});

test("a seal is undone under a configuration that was edited meanwhile", async () => {
  await withLedger(1, async (dedalus, folder) => {
    await move(dedalus);
    moveTo(folder, `  engine: sqlite\n  path: ./${DATABASE}\n`);
    assert.equal((await dedalus(...UNSEAL)).code, 0);
  });
});

test("a target that holds records of a copy that was declared gone is not copied to again", async () => {
  await withLedger(2, async (dedalus, folder) => {
    await move(dedalus);
    assert.equal((await dedalus(...UNSEAL)).code, 0);
    const again = await dedalus("ledger", "move", "--to", "copy.db", "--yes", "--json");
    assert.deepEqual([again.code, codesIn(again)], [3, ["target-occupied"]]);
    assert.equal((await dedalus("ledger", "checkpoint")).code, 0, "the source is not sealed");
    assert.ok(existsSync(join(folder, "copy.db")));
  });
});

test("a copy that was begun, and declared gone before it was finished, is never finished", async () => {
  await withLedger(2, async (dedalus, folder) => {
    // The seal is there and its copy lacks it: what a kill between the two leaves.
    await move(dedalus);
    tamper(join(folder, "copy.db"), "DELETE FROM lines WHERE seq = 2; DELETE FROM keys WHERE seq = 2");
    assert.equal((await dedalus(...UNSEAL)).code, 0);
    const again = await dedalus("ledger", "move", "--to", "copy.db", "--yes", "--json");
    assert.deepEqual([again.code, codesIn(again)], [3, ["copy-void"]]);
    moveTo(folder, COPY_SECTION);
    // An anchor that the copy fits: it holds nothing of what came after.
    const notes = notesIn(folder);
    writeFileSync(join(folder, ANCHOR), notes.slice(0, 3).join(""));
    assert.deepEqual(
      codesIn(await dedalus("ledger", "checkpoint", "--json")),
      ["copy-unfinished"],
      "and takes no writes",
    );
  });
});

test("two who undo one seal at the same time leave one record", async () => {
  await withLedger(1, async (dedalus) => {
    await move(dedalus);
    const both = await Promise.all([dedalus(...UNSEAL), dedalus(...UNSEAL)]);
    assert.deepEqual(both.map(({ code }) => code).toSorted(), [0, 3], JSON.stringify(both));
    const { records } = JSON.parse((await dedalus("ledger", "show", "--json", "--kind", "ledger.unseal")).out);
    const granted = records.filter(({ body }: { body: { result: { kind: string } } }) => body.result.kind === "done");
    assert.equal(granted.length, 1);
    assert.equal((await dedalus("replay")).code, 0);
  });
});

test("after a seal an engine takes the record that undoes it, and none that names another copy", async (t) => {
  const ledgers = ledgerFolderFor(t);
  const [source, target] = [await ledgers.open("a.db"), await ledgers.open("b.db")];
  await fill(source, 3);
  const copied = await copyLedger(copyingOf(source, target));
  assert.ok(copied.kind === "copied");
  const open = async () => heedful(source, await readCopyMarks(source), copied.seal);
  const { copy } = copied.seal.body["request"] as { readonly copy: string };
  const { hash: prev, size: seq } = await source.head();
  const appended = async (kind: string, body: LedgerRecord["body"]): Promise<string> => {
    const { line, record } = seal(draft(seq, { body, kind }), { prev, seq });
    const commit = { blobs: new Map(), keys: [keyUseOf(record)], lines: [line] };
    return (await (await open()).append(commit, { size: seq })).kind;
  };
  const [door, request, result] = ["local", { copy }, { kind: "done" }];
  for (const [kind, body] of [
    ["ledger.unseal", { door, request: { copy: "0".repeat(64) }, result }],
    ["ledger.unseal", { door, request, result: { kind: "refused" } }],
    ["ledger.unseal", { request, result }],
    ["ledger.checkpoint", { door, request, result }],
  ] as const)
    assert.equal(await appended(kind, body), "read-only", JSON.stringify(body));
  assert.equal(await appended("ledger.unseal", { door, request, result }), "ok");
  assert.equal((await source.head()).size, seq + 1);
});

test("a crash while a seal is undone leaves a sealed ledger, or one that goes on", async () => {
  for (const when of ["before", "after"] as const) {
    await withLedger(1, async (dedalus, folder) => {
      await move(dedalus);
      const [ledger, before] = [join(folder, DATABASE), join(folder, "before.db")];
      copyFileSync(ledger, before);
      assert.equal((await dedalus(...UNSEAL)).code, 0);
      if (when === "before") renameSync(before, ledger);
      // The note of the act is the last thing that is written; without it the record stands alone.
      writeFileSync(join(folder, ANCHOR), notesIn(folder).slice(0, -1).join(""));
      const again = await dedalus(...UNSEAL);
      assert.deepEqual([again.code, when], [when === "before" ? 0 : 3, when], again.out);
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
      assert.match((await dedalus("status")).out, /! frozen {2}everything/);
    });
  }
});
