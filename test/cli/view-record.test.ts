// One record as lines: in words where there are words for it, and never an error, whatever it holds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { spellAfter } from "../../src/cli/spell.ts";
import { plainStyle } from "../../src/cli/views/text-style.ts";
import { recordLines } from "../../src/cli/views/view-record.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { day } from "../kernel/day.ts";

type Body = { readonly [name: string]: Json };

const FIRST: LedgerRecord = day().records[0] ?? assert.fail("a day has records");
const STYLE = { ...plainStyle(FIRST.processTime, spellAfter([])), isVerbose: false };

const shown = (kind: string, body: Body): readonly string[] => recordLines({ ...FIRST, body, kind }, STYLE);

test("how an intent ended and what was refused are shown in words", () => {
  const request = { cause: "provider-done", intent: "01", outcome: "succeeded", said: "the task ended OK" };
  assert.match(
    shown("outcome", { request, result: { kind: "ended" } })[0] ?? "",
    / {2}succeeded: .+: the task ended OK, intent 01$/,
  );
  const refusal = {
    cause: "blank",
    code: "reason-missing",
    facts: {},
    kind: "refusal",
    rule: "P7-A2",
    stage: "kernel",
  };
  assert.equal(
    shown("annotate", { request: { text: " " }, result: { kind: "refused", refusals: [refusal] } }).at(-1),
    "        ! refused reason-missing: the reason is blank",
  );
});

test("every record of a day has its words, who asked and when, and no JSON but with --verbose", () => {
  for (const record of day().records) {
    const lines = recordLines(record, STYLE);
    assert.ok(lines[0]?.startsWith(`${String(record.seq).padStart(6)}  `), lines[0]);
    assert.match(lines[1] ?? "", new RegExp(`^ {8}by ${record.actor.id} \\(${record.actor.kind}\\)`));
    assert.ok(lines[1]?.includes(`id ${record.auditId}`), lines[1]);
    for (const line of lines) assert.doesNotMatch(line, /[{}]/);
    const verbose = recordLines(record, { ...STYLE, isVerbose: true });
    assert.equal(verbose.at(-1)?.trim(), JSON.stringify(record));
  }
});

test("the record of a start of the program is not taken for the start of a VM", () => {
  const start = day().records.find(({ kind }) => kind === "start") ?? assert.fail("a day begins with one");
  assert.match(recordLines(start, STYLE)[0] ?? "", / {2}program started {2}dedalus \S+, .*configuration [0-9a-f]{12}$/);
  const apply = day().records.find(({ kind }) => kind === "apply") ?? assert.fail("something is applied");
  assert.match(recordLines(apply, STYLE)[0] ?? "", / {2}apply {2}\w+ VM \d+, step \d+ of plan [0-9A-Z]{26}$/);
});

const ODD: readonly Body[] = [
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
    assert.equal(shown("outcome", body).at(-1), `        ${JSON.stringify(body)}`);
  });
}

test("cannot tell a refusal of another version as if it were granted", () => {
  const body = {
    request: { text: "noted" },
    result: { kind: "refused", refusals: [{ code: "of tomorrow", facts: {} }] },
  };
  assert.equal(shown("annotate", body).at(-1), `        ${JSON.stringify(body)}`);
  assert.match(shown("annotate", { ...body, result: { kind: "done" } })[0] ?? "", / {2}annotate {2}"noted"$/);
});

test("whatever is where a field should be, every kind is shown", () => {
  const kinds = new Set([...day().records.map(({ kind }) => kind), "token", "re-anchor", "ledger.seal", "of tomorrow"]);
  for (const kind of kinds) {
    for (const body of ODD) assert.ok(shown(kind, body).length > 1, kind);
    const odd = { act: 1, intent: null, of: "x", plan: [], reason: 3, request: 1, subject: 2, vms: "3" };
    assert.equal(shown(kind, { request: odd }).at(-1), `        ${JSON.stringify({ request: odd })}`, kind);
  }
});
