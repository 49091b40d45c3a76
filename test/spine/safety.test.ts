// safety(): the verdict on a whole plan, and what a policy can and cannot add to it.
//
// Not here: each refusal with its nearest allowed neighbour (test/cannot/).

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { PlanStep, Verdict } from "../../src/spine/model.ts";
import { isAbout, NO_POLICY, policyDigest } from "../../src/spine/plan/policy.ts";
import { productionTouched, safety } from "../../src/spine/plan/safety.ts";
import { SPINE_RULES } from "../../src/spine/plan/spine-rules.ts";
import { ACTIONS, higherTier, rowOf, tierOf } from "../../src/spine/rules/actions.ts";
import { ACTION_KINDS, hands, policy, world } from "./arbitraries.ts";
import { actionOf } from "./one-of-each.ts";
import { digestOf } from "./reference.ts";
import {
  judge,
  meeting,
  observationOf,
  refusalsIn,
  request,
  state,
  vmidOf,
  type World,
  wantRunning,
  wantStopped,
} from "./world.ts";

const stepsOf = (given: World): readonly PlanStep[] =>
  judge(given).plan.answers.filter((answer) => answer.kind === "step");

const STRICTNESS = { clear: 0, "needs-approval": 1, refused: 2 } as const satisfies Record<Verdict["kind"], number>;

test("a policy never loosens: the verdict under it is at least as strict as without", () => {
  fc.assert(
    fc.property(world, policy, hands, (given, tightening, whose) => {
      const { plan: made } = judge(given);
      const [free, bound] = [safety(made, NO_POLICY), safety(made, tightening, SPINE_RULES, whose)];
      assert.ok(STRICTNESS[bound.kind] >= STRICTNESS[free.kind]);
      if (free.kind === "refused") {
        const kept = bound.kind === "refused" ? bound.refusals : [];
        for (const refusal of free.refusals)
          assert.ok(kept.some((one) => JSON.stringify(one) === JSON.stringify(refusal)));
        return;
      }
      if (bound.kind === "refused") return;
      for (const [at, { step, tier }] of bound.tiers.entries()) {
        assert.equal(step, free.tiers[at]?.step);
        assert.equal(higherTier(tier, free.tiers[at]?.tier ?? "irreversible"), tier);
      }
    }),
    { numRuns: 200 },
  );
});

test("a plan that is not refused holds no forbidden step, no unknown VM, and no incomplete observation at everything", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { plan: made, verdict } = judge(given);
      if (verdict.kind === "refused") return;
      assert.ok(made.scope !== "all" || (given.observation.complete && given.observation.gaps.length === 0));
      for (const answer of made.answers) {
        if (answer.kind === "refusal") assert.notEqual(answer.code, "vm-unknown");
        if (answer.kind !== "step") continue;
        assert.ok(!answer.protected || rowOf(answer.action.kind).onProtected);
        assert.ok(!given.policy.tighten.some((line) => isAbout(line, answer.action.kind, []) && line.to === "refused"));
      }
    }),
    { numRuns: 200 },
  );
});

test("a plan is refused only for a reason, and every reason is listed once", () => {
  fc.assert(
    fc.property(world, policy, (free, tightening) => {
      const given = { ...free, policy: tightening };
      const { plan: made, verdict } = judge(given);
      const steps = stepsOf(given);
      const unknown = made.answers.filter((answer) => answer.kind === "refusal" && answer.code === "vm-unknown");
      const isForeign = made.answers.some(
        (answer) => answer.kind === "refusal" && answer.code === "environment-mismatch",
      );
      const expected = [
        ...(isForeign ? ["observation-foreign"] : []),
        ...(made.scope === "all" && !made.observation.complete ? ["observation-incomplete"] : []),
        ...(unknown.length > 0 ? ["truth-incomplete"] : []),
        ...steps
          .filter((step) => step.protected && !rowOf(step.action.kind).onProtected)
          .map(() => "production-touched"),
        ...steps
          .filter(({ action }) =>
            given.policy.tighten.some((one) => isAbout(one, action.kind, []) && one.to === "refused"),
          )
          .map(() => "policy-refuses"),
      ];
      assert.deepEqual(verdict.kind === "refused" ? verdict.refusals.map(({ code }) => code) : [], expected);
    }),
    { numRuns: 200 },
  );
});

test("a verdict that is not refused names the tier of every step, and no other", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { verdict } = judge({ ...given, policy: NO_POLICY });
      if (verdict.kind === "refused") return;
      const steps = stepsOf({ ...given, policy: NO_POLICY });
      assert.deepEqual(
        verdict.tiers,
        steps.map((step) => ({ step: step.hash, tier: tierOf(step, ACTIONS) })),
      );
      const isHigh = verdict.tiers.some(({ tier }) => tier === "high" || tier === "irreversible");
      assert.equal(verdict.kind, isHigh ? "needs-approval" : "clear");
    }),
    { numRuns: 200 },
  );
});

test("one unknown VM refuses the plan of all, and narrowing the scope to what was seen clears it", () => {
  const seen = [state({ status: "stopped" }), state({ status: "unknown", vmid: vmidOf(102) })];
  const given: World = {
    observation: observationOf(seen),
    entries: [wantRunning(), wantRunning({ vmid: vmidOf(102) }), wantRunning({ vmid: vmidOf(103) })],
  };
  const { verdict } = judge(given);
  assert.ok(verdict.kind === "refused");
  assert.deepEqual([verdict.refusals[0].cause, verdict.refusals[0].facts["seen"]], ["narrowable", [101]]);
  assert.equal(judge({ ...given, scope: [vmidOf(101)] }).verdict.kind, "clear");
});

test("many unknown VMs are counted and not all listed", () => {
  const vmids = Array.from({ length: 15 }, (_, at) => vmidOf(at + 1));
  const [refusal] = refusalsIn({
    observation: observationOf(vmids.map((vmid) => state({ status: "unknown", vmid }))),
    entries: vmids.map((vmid) => wantRunning({ vmid })),
  }).filter(({ code }) => code === "truth-incomplete");
  assert.deepEqual(refusal?.facts, { unknown: 15, vmids: vmids.slice(0, 12) });
});

test("a policy that names a lower tier lowers nothing, for any action", () => {
  for (const kind of ACTION_KINDS) {
    const { plan: made } = judge({
      observation: observationOf([state({ status: "stopped" })]),
      entries: [wantRunning()],
    });
    const steps = made.answers.map((answer) =>
      answer.kind === "step" ? { ...answer, action: actionOf(kind) } : answer,
    );
    const free = safety({ ...made, answers: steps }, NO_POLICY);
    const lowered = safety({ ...made, answers: steps }, { tighten: [{ action: kind, to: "low" }], version: 1 });
    assert.deepEqual(lowered, free);
  }
});

test("a policy asks for more: what was clear needs approval", () => {
  const given: World = { observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] };
  assert.equal(judge(given).verdict.kind, "clear");
  const tightened = judge({ ...given, policy: { tighten: [{ action: "vm.start", to: "high" }], version: 1 } });
  assert.equal(tightened.verdict.kind, "needs-approval");
});

test("cutting power needs approval, and asking a guest to shut down does not", () => {
  const seen = observationOf([state()]);
  assert.equal(judge({ observation: seen, entries: [wantStopped("power-off")] }).verdict.kind, "needs-approval");
  assert.equal(judge({ observation: seen, entries: [wantStopped("shutdown")] }).verdict.kind, "clear");
});

test("a resize needs no approval, whether it applies at once or waits for a restart, which is a step of its own", () => {
  const entries = [request({ cpus: 4, kind: "vm.resize" })];
  assert.equal(judge({ observation: observationOf([state({ cpus: 2 })]), entries }).verdict.kind, "clear");
  assert.equal(
    judge({ observation: observationOf([state({ cpus: 2, resize: "hot" })]), entries }).verdict.kind,
    "clear",
  );
});

test("a protected VM in need of nothing refuses nothing", () => {
  assert.deepEqual(meeting(wantRunning({ name: "prod-db" }), state({ name: "prod-db" })), []);
});

test("the digest of a policy is that of a reference implementation", () => {
  assert.equal(policyDigest(NO_POLICY), digestOf({ tighten: [], version: 1 }));
  fc.assert(
    fc.property(policy, (one) => assert.equal(policyDigest(one), digestOf(one))),
    { numRuns: 50 },
  );
});

test("why a VM is production is its sign, its name where the sign is lost, or that it was marked", () => {
  const [step] = stepsOf({ observation: observationOf([state()]), entries: [wantStopped("shutdown")] });
  const causeOf = (sign: unknown, name: string): string | undefined =>
    productionTouched({ ...(step ?? assert.fail("there is a step")), name }, sign, SPINE_RULES).cause;
  for (const sign of ["desired-name", "entry", "observed-name", "tag"]) assert.equal(causeOf(sign, "web-01"), sign);
  assert.equal(causeOf(undefined, "prod-01"), "desired-name");
  assert.equal(causeOf(undefined, "web-01"), "marked");
  assert.equal(causeOf("of another version", "web-01"), "marked");
});
