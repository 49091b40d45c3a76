// Every code has its domain, and a domain one exit code. A service may know better where somebody's own word was wrong
// (refusedInput).

import assert from "node:assert/strict";
import { test } from "node:test";
import { exitOfRefusal } from "../../src/cli/asking/at-service.ts";
import { exitCode } from "../../src/cli/exit-codes.ts";
import { type Domain, domainOf } from "../../src/service/domains.ts";
import { REFUSAL_CODES, type RefusalCode, refusalRow } from "../../src/spine/rules/refusals.ts";

const codesWhere = (is: (code: RefusalCode) => boolean): readonly RefusalCode[] => REFUSAL_CODES.filter(is).toSorted();
const ofDomain = (domain: Domain, ...stages: readonly string[]): readonly RefusalCode[] =>
  codesWhere((code) => domainOf(code) === domain && stages.includes(refusalRow(code).stage));

test("what does not hold, and who cannot be reached, is told apart from what the rules refuse", () => {
  const all = ["input", "plan", "safety", "kernel", "ledger"];
  assert.deepEqual(ofDomain("transport", ...all), [
    "caller-limited",
    "ledger-behind",
    "ledger-unreachable",
    "provider-unreachable",
    "record-doubtful",
    "reply-lost",
    "server-answer",
    "server-failed",
    "server-unreachable",
    "service-ending",
  ]);
  assert.deepEqual(ofDomain("validation", "input", "plan", "safety", "kernel"), [
    "contract-broken",
    "plan-altered",
    "plan-of-other-rules",
    "provider-untrusted",
    "replay-differs",
    "server-untrusted",
  ]);
  assert.deepEqual(ofDomain("validation", "ledger"), [
    "anchor-absent",
    "anchor-empty",
    "anchor-shortened",
    "anchor-unjoined",
    "anchor-unmounted",
    "anchor-unreadable",
    "anchor-unverified",
    "export-unverified",
    "ledger-broken",
    "ledger-cut-short",
    "ledger-rewritten",
    "ledger-untrusted",
    "proof-broken",
  ]);
});

test("what was said wrong is input, and nothing else of the input's stage is the kernel's", () => {
  assert.deepEqual(ofDomain("input", "ledger"), [
    "anchor-unwritable",
    "key-unusable",
    "ledger-absent",
    "secret-absent",
  ]);
  assert.deepEqual(ofDomain("kernel", "input"), ["adapter-unavailable"]);
  assert.deepEqual(ofDomain("input", "plan", "safety", "kernel"), []);
});

test("the exit code follows the domain, but where nobody knows whether anything was done", () => {
  const EXITS: Readonly<Record<Domain, number>> = { input: 2, internal: 1, kernel: 3, transport: 8, validation: 7 };
  for (const code of REFUSAL_CODES) {
    const expected = code === "record-doubtful" || code === "reply-lost" ? 5 : EXITS[domainOf(code)];
    assert.equal(exitCode(exitOfRefusal(code)), expected, code);
  }
});
