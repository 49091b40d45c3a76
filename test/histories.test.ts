// The histories: one small ledger for each version of the rules, made by that version. Every one of them replays equal, for
// ever: what older rules decided is decided again by those.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ACT_KINDS, bodyOf } from "../src/kernel/command/record-body.ts";
import { replay } from "../src/kernel/replay-ledger.ts";
import { blobsOf, HISTORIES, recordsOf } from "./history-files.ts";

for (const version of HISTORIES) {
  test(`the history of rules ${version} replays equal`, async () => {
    const records = recordsOf(version);
    const result = await replay([records], blobsOf(version));
    assert.equal(result.kind, "equal", `${JSON.stringify(result).slice(0, 300)}; if this was meant: make histories`);
  });

  test(`the history of rules ${version} has every kind of record, granted and refused`, () => {
    const found = (isRefused: boolean): ReadonlySet<string> =>
      new Set(
        recordsOf(version)
          .filter((record) => (bodyOf(record)?.result.kind === "refused") === isRefused)
          .map(({ kind }) => kind),
      );
    const [granted, refused] = [found(false), found(true)];
    assert.deepEqual(
      ACT_KINDS.filter((kind) => !granted.has(kind) || !refused.has(kind)),
      [],
    );
  });

  test(`the history of rules ${version} has records that answer what a door was asked`, () => {
    assert.ok(recordsOf(version).some(({ asked }) => asked !== undefined));
  });
}
