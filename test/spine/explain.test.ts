// explain(): one object for every answer of a plan, canonical, hashed, and true to plan and verdict.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Action, DesiredEntry, Explanation, VmState } from "../../src/spine/model.ts";
import { explain } from "../../src/spine/plan/explain.ts";
import { actionText } from "../../src/spine/rules/action-text.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";
import { ROLLBACK_WORDS } from "../../src/spine/words/steps/action-words.ts";
import { explanationInWords } from "../../src/spine/words/steps/explanation-in-words.ts";
import { world } from "./arbitraries.ts";
import { assertCanonical, digestOf } from "./reference.ts";
import {
  GiB,
  judge,
  meeting,
  observationOf,
  request,
  state,
  VMID,
  vmidOf,
  type World,
  wantRunning,
  wantStopped,
} from "./world.ts";

const explained = (given: World): Explanation => {
  const { plan, verdict } = judge(given);
  const explanation = explain(plan, verdict, VMID);
  assert.ok(explanation !== undefined);
  return explanation;
};
const ofOne = (entry: DesiredEntry, seen: VmState): Explanation =>
  explained({ observation: observationOf([seen]), entries: [entry] });

test("every answer has an explanation, canonical by construction, with the hash of a reference implementation", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { plan, verdict } = judge(given);
      for (const answer of plan.answers) {
        assert.ok(answer.vmid !== undefined);
        const explanation = explain(plan, verdict, answer.vmid);
        assert.ok(explanation !== undefined);
        assertCanonical(explanation);
        const { hash, ...body } = explanation;
        assert.equal(hash, digestOf(body));
        assert.equal(explanation.plan, plan.hash);
        assert.equal(explanation.answer, answer.kind);
        assert.equal(explanation.step?.hash, answer.kind === "step" ? answer.hash : undefined);
      }
    }),
    { numRuns: 150 },
  );
});

test("an explanation is the same twice, whatever the source was called", () => {
  const one = ofOne(wantRunning(), state({ source: "live", status: "stopped" }));
  assert.deepEqual(ofOne(wantRunning(), state({ source: "replay", status: "stopped" })), one);
});

test("a rule is weighed as broken exactly when its refusal concerns the VM", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { plan, verdict } = judge(given);
      const whole = verdict.kind === "refused" ? verdict.refusals : [];
      for (const answer of plan.answers) {
        if (answer.kind !== "step") continue;
        const explanation = explain(plan, verdict, answer.vmid);
        const expected = whole.filter(({ vmid }) => vmid === undefined || vmid === answer.vmid).map(({ rule }) => rule);
        const weighed = explanation?.rules ?? [];
        assert.deepEqual(
          weighed.filter(({ held }) => !held).map(({ rule }) => rule),
          expected,
        );
        assert.ok(!weighed.some(({ held, rule }) => held && expected.includes(rule)));
        assert.equal(explanation?.effect, verdict.kind === "refused" ? "plan-refused" : "performed");
      }
    }),
    { numRuns: 150 },
  );
});

test("a refusal is explained with its rule, its facts and what would have to be true", () => {
  const [refusal] = meeting(wantRunning({ name: "web-02" }), state());
  const explanation = ofOne(wantRunning({ name: "web-02" }), state());
  assert.ok(refusal !== undefined);
  assert.deepEqual(explanation.rules, [{ held: false, refusal, rule: "N8" }]);
  assert.equal(explanation.facts["desiredName"], "web-02");
  const { because, next } = inWords(refusal);
  const { facts, rules } = explanationInWords(explanation);
  assert.deepEqual(rules, [{ evidence: `${because} (name-mismatch). ${next}`, held: false, rule: "N8" }]);
  assert.ok(facts.includes("desired name: web-02"));
});

test("a VM that the plan has no answer for has no explanation", () => {
  const { plan, verdict } = judge({ observation: observationOf([state()]), entries: [wantRunning()] });
  assert.equal(explain(plan, verdict, vmidOf(999)), undefined);
});

test("whoever agrees to a step reads which VM, which action and every parameter of it", () => {
  const parameters: readonly (readonly [Action, readonly string[]])[] = [
    [{ kind: "vm.resize", memory: 2 * GiB }, ["desired memory: 2 GiB", "observed memory: 1 GiB"]],
    [{ cpus: 8, kind: "vm.resize" }, ["desired cpus: 8", "observed cpus: 2"]],
    [{ kind: "vm.snapshot.delete", snapshot: "before-upgrade" }, ["snapshot: before-upgrade"]],
    [{ kind: "vm.clone", name: "web-09", to: vmidOf(109) }, ["clone name: web-09", "clone vmid: 109"]],
    [{ kind: "vm.migrate", node: "pve2" }, ["target node: pve2"]],
    [{ kind: "vm.reset" }, []],
  ];
  for (const [action, texts] of parameters) {
    const seen = state({ cpus: 2, maxmem: GiB, snapshots: { names: ["before-upgrade"] } });
    const { facts } = explanationInWords(ofOne(request(action), seen));
    for (const text of [...texts, "VM: 101 web-01", `action: ${actionText(action.kind)}`])
      assert.ok(facts.includes(text), text);
  }
});

test("a resize that waits is explained as one, and one that does not wait is not", () => {
  const waiting = ofOne(wantRunning({ cpus: 4 }), state({ cpus: 2 }));
  const hot = ofOne(wantRunning({ cpus: 4 }), state({ cpus: 2, resize: "hot" }));
  assert.deepEqual([waiting.step?.applies, hot.step?.applies], ["at-restart", "now"]);
  assert.notEqual(explanationInWords(waiting).effect, explanationInWords(hot).effect);
});

test("whoever agrees to a rollback reads whether the guest runs afterwards", () => {
  const ROLLBACK = request({ kind: "vm.snapshot.rollback", snapshot: "before" });
  const told = (status: "running" | "stopped", withRam: readonly string[]) =>
    ofOne(ROLLBACK, state({ snapshots: { names: ["before"], withRam }, status }));
  const ends = [
    [told("stopped", ["before"]), "starts", "running"],
    [told("running", ["before"]), "interrupts", "running"],
    [told("running", []), "stops", "stopped"],
    [told("stopped", []), "none", "stopped"],
  ] as const;
  for (const [explanation, power, after] of ends) {
    assert.deepEqual([explanation.step?.power, explanation.facts["statusAfter"]], [power, after]);
    assert.ok(explanationInWords(explanation).effect.endsWith(ROLLBACK_WORDS[power]));
  }
});

test("a change of the verdict is another explanation", () => {
  const entries = [wantStopped("shutdown")];
  const alone = explained({ observation: observationOf([state()]), scope: [VMID], entries });
  const partial = explained({ observation: observationOf([state()], { complete: false }), entries });
  assert.notEqual(alone.hash, partial.hash);
});
