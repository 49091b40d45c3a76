// The mark of a read-only ledger is read back as it was written, and any other text is a read-only mark all the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReadOnlyFailure } from "../../src/ledger/failure.ts";
import { markText, readOnlyIn } from "../../src/ledger/read-only-mark.ts";

test("a mark carries the cause and the facts of the mark", () => {
  const written: ReadOnlyFailure = { cause: "write-failed", facts: { name: "sqlite ledger.db", said: "disk full" } };
  assert.deepEqual(readOnlyIn(markText(written)), written);
});

for (const text of [
  "a write to sqlite ledger.db failed: disk full",
  "{}",
  "null",
  "[]",
  '{"cause":"write-failed"}',
  '{"cause":"write-failed","facts":{"name":"x"}}',
  '{"cause":"write-failed","facts":{"name":"x","said":{}}}',
  '{"cause":"thawed","facts":{}}',
  '{"cause":"toString","facts":{}}',
]) {
  test(`the mark ${text} is quoted, and marks`, () => {
    assert.deepEqual(readOnlyIn(text), { cause: "mark-foreign", facts: { said: text } });
  });
}
