// The mark of a latched ledger is read back as it was written, and any other text is a latch all the same.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LatchFailure } from "../../src/ledger/failure.ts";
import { latchIn, markText } from "../../src/ledger/latch-mark.ts";

test("a mark carries the cause and the facts of the latch", () => {
  const written: LatchFailure = { cause: "write-failed", facts: { name: "sqlite ledger.db", said: "disk full" } };
  assert.deepEqual(latchIn(markText(written)), written);
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
  test(`the mark ${text} is quoted, and latches`, () => {
    assert.deepEqual(latchIn(text), { cause: "mark-foreign", facts: { said: text } });
  });
}
