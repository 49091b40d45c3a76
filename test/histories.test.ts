// The histories: one small ledger for each version of the rules, made by that version. Every one of them replays equal,
// for ever: what older rules decided is decided again by those.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bodyOf } from "../src/kernel/command/record-body.ts";
import { ACT_KINDS } from "../src/kernel/command/record-kinds.ts";
import { replay } from "../src/kernel/replay-ledger.ts";
import { RULES_VERSION } from "../src/spine/rules/rules-version.ts";
import { isHistoryFixed, RELEASED_FILE, releasedRules, writeReleased } from "../tools/histories/released.ts";
import { blobsOf, HISTORIES, kindsOf, recordsOf } from "./history-files.ts";

for (const version of HISTORIES) {
  test(`the history of rules ${version} replays equal`, async () => {
    const records = recordsOf(version);
    const result = await replay([records], blobsOf(version));
    assert.equal(result.kind, "equal", `${JSON.stringify(result).slice(0, 300)}; if this was meant: make histories`);
  });

  test(`the history of rules ${version} has every kind of record of its time, granted and refused`, () => {
    const found = (isRefused: boolean): ReadonlySet<string> =>
      new Set(
        recordsOf(version)
          .filter((record) => (bodyOf(record)?.result.kind === "refused") === isRefused)
          .map(({ kind }) => kind),
      );
    const [granted, refused] = [found(false), found(true)];
    assert.deepEqual(
      kindsOf(version).filter((kind) => !granted.has(kind) || !refused.has(kind)),
      [],
    );
  });

  test(`the history of rules ${version} has records that answer what a door was asked`, () => {
    assert.ok(recordsOf(version).some(({ asked }) => asked !== undefined));
  });
}

// Older ones are of their time. A kind that is new is a change of the rules: a program that does not know it would go
// on as if it had not happened.
test("the newest history is of every kind of record that there is", () => {
  assert.deepEqual(kindsOf(RULES_VERSION), ACT_KINDS.toSorted(), "make histories; once released, a new version first");
});

test("a history is made anew until its rules are released, and never again from then on", () => {
  const root = mkdtempSync(join(tmpdir(), "dedalus-histories-"));
  try {
    for (const folder of ["tools/histories", "test/histories/1"]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, RELEASED_FILE), "[]\n");
    assert.equal(isHistoryFixed(root, 1), false);
    writeReleased(root, 1);
    writeReleased(root, 1);
    assert.deepEqual(releasedRules(root), [1]);
    assert.deepEqual([isHistoryFixed(root, 1), isHistoryFixed(root, 2)], [true, false]);
    rmSync(join(root, "test/histories/1"), { recursive: true });
    assert.equal(isHistoryFixed(root, 1), false);
  } finally {
    rmSync(root, { force: true, recursive: true });
  }
});
