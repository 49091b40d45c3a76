// One record as a line: in words where there are words for it, and never an error, whatever it holds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { spellAfter } from "../../src/cli/spell.ts";
import { plainStyle } from "../../src/cli/views/text-style.ts";
import { recordLine } from "../../src/cli/views/view-record.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { day } from "../kernel/day.ts";

const shown = (kind: string, body: { readonly [name: string]: Json }): string => {
  const [record] = day().records;
  return recordLine(
    { ...(record as LedgerRecord), body, kind },
    plainStyle((record as LedgerRecord).processTime, spellAfter([])),
  );
};

test("how an intent ended and what was refused are shown in words", () => {
  const request = { cause: "provider-done", intent: "01", outcome: "succeeded", said: "the task ended OK" };
  assert.match(shown("outcome", { request, result: { kind: "ended" } }), / {2}succeeded: .+: the task ended OK$/);
  const refusal = {
    cause: "blank",
    code: "reason-missing",
    facts: {},
    kind: "refusal",
    rule: "P7-A2",
    stage: "kernel",
  };
  assert.match(
    shown("annotate", { request: { text: " " }, result: { kind: "refused", refusals: [refusal] } }),
    / {2}refused reason-missing: the reason is blank$/,
  );
});

const ODD: readonly { readonly [name: string]: Json }[] = [
  {},
  { request: null, result: null },
  { request: { cause: "of tomorrow", outcome: "failed" } },
  { request: { cause: "frozen", outcome: "failed", refusal: { code: "of tomorrow", facts: {} } } },
  { request: { cause: "send-late", facts: null, outcome: "failed" } },
  { request: { cause: "vm-changed", changed: [null], outcome: "failed" } },
  { request: {}, result: { kind: "refused", refusals: [null] } },
  { request: {}, result: { kind: "refused", refusals: [{ code: "step-expired" }] } },
];
for (const body of ODD) {
  test(`a record that this version has no words for is shown as it was written: ${JSON.stringify(body)}`, () => {
    const line = shown("outcome", body);
    assert.ok(line.endsWith(`  ${JSON.stringify(body)}`), line);
  });
}
