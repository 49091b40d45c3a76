// Two who re-anchor the same ledger at the same time: one begins the anchor, the other is told, and the ledger goes on
// from the one that was begun. On both engines.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { locateAnchor } from "../../src/ledger/anchor/anchor-place.ts";
import { beginAnew } from "../../src/ledger/anchor/begin-anew.ts";
import { postgresDesk } from "../ledger/postgres-desk.ts";
import { atDesk, type Printed } from "./desk.ts";
import { ANCHOR, codesIn } from "./ledger-desk.ts";

type Dedalus = (...argv: readonly string[]) => Promise<Printed>;

const raced = async (dedalus: Dedalus, folder: string): Promise<void> => {
  for (const reason of ["a", "b"]) assert.equal((await dedalus("freeze", "--reason", reason)).code, 0);
  const before = Number(JSON.parse((await dedalus("ledger", "verify", "--json")).out).size);
  rmSync(join(folder, ANCHOR));
  const answers = await Promise.all(
    ["one", "two", "three"].map((reason) => dedalus("ledger", "re-anchor", "--reason", reason, "--json")),
  );
  const [won, told] = [answers.filter(({ code }) => code === 0), answers.filter(({ code }) => code !== 0)];
  assert.equal(won.length, 1, JSON.stringify(answers));
  for (const one of told) {
    const [code = ""] = codesIn(one);
    assert.ok(["ledger-moved", "anchor-holds"].includes(code), one.out);
    assert.doesNotMatch(one.err, /internal error|at file:/);
  }
  // Whoever comes later finds an anchor that holds, and a ledger that can be written and verified.
  assert.deepEqual(codesIn(await dedalus("ledger", "re-anchor", "--reason", "again", "--json")), ["anchor-holds"]);
  assert.equal((await dedalus("freeze", "--reason", "c")).code, 0);
  assert.equal((await dedalus("ledger", "verify")).code, 0);
  assert.equal((await dedalus("replay")).code, 0);
  const { records } = JSON.parse((await dedalus("ledger", "show", "--from", String(before), "--json")).out);
  const granted = (records as readonly { kind: string; body: { result: { kind: string } } }[]).filter(
    ({ body, kind }) => kind === "ledger.re-anchor" && body.result.kind === "done",
  );
  // Who comes between another's record and its file finds the anchor lost still, as after a crash there: it is recorded
  // that it may be begun, and told that it has been. Nobody else was granted it.
  const late = told.filter(({ out }) => JSON.parse(out).error.outcome === "executed");
  assert.equal(granted.length, won.length + late.length);
  assert.deepEqual(
    readdirSync(join(folder, "anchor")).filter((name) => name.includes(".before-")),
    [],
    "the new anchor of one was not moved aside by another",
  );
};

test("of several who re-anchor at once, one begins the anchor, on sqlite", async () => {
  await atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    await raced(dedalus, folder);
  });
});

suite("on PostgreSQL", () => {
  const { fresh } = postgresDesk();
  test("of several who re-anchor at once, one begins the anchor, on PostgreSQL", async () => {
    const { remove, where } = await fresh();
    try {
      await atDesk({}, async (dedalus, folder) => {
        assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
        const file = join(folder, "dedalus.yaml");
        writeFileSync(join(folder, "url"), where, { mode: 0o600 });
        const ledger = "ledger: { engine: postgres, url: { file: url } }\n";
        writeFileSync(file, readFileSync(file, "utf8").replace(/^ledger:.*\n(?: .*\n)*/m, ledger));
        await raced(dedalus, folder);
      });
    } finally {
      await remove();
    }
  });
});

test("only the file that was found lost is replaced, and what was begun meanwhile stays in its place", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-begin-"));
  const [aside, path, savedState] = ["aside", "anchor", "state"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const begin = (lost: ReturnType<typeof locateAnchor>) => beginAnew({ aside, lost, path, savedState }, "a note\n");
  try {
    const nothing = locateAnchor(path);
    assert.equal(begin(nothing), "nothing-kept");
    const first = readFileSync(path);
    assert.equal(begin(nothing), "another", "somebody else began one");
    assert.deepEqual([readFileSync(path), existsSync(aside)], [first, false]);
    const lost = locateAnchor(path);
    assert.equal(begin(lost), "kept");
    assert.deepEqual(readFileSync(aside), first);
    rmSync(aside);
    assert.equal(begin(lost), "another", "it is another file by now");
    assert.equal(existsSync(aside), false);
    const known = locateAnchor(path);
    renameSync(path, `${path}-gone`);
    assert.equal(begin(known), "another", "it was lost once more, and differently");
    assert.equal(existsSync(path), false);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});
