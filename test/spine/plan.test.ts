// plan() as a whole: total, in order, deterministic, and hashed over everything that it stands on.
//
// Not here: what it refuses (test/cannot/), how repeated plans end (convergence.test.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type {
  DesiredEntry,
  PlanAnswer,
  PlanStep,
  Refusal,
  SnapshotActionKind,
  VmState,
} from "../../src/spine/model.ts";
import { plan, planHash } from "../../src/spine/plan/plan.ts";
import { stepHash } from "../../src/spine/plan/step.ts";
import { refusalRow } from "../../src/spine/rules/refusals.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";
import { world } from "./arbitraries.ts";
import { assertCanonical, canonicalText, digestOf } from "./reference.ts";
import {
  desiredFor,
  groundOf,
  judge,
  meeting,
  NAME,
  observationOf,
  request,
  state,
  vmidOf,
  type World,
  wantRunning,
} from "./world.ts";

const shuffled = <T>(list: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...list], { maxLength: list.length, minLength: list.length });

test("every entry in scope has exactly one answer, by ascending vmid", () => {
  fc.assert(
    fc.property(world, (given) => {
      const asked = given.scope === "all" ? given.entries.map(({ vmid }) => vmid) : given.scope;
      const expected = [...new Set(asked)].sort((a, b) => a - b);
      assert.deepEqual(
        judge(given).plan.answers.map(({ vmid }) => vmid),
        expected,
      );
    }),
    { numRuns: 150 },
  );
});

test("a plan is the same whichever order entries, states and scope arrive in", () => {
  const reordered = world.chain((given) =>
    fc.record({
      given: fc.constant(given),
      scope: given.scope === "all" ? fc.constant("all" as const) : shuffled(given.scope),
      vms: shuffled(given.observation.vms),
      desired: shuffled(given.entries),
    }),
  );
  fc.assert(
    fc.property(reordered, ({ given, scope, vms, desired: entries }) => {
      const one = judge(given);
      const other = judge({ ...given, observation: { ...given.observation, vms }, scope, entries });
      assert.equal(JSON.stringify(other.plan), JSON.stringify(one.plan));
      assert.equal(JSON.stringify(other.verdict), JSON.stringify(one.verdict));
    }),
    { numRuns: 150 },
  );
});

test("a plan changes nothing it was given, and gives the same bytes twice", () => {
  fc.assert(
    fc.property(world, (given) => {
      const before = JSON.stringify(given);
      const once = JSON.stringify(judge(given).plan);
      assert.equal(JSON.stringify(judge(given).plan), once);
      assert.equal(JSON.stringify(given), before);
    }),
    { numRuns: 150 },
  );
});

test("a plan is built in canonical order, and its hashes are those of a reference implementation", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { plan: made, verdict } = judge(given);
      assertCanonical(made);
      assertCanonical(verdict);
      const { hash, ...body } = made;
      assert.equal(hash, digestOf({ ...body, answers: body.answers.map(stoodFor) }));
      assert.equal(planHash(body), hash);
      for (const step of made.answers.filter((answer) => answer.kind === "step")) {
        const { hash: sealed, ...open } = step;
        assert.equal(sealed, digestOf(open));
        assert.equal(stepHash(open), sealed);
      }
    }),
    { numRuns: 150 },
  );
});

test("plans of many answers hash like the reference: pieces leave no seam", () => {
  for (const count of [0, 1, 511, 512, 513, 1025]) {
    const vmids = Array.from({ length: count }, (_, at) => vmidOf(at + 1));
    const given: World = {
      observation: observationOf(vmids.map((vmid) => state({ status: vmid % 3 === 0 ? "stopped" : "running", vmid }))),
      entries: vmids.map((vmid) => wantRunning({ vmid })),
    };
    const { observed, plan: made } = judge(given);
    const { hash, ...body } = made;
    assert.equal(hash, digestOf({ ...body, answers: body.answers.map(stoodFor) }));
    assert.equal(observed.digest, digestOf({ ...observed.observation, vms: observed.observation.vms.map(unsourced) }));
  }
});

/** In the plan's hash a step is stood for by its own. */
const stoodFor = (answer: PlanAnswer): object =>
  answer.kind === "step" ? { hash: answer.hash, kind: answer.kind, vmid: answer.vmid } : answer;

/** What was said beside a code, anywhere in it, left out. */
const unsaid = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === "said" ? undefined : member)));

const unsourced = ({ source: _, ...rest }: VmState): Omit<VmState, "source"> => rest;

test("two observations that differ in a VM's state give two plan hashes, and two that differ in source give one", () => {
  const pair = fc.tuple(world, fc.nat(), fc.nat(), fc.constantFrom("live", "replay"));
  fc.assert(
    fc.property(pair, ([given, from, to, source]) => {
      const { observation } = given;
      const vms = observe(observation).observation.vms;
      const [left, right] = [vms[from % Math.max(vms.length, 1)], vms[to % Math.max(vms.length, 1)]];
      fc.pre(left !== undefined && right !== undefined);
      const changed = { ...right, source, vmid: left.vmid };
      const other = vms.map((one) => (one === left ? changed : one));
      const isSame = canonicalText(unsourced(changed)) === canonicalText(unsourced(left));
      const hashOf = (list: readonly VmState[]) =>
        judge({ ...given, observation: { ...observation, vms: list } }).plan.hash;
      assert.equal(hashOf(vms) === hashOf(other), isSame);
    }),
    { numRuns: 150 },
  );
});

const oneStateOf = (given: World, vmid: number): VmState => {
  const found = given.observation.vms.filter((one) => one.vmid === vmid);
  assert.equal(found.length, 1, "a step stands on one state");
  return found[0] as VmState;
};

const entryFor = (given: World, vmid: number): DesiredEntry => {
  const found = given.entries.find((one) => one.vmid === vmid);
  assert.ok(found !== undefined, "a step stands on an entry");
  return found;
};

const assertGrounded = (given: World, step: PlanStep): void => {
  const seen = oneStateOf(given, step.vmid);
  const entry = entryFor(given, step.vmid);
  assert.equal(given.observation.environment, given.environment);
  assert.notEqual(seen.status, "unknown");
  assert.equal(seen.name, entry.name);
  assert.equal(step.name, entry.name);
  if (entry.identity !== undefined) assert.equal(seen.identity, entry.identity);
  assert.ok(!seen.blockers?.some(({ actions }) => actions === "all" || actions.includes(step.action.kind)));
  const { node: _, ...placeless } = seen;
  assert.equal(step.basis, digestOf(unsaid(unsourced(placeless))));
  const signs =
    [entry.name, seen.name].some((one) => /^prod-/i.test(one)) || seen.tags?.some((tag) => /^prod$/i.test(tag));
  assert.equal(step.protected, signs === true || entry.protected === true);
};

test("no step stands on a VM that is unknown, missing, listed twice, misnamed, foreign or blocked", () => {
  let steps = 0;
  fc.assert(
    fc.property(world, (given) => {
      for (const answer of judge(given).plan.answers) {
        if (answer.kind !== "step") continue;
        steps += 1;
        assertGrounded(given, answer);
      }
    }),
    { numRuns: 250 },
  );
  assert.ok(steps > 0, "the worlds have steps in them");
});

test("every refusal stands under the rule and the stage of its catalogue row", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { plan: made, verdict } = judge(given);
      const whole: readonly Refusal[] = verdict.kind === "refused" ? verdict.refusals : [];
      for (const refusal of [...made.answers, ...whole]) {
        if (refusal.kind !== "refusal") continue;
        const row = refusalRow(refusal.code);
        assert.equal(refusal.rule, row.rule);
        assert.equal(refusal.stage, row.stage);
        const { because, next } = inWords(refusal);
        assert.ok(because.length > 0 && next.length > 0);
        assert.equal(refusal.stage, whole.includes(refusal) ? "safety" : "plan");
      }
    }),
    { numRuns: 200 },
  );
});

test("a plan says which observation and which scope it was made from", () => {
  const vmids = [vmidOf(103), vmidOf(101), vmidOf(103)];
  const observed = observe(observationOf([], { complete: false, gaps: [{ code: "stated", said: "node pve2" }] }));
  const made = plan(desiredFor([]), observed, vmids, groundOf());
  assert.deepEqual(made.observation, { complete: false, gaps: [{ code: "stated", said: "node pve2" }] });
  assert.deepEqual(made.scope, [101, 103]);
  assert.equal(made.standsOn.observation, observed.digest);
});

test("a VM that is not desired leaves no answer", () => {
  assert.deepEqual(judge({ observation: observationOf([state()]), entries: [] }).plan.answers, []);
  assert.deepEqual(meeting(wantRunning(), state()), []);
});

test("what a rollback does to the guest follows from the snapshot and from what runs", () => {
  const ROLLBACK = { kind: "vm.snapshot.rollback", snapshot: "before" } as const;
  const planned = (status: "running" | "stopped", withRam: readonly string[]) => {
    const seen = state({ snapshots: { names: ["before", "other"], withRam }, status });
    const [answer] = judge({ observation: observationOf([seen]), entries: [request(ROLLBACK)] }).plan.answers;
    assert.ok(answer?.kind === "step", JSON.stringify(answer));
    return [answer.power, answer.facts["snapshotRam"], answer.facts["statusAfter"]];
  };
  assert.deepEqual(planned("stopped", ["before"]), ["starts", "included", "running"]);
  assert.deepEqual(planned("running", ["before"]), ["interrupts", "included", "running"]);
  assert.deepEqual(planned("running", ["other"]), ["stops", "excluded", "stopped"]);
  assert.deepEqual(planned("stopped", ["other"]), ["none", "excluded", "stopped"]);
});

test("a rollback needs an approval whether or not it stops anything", () => {
  for (const withRam of [["before"], []]) {
    const seen = state({ snapshots: { names: ["before"], withRam }, status: "stopped" });
    const entries = [request({ kind: "vm.snapshot.rollback", snapshot: "before" })];
    const { verdict } = judge({ observation: observationOf([seen]), entries });
    assert.ok(verdict.kind === "needs-approval");
    assert.deepEqual(
      verdict.tiers.map(({ tier }) => tier),
      ["high"],
    );
  }
});

test("a snapshot is created under a free name, and deleted or rolled back to under one that is there", () => {
  const has = { snapshots: { names: ["before"], withRam: [] } } as const;
  const asked = (kind: SnapshotActionKind, snapshot: string) => meeting(request({ kind, snapshot }), state(has));
  assert.deepEqual(asked("vm.snapshot.create", "after"), []);
  assert.equal(asked("vm.snapshot.create", "before")[0]?.cause, "snapshot-present");
  for (const kind of ["vm.snapshot.delete", "vm.snapshot.rollback"] as const) {
    assert.deepEqual(asked(kind, "before"), []);
    const [refusal] = asked(kind, "after");
    assert.deepEqual([refusal?.cause, refusal?.facts["snapshot"]], ["snapshot-absent", "after"]);
    const [slip] = asked(kind, "befroe");
    const facts = { action: kind, meant: "before", name: NAME, snapshot: "befroe" };
    assert.deepEqual([slip?.cause, slip?.facts], ["snapshot-absent-meant", facts]);
  }
});

test("a VM that is not desired has its answer in its place among the others", () => {
  const vmids = [104, 101, 103, 102].map(vmidOf);
  const entries = [102, 104].map((vmid) => wantRunning({ vmid: vmidOf(vmid) }));
  const { plan: made } = judge({ observation: observationOf([]), scope: vmids, entries });
  assert.deepEqual(
    made.answers.map((answer) => [answer.vmid, answer.kind === "refusal" ? answer.code : answer.kind]),
    [
      [101, "vm-not-desired"],
      [102, "vm-missing"],
      [103, "vm-not-desired"],
      [104, "vm-missing"],
    ],
  );
});
