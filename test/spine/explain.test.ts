// explain(): one object for every answer of a plan, canonical, hashed, and true to plan and verdict.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Action, Explanation, VmState, Wish } from "../../src/spine/model.ts";
import { explain } from "../../src/spine/plan/explain.ts";
import { rowOf } from "../../src/spine/rules/actions.ts";
import { inWords } from "../../src/spine/words/refusal-words.ts";
import { world } from "./arbitraries.ts";
import { assertCanonical, digestOf } from "./reference.ts";
import {
  GiB,
  judge,
  look,
  meeting,
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
const ofOne = (wish: Wish, seen: VmState): Explanation => explained({ observation: look([seen]), wishes: [wish] });

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
        assert.equal(explanation.step, answer.kind === "step" ? answer.hash : undefined);
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
        const says = verdict.kind === "refused" ? "Nothing: the plan is refused." : rowOf(answer.action.kind).effect;
        assert.ok(explanation?.effect.startsWith(says));
      }
    }),
    { numRuns: 150 },
  );
});

test("a refusal is explained with its rule, its facts and what would have to be true", () => {
  const [refusal] = meeting(wantRunning({ name: "web-02" }), state());
  const explanation = ofOne(wantRunning({ name: "web-02" }), state());
  assert.ok(refusal !== undefined);
  assert.deepEqual(explanation.rules, [
    { evidence: `${inWords(refusal).because} (name-mismatch). ${inWords(refusal).next}`, held: false, rule: "N8" },
  ]);
  assert.ok(explanation.facts.includes("wanted name: web-02"));
});

test("a VM that the plan has no answer for has no explanation", () => {
  const { plan, verdict } = judge({ observation: look([state()]), wishes: [wantRunning()] });
  assert.equal(explain(plan, verdict, vmidOf(999)), undefined);
});

test("whoever agrees to a step reads which VM, which action and every parameter of it", () => {
  const parameters: readonly (readonly [Action, readonly string[]])[] = [
    [{ kind: "vm.resize", memory: 2 * GiB }, ["wanted memory: 2 GiB", "observed memory: 1 GiB"]],
    [{ cpus: 8, kind: "vm.resize" }, ["wanted cpus: 8", "observed cpus: 2"]],
    [{ kind: "vm.snapshot.delete", snapshot: "before-upgrade" }, ["snapshot: before-upgrade"]],
    [{ kind: "vm.clone", name: "web-09", to: vmidOf(109) }, ["clone name: web-09", "clone vmid: 109"]],
    [{ kind: "vm.migrate", node: "pve2" }, ["target node: pve2"]],
    [{ kind: "vm.reset" }, []],
  ];
  for (const [action, texts] of parameters) {
    const { facts } = ofOne(request(action), state({ cpus: 2, maxmem: GiB, snapshots: { names: ["before-upgrade"] } }));
    for (const text of [...texts, "VM: 101 web-01", `action: ${action.kind}`]) assert.ok(facts.includes(text), text);
  }
});

test("a resize that waits says that it stays pending and that nothing is restarted", () => {
  const waiting = ofOne(wantRunning({ cpus: 4 }), state({ cpus: 2 }));
  assert.match(waiting.effect, /pending until restart, and nothing is restarted/);
  assert.doesNotMatch(ofOne(wantRunning({ cpus: 4 }), state({ cpus: 2, resize: "hot" })).effect, /pending/);
});

test("whoever agrees to a rollback reads whether the guest runs afterwards", () => {
  const ROLLBACK = request({ kind: "vm.snapshot.rollback", snapshot: "before" });
  const told = (status: "running" | "stopped", withRam: readonly string[]) =>
    ofOne(ROLLBACK, state({ snapshots: { names: ["before"], withRam }, status }));
  const started = told("stopped", ["before"]);
  assert.match(started.effect, /the stopped VM is started and runs afterwards/);
  for (const fact of ["power: starts", "snapshot ram: included", "status after: running"]) {
    assert.ok(started.facts.includes(fact), fact);
  }
  assert.match(told("running", ["before"]).effect, /the running guest is replaced/);
  assert.match(told("running", []).effect, /the running guest is stopped and stays stopped/);
  const still = told("stopped", []);
  assert.match(still.effect, /stays stopped/);
  assert.ok(still.facts.includes("status after: stopped"));
});

test("a change of the verdict is another explanation", () => {
  const wishes = [wantStopped("shutdown")];
  const alone = explained({ observation: look([state()]), scope: [VMID], wishes });
  const partial = explained({ observation: look([state()], { complete: false }), wishes });
  assert.notEqual(alone.hash, partial.hash);
});
