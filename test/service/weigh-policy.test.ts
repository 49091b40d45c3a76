// What a policy would have decided, asked of the service: what it answers, whom it tells, that a file that is no policy
// is refused with its place, and that nothing is recorded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cannot } from "../cannot.ts";
import { codes, type Ending, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const policy = (lines: string) => ({ policy: { file: "policy.yaml", text: `version: 1\ntighten: [${lines}]\n` } });
const STARTS_REFUSED = policy("{ action: vm.start, to: refused }");

const filled = async (t: Ending) => {
  const at = await serving(t);
  const service = at.open("one-request");
  const ready = await readyToApply(service);
  await ok(await service.apply(OPERATOR, ready)).value.underway?.ended;
  await service.close();
  return { at, plan: ready.plan };
};

test("the recorded plans are judged, and nothing is recorded; in a thread as where it is asked", async (t) => {
  const { at, plan } = await filled(t);
  const [long, short] = [at.open("long"), at.open("one-request")];
  const before = ok(await short.status(OPERATOR, {})).value.records;
  const { head, value } = ok(await short.whatIf(OPERATOR, STARTS_REFUSED));
  assert.deepEqual(ok(await long.whatIf(OPERATOR, STARTS_REFUSED)), ok(await short.whatIf(OPERATOR, STARTS_REFUSED)));
  const { applies, asked, plans, refused, steps } = value;
  assert.deepEqual([applies, asked, plans, refused, head.size], [1, 0, 1, 1, before]);
  assert.deepEqual(
    steps.map((step) => [step.plan, step.environment, step.requester, step.vmid, step.judgedWhen]),
    [[plan, "home", "alice", 101, "planned"]],
  );
  assert.deepEqual(ok(await long.whatIf(OPERATOR, { ...STARTS_REFUSED, environment: "home" })).value, value);
  assert.deepEqual(ok(await long.whatIf(OPERATOR, policy(""))).value.steps, []);
  assert.equal(ok(await short.status(OPERATOR, {})).value.records, before, "a read leaves no record");
});

test("a file that is no policy is refused with its place, and an environment that is not there by name", async (t) => {
  const { at } = await filled(t);
  for (const life of ["long", "one-request"] as const) {
    const service = at.open(life);
    const bad = await service.whatIf(OPERATOR, policy("{ action: vm.start, to: allow }"));
    assert.deepEqual(codes(bad), ["policy-loosens"]);
    const [problem] = bad.kind === "refused" ? bad.refusals : [];
    assert.deepEqual(Object(Object(problem).at), { column: 35, field: "tighten[0].to", file: "policy.yaml", line: 2 });
    assert.deepEqual(codes(await service.whatIf(OPERATOR, { ...STARTS_REFUSED, environment: "moon" })), [
      "environment-unknown",
    ]);
  }
});

const judgedBy = async (lines: string) => {
  const endings: (() => Promise<void>)[] = [];
  try {
    const { at } = await filled({ after: (work) => endings.push(work) });
    const answer = await at.open("one-request").whatIf(OPERATOR, policy(lines));
    return answer.kind === "refused" ? answer.refusals : [];
  } finally {
    for (const end of endings) await end();
  }
};
cannot("P7-A3", "judge the past by a policy that loosens", {
  neighbour: () => judgedBy("{ action: vm.stop, to: high }"),
  offence: () => judgedBy("{ action: vm.stop, to: low }"),
});
