// result.json: how one intent ended, read strictly and written back as it was.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseResult, resultText } from "../../src/formats/result-json.ts";
import type { Diagnostic } from "../../src/spine/diagnostic-codes.ts";
import type { ResultFile, VmChange } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { ACTION_KINDS } from "../spine/arbitraries.ts";
import { VMID } from "../spine/world.ts";

const RESULT: ResultFile = {
  action: "vm.start",
  cause: "provider-done",
  environment: "home",
  outcome: "succeeded",
  plan: sha256("plan"),
  reference: "UPID:pve1:0001",
  step: sha256("step"),
  version: 1,
  vmid: VMID,
};

const result: fc.Arbitrary<ResultFile> = fc.record(
  {
    action: fc.constantFrom(...ACTION_KINDS),
    cause: fc.constantFrom("provider-done" as const, "send-late" as const),
    changed: fc.constantFrom<readonly VmChange[]>(
      [{ field: "status", now: "running" }],
      [{ field: "tags", was: ["a"] }],
    ),
    diagnostics: fc.constant<readonly Diagnostic[]>([{ code: "call-refused", facts: { httpStatus: 500 }, said: "no" }]),
    environment: fc.constantFrom("home", "cloud"),
    outcome: fc.constantFrom("succeeded" as const, "failed" as const, "unknown" as const),
    plan: fc.string().map(sha256),
    reference: fc.constant("UPID:pve1:0001"),
    said: fc.constant("OK"),
    step: fc.string().map(sha256),
    version: fc.constant(1 as const),
    vmid: fc.constant(VMID),
  },
  {
    noNullPrototype: true,
    requiredKeys: ["action", "cause", "environment", "outcome", "plan", "step", "version", "vmid"],
  },
);

test("a result that was read is the result that was written", () => {
  fc.assert(
    fc.property(result, (file) => {
      assert.deepEqual(parseResult(resultText(file), "result.json"), { kind: "ok", value: file });
    }),
    { numRuns: 100 },
  );
});

const objections = (value: unknown) => {
  const parsed = parseResult(JSON.stringify(value, null, 2), "result.json");
  return parsed.kind === "ok" ? [] : parsed.problems;
};

test("every problem of a result is listed where it stands", () => {
  const { cause: _, ...rest } = RESULT;
  const problems = objections({ ...rest, outcome: "done", plan: "abc", vmid: "101" });
  assert.deepEqual(
    problems.map(({ at, code }) => `${at.line}:${at.column} ${at.field} ${code}`),
    ["1:1 cause key-missing", "4:14 outcome value-wrong", "5:11 plan value-wrong", "9:11 vmid type-wrong"],
  );
});

cannot("B7", "report an action outside the catalogue", {
  neighbour: () => objections(RESULT),
  offence: () => objections({ ...RESULT, action: "vm.exec" }),
});
