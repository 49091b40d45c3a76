// No path is for two things: a copy, a file that is written for somebody, and the paths of the configuration itself are
// held against every file that the installation has or will have, by what is on the disk and not by how it is spelled.

import assert from "node:assert/strict";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cannot } from "../cannot.ts";
import type { Printed } from "../cli/desk.ts";
import { ANCHOR, codesIn, DATABASE, edit, KEY, moveTo, refusalsIn, withLedger } from "../cli/ledger-desk.ts";

const moving = (to: string, prepare: (folder: string) => void = () => undefined): Promise<Printed> =>
  withLedger(3, async (dedalus, folder) => {
    prepare(folder);
    const before = readdirSync(folder, { recursive: true }).sort();
    const answer = await dedalus("ledger", "move", "--to", to, "--yes", "--json");
    if (answer.code === 0) return answer;
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before, "nothing was made");
    const verified = await dedalus("ledger", "verify", "--json");
    assert.deepEqual([verified.code, JSON.parse(verified.out).size], [0, 3], verified.out);
    return answer;
  });

const linkFolder = (folder: string): void => symlinkSync("ledger", join(folder, "linked"));
const byLink = (to: string) => (folder: string) => symlinkSync(to, join(folder, "copy.db"));
const byHardLink = (file: string) => (folder: string) => linkSync(join(folder, file), join(folder, "copy.db"));

/** The system goes up from where the folder is: into ledger/, and not into the installation's own folder. */
function upFromLinkedFolder(folder: string): void {
  mkdirSync(join(folder, "ledger/deep"));
  symlinkSync("ledger/deep", join(folder, "linked"));
  symlinkSync("linked/../dedalus.db-wal", join(folder, "copy.db"));
}

/** Where, what is done before, and whose path it is. */
const TARGETS: readonly (readonly [to: string, other: string, prepare?: (folder: string) => void, title?: string])[] = [
  [DATABASE, "ledger"],
  [`${DATABASE}-wal`, "ledger"],
  [`${DATABASE}-shm`, "ledger"],
  [`${DATABASE}-journal`, "ledger"],
  [`${DATABASE}-read-only`, "ledger"],
  [`${DATABASE}-saved-state`, "ledger"],
  [`${DATABASE}-saved-state.7.part`, "ledger"],
  [`${DATABASE}-owner-01KA4QJ5V8R3W2T6Y7Z8N9M0P1`, "ledger"],
  ["ledger/../ledger/dedalus.db-wal", "ledger"],
  ["linked/dedalus.db-wal", "ledger", linkFolder],
  ["copy.db", "ledger", byLink(DATABASE), "a link to the ledger"],
  ["copy.db", "ledger", byLink(`${DATABASE}-wal`), "a link to what is not there yet"],
  ["copy.db", "ledger", upFromLinkedFolder, "a link that goes up from a linked folder"],
  ["copy.db", "ledger", byHardLink(DATABASE), "a hard link to the ledger"],
  ["copy.db", "anchor", byHardLink(ANCHOR), "a hard link to the anchor"],
  [ANCHOR, "anchor"],
  [`${ANCHOR}.before-3`, "anchor"],
  [KEY, "signing-key"],
  ["dedalus.yaml", "configuration"],
  ["desired.yaml", "desired-state"],
];
const neighbour = await moving(`${DATABASE}-copy`, linkFolder);

for (const [to, other, prepare, title = to] of TARGETS) {
  const refused = await moving(to, prepare);
  cannot("P7-F1", `move the ledger to a path of the installation: ${title}`, {
    neighbour: () => refusalsIn(neighbour),
    offence: () => {
      const [refusal, ...more] = JSON.parse(refused.out).error.refusals;
      assert.deepEqual([refused.code, refusal.code, refusal.facts.other, more], [2, "path-shared", other, []]);
      return [refusal];
    },
  });
}

/** The files of the copy, too, not only the one that is named. */
const besides = await withLedger(1, async (dedalus, folder) => {
  assert.equal((await dedalus("ledger", "move", "--to", "copy.db-wal", "--yes")).code, 0);
  moveTo(folder, "  engine: sqlite\n  path: copy.db-wal\n");
  const refused = await dedalus("ledger", "move", "--to", "copy.db", "--yes", "--json");
  assert.equal((await dedalus("ledger", "verify")).code, 0);
  const allowed = await dedalus("ledger", "move", "--to", "copy.db-other", "--yes", "--json");
  return { allowed, refused };
});
cannot("P7-F1", "move the ledger to where the copy would write beside itself over the source", {
  neighbour: () => refusalsIn(besides.allowed),
  offence: () => refusalsIn(besides.refused),
});

test("a ledger that is named by a link has the files beside what it leads to", async () => {
  await withLedger(1, async (dedalus, folder) => {
    symlinkSync(DATABASE, join(folder, "named.db"));
    moveTo(folder, "  engine: sqlite\n  path: named.db\n");
    for (const to of [`${DATABASE}-wal`, "named.db-saved-state"])
      assert.deepEqual(codesIn(await dedalus("ledger", "move", "--to", to, "--yes", "--json")), ["path-shared"], to);
    assert.equal((await dedalus("ledger", "move", "--to", "other.db", "--yes")).code, 0);
  });
});

test("a folder is not made where a file of the installation belongs", async () => {
  await withLedger(0, async (dedalus, folder) => {
    const refused = await dedalus("ledger", "move", "--to", `${ANCHOR}/copy.db`, "--yes", "--json");
    assert.deepEqual(codesIn(refused), ["path-shared"]);
    assert.ok(!existsSync(join(folder, "anchor")));
  });
});

const writing = (out: string): Promise<readonly Printed[]> =>
  withLedger(2, async (dedalus, folder) => {
    const before = readdirSync(folder, { recursive: true }).sort();
    const answers = [
      await dedalus("ledger", "prove", "0", "--out", out, "--json"),
      await dedalus("ledger", "export", "--out", `${out}`, "--json"),
    ];
    if (answers[0]?.code === 0) return answers.slice(0, 1);
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
    return answers;
  });
const written = await writing(`${DATABASE}-proof`);
for (const out of [`${DATABASE}-wal`, `${DATABASE}-read-only`, `${ANCHOR}.before-2`, KEY]) {
  const refused = await writing(out);
  cannot("P7-F1", `write an output to a path of the installation: ${out}`, {
    neighbour: () => written.flatMap(refusalsIn),
    offence: () => {
      for (const answer of refused) assert.deepEqual([answer.code, codesIn(answer)], [2, ["path-shared"]]);
      return refused.flatMap(refusalsIn);
    },
  });
}

const configured = (change: (text: string) => string): Promise<Printed> =>
  withLedger(1, async (dedalus, folder) => {
    edit(folder, "dedalus.yaml", change);
    const files = readdirSync(folder, { recursive: true }).sort();
    const kept = [DATABASE, KEY, ANCHOR].map((file) => readFileSync(join(folder, file)));
    const answer = await dedalus("freeze", "--reason", "x", "--json");
    if (answer.code === 0) return answer;
    for (const words of [["status"], ["ledger", "verify"], ["ledger", "re-anchor", "--reason", "x"]])
      assert.deepEqual(codesIn(await dedalus(...words, "--json")), codesIn(answer), words.join(" "));
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), files);
    assert.deepEqual(
      [DATABASE, KEY, ANCHOR].map((file) => readFileSync(join(folder, file))),
      kept,
    );
    return answer;
  });
const anchorAt = (path: string) => (text: string) => text.replace(ANCHOR, path);
const keyAt = (path: string) => (text: string) => text.replace(KEY, path);
const ledgerAt = (path: string) => (text: string) => text.replace(DATABASE, path);
const desiredAt = (path: string) => (text: string) => text.replace(/desired: desired\.yaml/, `desired: ${path}`);

const PAIRS: readonly (readonly [role: string, other: string, change: (text: string) => string])[] = [
  ["anchor", "ledger", anchorAt(DATABASE)],
  ["anchor", "ledger", anchorAt(`${DATABASE}-wal`)],
  ["anchor", "ledger", anchorAt(`${DATABASE}-saved-state`)],
  ["signing-key", "anchor", anchorAt(KEY)],
  ["signing-key", "ledger", keyAt(`${DATABASE}-read-only`)],
  ["signing-key", "ledger", ledgerAt(KEY)],
  ["configuration", "anchor", anchorAt("dedalus.yaml")],
  ["desired-state", "anchor", desiredAt(ANCHOR)],
  ["desired-state", "ledger", desiredAt(`./${DATABASE}-journal`)],
];
const apart = await configured((text) => text);
for (const [role, other, change] of PAIRS) {
  const refused = await configured(change);
  cannot("P7-F1", `configure one path as ${role} and as ${other}: ${change(`${ANCHOR} ${KEY} ${DATABASE}`)}`, {
    neighbour: () => refusalsIn(apart),
    offence: () => {
      const [refusal] = JSON.parse(refused.out).error.refusals;
      assert.deepEqual(
        [refused.code, refusal.code, refusal.facts.role, refusal.facts.other],
        [2, "path-shared", role, other],
      );
      return [refusal];
    },
  });
}

test("a move that is refused because the ledger is sealed for another copy makes nothing", async () => {
  await withLedger(2, async (dedalus, folder) => {
    assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0);
    const before = readdirSync(folder, { recursive: true }).sort();
    for (const to of ["third.db", "new/third.db"]) {
      const refused = await dedalus("ledger", "move", "--to", to, "--yes", "--json");
      assert.deepEqual([refused.code, codesIn(refused)], [3, ["ledger-sealed"]]);
    }
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
    assert.equal((await dedalus("ledger", "move", "--to", "copy.db", "--yes")).code, 0, "its own copy is finished");
    rmSync(join(folder, "copy.db"));
    const lost = await dedalus("ledger", "move", "--to", "copy.db", "--yes", "--json");
    assert.deepEqual([lost.code, codesIn(lost), existsSync(join(folder, "copy.db"))], [3, ["ledger-sealed"], false]);
  });
});
