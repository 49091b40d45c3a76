// How an intent ended: what belongs to an end, what is left out of it, and which part of it is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { diagnostic } from "../../src/spine/diagnostic-codes.ts";
import type { VmChange } from "../../src/spine/model.ts";
import { doubt } from "../../src/spine/observed-codes.ts";
import { endedBy, endedByDoubt } from "../../src/spine/rules/outcome-causes.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { DIAGNOSTIC_WORDS } from "../../src/spine/words/causes/diagnostic-words.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";
import { OUTCOME_WORDS, outcomeText } from "../../src/spine/words/steps/outcome-words.ts";
import { VMID } from "./world.ts";

const REFUSAL = refuse("vm-missing", { facts: { name: "web-01" }, vmid: VMID });
const DIAGNOSTICS = [diagnostic("task-failed")];
const CHANGED = [{ field: "status", now: "running", was: "stopped" }] as const;

test("an end holds what it was given, and no member without a value", () => {
  assert.deepEqual(endedBy("owner-ended", {}), { cause: "owner-ended", outcome: "unknown" });
  assert.deepEqual(endedBy("owner-ended", { diagnostics: [], said: "" }), { cause: "owner-ended", outcome: "unknown" });
  const whole = { changed: CHANGED, diagnostics: DIAGNOSTICS, facts: { a: 1 }, refusal: REFUSAL, said: "no" };
  assert.deepEqual(endedBy("vm-changed", whole), { ...whole, cause: "vm-changed", outcome: "failed" });
});

test("a doubt comes along with its code, its facts, what came between, and what was said", () => {
  const bare = { cause: "after-vm-unknown", outcome: "unknown" };
  assert.deepEqual(endedByDoubt("after-vm-unknown", doubt("not-seen")), { ...bare, facts: { doubt: "not-seen" } });
  const told = { ...doubt("listed-twice", { facts: { times: 2 } }), diagnostic: diagnostic("task-failed"), said: "no" };
  assert.deepEqual(endedByDoubt("after-vm-unknown", told), {
    ...bare,
    diagnostics: DIAGNOSTICS,
    facts: { doubt: "listed-twice", times: 2 },
    said: "no",
  });
});

test("what is behind an end follows it: a refusal, what came between, and what was said", () => {
  const { "vm-changed": sentence } = OUTCOME_WORDS;
  const end = { cause: "vm-changed" } as const;
  assert.equal(outcomeText(end), sentence);
  assert.equal(outcomeText({ ...end, refusal: REFUSAL }), `${sentence}: ${inWords(REFUSAL).because}`);
  assert.equal(outcomeText({ ...end, diagnostics: DIAGNOSTICS }), `${sentence}: ${DIAGNOSTIC_WORDS["task-failed"]}`);
  assert.equal(outcomeText({ ...end, said: "no" }), `${sentence}: no`);
  assert.equal(outcomeText({ ...end, changed: CHANGED, said: "no" }), `${sentence} (status stopped → running): no`);
});

test("a cause that this version does not know is shown as it is", () => {
  for (const cause of ["of-another-version", "valueOf"]) {
    assert.equal(outcomeText(JSON.parse(JSON.stringify({ cause }))), cause);
  }
});

test("a value that appeared or vanished is told with what was not seen", () => {
  const told = (change: VmChange): string => outcomeText({ cause: "vm-changed", changed: [change] });
  const { "vm-changed": sentence } = OUTCOME_WORDS;
  assert.equal(told({ field: "cpus", now: 2 }), `${sentence} (cpus not seen → 2)`);
  assert.equal(told({ field: "cpus", was: 2 }), `${sentence} (cpus 2 → not seen)`);
  assert.equal(told({ field: "boot" }), `${sentence} (boot)`);
  assert.equal(told({ field: "maxmem", now: 2048, was: 1024 }), `${sentence} (maxmem 1 KiB → 2 KiB)`);
  assert.equal(told({ field: "maxmem", now: "much", was: 1024 }), `${sentence} (maxmem 1 KiB → much)`);
});
