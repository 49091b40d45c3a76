// plan.json: read strictly, written so that its hashes recompute, and closed to actions outside the catalogue.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parsePlan, planText } from "../../src/formats/plan-json.ts";
import { verifyPlan } from "../../src/spine/plan/verify-plan.ts";
import { cannot } from "../cannot.ts";
import { world } from "../spine/arbitraries.ts";
import { judge, observationOf, planFileOf, request, state, vmidOf, wantRunning } from "../spine/world.ts";

const FILE = planFileOf(
  judge({
    observation: observationOf([
      state({ status: "stopped" }),
      state({ cpus: 2, pending: { cpus: 4 }, vmid: vmidOf(102) }),
    ]),
    entries: [wantRunning(), wantRunning({ cpus: 4, vmid: vmidOf(102) }), wantRunning({ vmid: vmidOf(103) })],
  }),
);
const TEXT = planText(FILE);

const objections = (text: string) => {
  const parsed = parsePlan(text, "plan.json");
  return parsed.kind === "ok" ? [] : parsed.problems;
};
const said = (text: string): readonly string[] =>
  objections(text).map(({ at, code }) => `${at.line}:${at.column} ${at.field} ${code}`);

test("a plan begins with its schema and ends with its line", () => {
  assert.match(TEXT, /^\{\n {2}"\$schema": "https:[^"]*\/plan\.schema\.json",\n/);
  assert.match(TEXT, /\n\}\n$/);
});

test("a plan that was read is the plan that was written: same value, same text, same hashes", () => {
  fc.assert(
    fc.property(world, (made) => {
      const file = planFileOf(judge(made));
      const text = planText(file);
      const parsed = parsePlan(text, "plan.json");
      assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
      assert.deepEqual(parsed.value, file);
      assert.equal(planText(parsed.value), text);
      assert.equal(verifyPlan(parsed.value, made.policy), undefined);
    }),
    { numRuns: 200 },
  );
});

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
};

test("a plan keeps its hashes when a tool writes its keys in another order", () => {
  const text = JSON.stringify(reversed(JSON.parse(TEXT)));
  assert.notEqual(text, JSON.stringify(JSON.parse(TEXT)));
  const parsed = parsePlan(text, "plan.json");
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  assert.equal(planText(parsed.value), TEXT);
});

const MISFITS: readonly (readonly [was: string, is: string, field: string, code: string])[] = [
  ['"version": 1\n}\n', '"version": "1"\n}\n', "version", "type-wrong"],
  ['"version": 1\n}\n', '"version": 2\n}\n', "version", "version-unknown"],
  ['"applicable": false,', '"applicable": true,', "because", "value-wrong"],
  ['"because": "replayed",', "", "because", "key-missing"],
  ['"applies": "now"', '"applies": "later"', "plan.answers[0].applies", "value-wrong"],
  ['"protected": false', '"protected": null', "plan.answers[0].protected", "type-wrong"],
  ['"observedStatus": "stopped"', '"observedStatus": [[]]', "plan.answers[0].facts.observedStatus[0]", "type-wrong"],
  ['"observedStatus": "stopped"', '"observedStatus": 1.5', "plan.answers[0].facts.observedStatus", "value-wrong"],
  ['"observedStatus": ', '"observed status": ', 'plan.answers[0].facts["observed status"]', "key-unknown"],
  ['"reason": "', '"raeson": "', "plan.answers[0].reason", "key-missing"],
  ['"reason": "', '"reason": "\\u001b[2J', "plan.answers[0].reason", "value-wrong"],
  ['"scope": "all"', '"scope": "some"', "plan.scope", "value-wrong"],
  ['"scope": "all"', '"scope": [101, 0]', "plan.scope[1]", "value-wrong"],
  ['"code": "waits-for-restart"', '"code": "waits"', "plan.answers[1].code", "value-wrong"],
  ['"kind": "step"', '"kind": "leap"', "plan.answers[0].kind", "value-wrong"],
];

for (const [was, is, field, code] of MISFITS) {
  test(`a plan with ${JSON.stringify(is)} has a problem at ${field}: ${code}`, () => {
    assert.ok(TEXT.includes(was), was);
    const found = objections(TEXT.replace(was, is));
    assert.ok(
      found.some((problem) => problem.at.field === field && problem.code === code),
      JSON.stringify(found),
    );
  });
}

test("all problems of a plan are listed, each at its line and column", () => {
  const text =
    '{\n  "version": 1,\n  "applicable": true,\n  "plan": 5,\n  "verdict": {\n    "kind": "refused",\n    "refusals": []\n  },\n  "vm": 1\n}\n';
  assert.deepEqual(said(text), ["4:11 plan type-wrong", "7:17 verdict.refusals value-wrong", "9:3 vm key-unknown"]);
});

test("a resize without a size is no resize", () => {
  const resized = planFileOf(
    judge({ observation: observationOf([state({ cpus: 2 })]), entries: [request({ cpus: 4, kind: "vm.resize" })] }),
  );
  const text = planText(resized);
  assert.deepEqual(said(text), []);
  const [problem] = objections(text.replace(/"cpus": 4,\s*/, ""));
  assert.equal(problem?.at.field, "plan.answers[0].action");
});

cannot("B7", "carry an action outside the catalogue", {
  neighbour: () => objections(TEXT),
  offence: () => objections(TEXT.replace('"kind": "vm.start"', '"kind": "vm.exec"')),
});

cannot("P7-F1", "pass a parameter through an action that has none", {
  neighbour: () => objections(TEXT),
  offence: () => objections(TEXT.replace('"kind": "vm.start"', '"kind": "vm.start", "args": "--force"')),
});
