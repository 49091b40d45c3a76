// Problems: what is refused, for programs by code and facts, for people in words, and never more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bugProblem, PROBLEM_TYPE, problemJson } from "../../src/boundary/contract/problem-json.ts";
import { ROUTED } from "../../src/boundary/contract/routes.ts";
import { BODIES } from "../../src/boundary/http/answer-bodies.ts";
import { refusedBy, refusedByKernel } from "../../src/service/answer.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";

const CORRELATION = "01JD0000000000000000000000";

test("a problem has the status of its first refusal, and all of them", () => {
  const refusals = [
    refuse("plan-unknown", { facts: { plan: "01J" } }),
    refuse("frozen", { cause: "everything", facts: { by: "alice", reason: "incident" } }),
  ];
  const problem = problemJson({ ...refusedByKernel(refusals), where: { plan: "01J" } }, CORRELATION);
  assert.equal(problem.status, 404);
  assert.equal(problem.type, "urn:dedalus:problem:plan-unknown");
  assert.equal(problem.correlationId, CORRELATION);
  assert.deepEqual(
    problem.refusals.map(({ code }) => code),
    ["plan-unknown", "frozen"],
  );
  assert.deepEqual(problem.refusals[0]?.about, { plan: "01J" });
  assert.equal(problem.title, problem.refusals[0]?.text.summary);
  assert.equal(PROBLEM_TYPE, "application/problem+json");
});

test("what may have been executed is told as unknown, whatever the status", () => {
  const problem = problemJson(refusedBy(refuse("record-doubtful", { cause: "closing" })), "");
  assert.equal(problem.outcome, "unknown");
});

test("a bug is told without anything of it", () => {
  const problem = bugProblem(CORRELATION);
  assert.equal(problem.status, 500);
  assert.deepEqual([problem.domain, problem.outcome, problem.refusals], ["internal", "unknown", []]);
  assert.ok(!("message" in problem));
});

test("every answer that is not streamed has a body", () => {
  const streamed = ["blob", "export", "records"];
  assert.deepEqual(Object.keys(BODIES).sort(), ROUTED.filter((one) => !streamed.includes(one)).sort());
});
