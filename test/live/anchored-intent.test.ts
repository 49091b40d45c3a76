// An intent is in the anchor before its call leaves: a ledger that lost it is known to be cut, and nothing is sent
// twice.

import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readNotes } from "../../src/ledger/anchor/anchor.ts";
import { added, SAVED_STATE } from "../cli/lost-ledger-desk.ts";
import {
  type AppliedValue,
  applied,
  applyWords,
  atCluster,
  type Cluster,
  codesIn,
  planned,
  type StatusValue,
} from "./cluster.ts";
import { started } from "./process.ts";

const ANCHOR = "anchor/checkpoints.txt";
const notesIn = ({ folder }: Cluster): readonly string[] => readNotes(join(folder, ANCHOR)).notes;

test("B6 a reset whose intent was lost with the log of the ledger is never sent again", async () => {
  let asked: () => void = () => undefined;
  const isAskedFor = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const nowMs = Date.now();
  await atCluster(
    async (cluster) => {
      const { dedalus, folder, mutations, value } = cluster;
      const { id } = await planned(cluster, "vm.reset", 102);
      const approved = await dedalus("approve", id, "--step", "1", "--reason", "it hangs");
      assert.equal(approved.code, 0, approved.err);
      const words = await applyWords(cluster, id);
      const before = notesIn(cluster).length;
      const apply = started(folder, words);
      await Promise.race([isAskedFor, apply.gone.then(({ err }) => assert.fail(err))]);
      apply.kill();
      await apply.gone;
      assert.equal(mutations().length, 1);
      assert.equal(notesIn(cluster).length, before + 1, "the intent's checkpoint came before the call");
      // What the database had not taken over yet is in its log alone.
      for (const name of ["-wal", "-shm"]) rmSync(join(folder, `ledger/dedalus.db${name}`), { force: true });
      for (const again of [words, ["plan", "--env", "home"], ["observe", "--env", "home"], ["status"]]) {
        const refused = await dedalus(...again, "--json");
        assert.deepEqual([refused.code, codesIn(JSON.parse(refused.out))], [7, ["ledger-cut-short"]], again.join(" "));
      }
      assert.equal((await dedalus("ledger", "verify")).code, 7);
      assert.deepEqual(codesIn(await value("ledger", "re-anchor", "--reason", "never mind")), ["ledger-cut-short"]);
      assert.equal(mutations().length, 1, "one reset, and no second");
    },
    {
      clock: { kind: "follows", nowMs: () => nowMs },
      onRequest: ({ path }) => {
        if (/\/tasks\/UPID[^/]*\/status$/.test(path)) asked();
      },
    },
  );
});

test("P7-F1 an anchor that is lost while a person reads leaves no intent and no call", async () => {
  let onQuestion = (): void => undefined;
  await atCluster(
    async (cluster) => {
      const { dedalus, folder, mutations, value } = cluster;
      const anchor = join(folder, ANCHOR);
      const { id } = await planned(cluster, "vm.start", 101);
      // It could be written when the apply began; it is lost while the person reads.
      onQuestion = () => {
        renameSync(anchor, `${anchor}.kept`);
        mkdirSync(anchor);
      };
      const told = await value<{ readonly beside?: readonly object[] }>("apply", id, "--step", "1");
      const { beside, ...own } = told;
      assert.deepEqual(codesIn(own), ["anchor-unreadable"]);
      assert.deepEqual(codesIn(beside), ["file-unwritable"], "the challenge before it is told to be uncovered");
      assert.deepEqual(mutations(), []);
      rmSync(anchor, { recursive: true });
      renameSync(`${anchor}.kept`, anchor);
      const { blocked, last, open } = await value<StatusValue>("status");
      assert.deepEqual([blocked.length, open.length, last.length], [0, 0, 0]);
      assert.equal((await dedalus("ledger", "verify")).code, 0);
    },
    {
      answer: () => {
        onQuestion();
        return "yes";
      },
    },
  );
});

test("a saved state knows the checkpoints of the intents before it, so that nobody walks the ledger again", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    await added(cluster.folder, 300);
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
    assert.ok(existsSync(join(cluster.folder, SAVED_STATE)));
    const { code, err } = await cluster.dedalus("status");
    assert.deepEqual([code, err], [0, ""]);
  });
});

const made = (out: string, make: () => void): string => {
  make();
  return out;
};
const UNWRITABLE: readonly (readonly [string, (folder: string) => string, string])[] = [
  ["in a folder that is not there", () => "nowhere/result.json", "file-unwritable"],
  ["that is a folder", (folder) => made("result.json", () => mkdirSync(join(folder, "result.json"))), "file-exists"],
  [
    "in what is no folder",
    (folder) => made("file/result.json", () => writeFileSync(join(folder, "file"), "")),
    "file-unwritable",
  ],
  [
    "whose unfinished file stands beside it",
    (folder) => made("result.json", () => writeFileSync(join(folder, "result.json.part"), "")),
    "file-unwritable",
  ],
  [
    "that is an earlier one and read-only",
    (folder) => {
      const text = '{ "$schema": "https://x/schemas/result.schema.json" }';
      writeFileSync(join(folder, "result.json"), text);
      chmodSync(join(folder, "result.json"), 0o444);
      return "result.json";
    },
    "file-unwritable",
  ],
];

for (const [where, prepare, code] of UNWRITABLE) {
  test(`P7-F1 an apply with --out ${where} is refused before anything is claimed`, async () => {
    await atCluster(async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const words = await applyWords(cluster, id);
      const { size } = await cluster.value<StatusValue>("status");
      const out = prepare(cluster.folder);
      const refused = await cluster.value(...words, "--out", out);
      assert.deepEqual(codesIn(refused), [code]);
      assert.deepEqual(cluster.mutations(), []);
      assert.equal((await cluster.value<StatusValue>("status")).size, size, "nothing was recorded");
      const done = await cluster.value<AppliedValue>(...words, "--out", "other.json");
      assert.equal(done.applied?.[0]?.result.outcome, "succeeded");
    });
  });
}
