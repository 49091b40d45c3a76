// What another policy would have decided: nothing else under the policy that was in force, and exactly the stricter
// decisions under another; what would have been refused is counted towards no rate.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { type JudgedOtherwise, judgeOtherwise, STEPS_TOLD_MAX } from "../../src/kernel/judge-otherwise.ts";
import type { Actor, LedgerRecord } from "../../src/ledger/record/record.ts";
import type { Sha256 } from "../../src/spine/model.ts";
import { NO_POLICY, type Policy, type PolicyLine } from "../../src/spine/plan/policy.ts";
import { canonical } from "../../src/spine/values/canonical.ts";
import { blobsOf, HISTORIES, recordsOf } from "../history-files.ts";
import { state as vmState, wantStopped } from "../spine/world.ts";
import { day } from "./day.ts";
import { ALICE, apply, approve, codesOf, DAN, ENDS, lastId, planned, ROBO, type Story, story } from "./story.ts";

const under = (...tighten: readonly PolicyLine[]): Policy => ({ tighten, version: 1 });

const judged = (told: Story, policy: Policy, isShown = (_: string): boolean => true): Promise<JudgedOtherwise> =>
  judgeOtherwise([told.records], async (digest) => told.blobs.get(digest) ?? assert.fail(digest), policy, isShown);

/** Where, what was decided and what would have been, without the rest. */
const short = ({ steps }: JudgedOtherwise) =>
  steps.map(({ decided, judgedWhen, requester, seq, would }) => [
    judgedWhen,
    seq,
    requester,
    decided.tier,
    "refusals" in would ? would.refusals.map(({ code }) => code).join() : would.tier,
  ]);

/** Plans a start and applies it; the seq of both records. */
const once = (told: Story, by: Actor = ALICE): { readonly applied: number; readonly plan: number } => {
  const { of } = planned(told, { by });
  const plan = told.records.length - 1;
  if (by === ROBO) approve(told, of, ALICE);
  const result =
    by === ROBO
      ? told.ask({ kind: "apply", of }, { by, door: "service" })
      : apply(told, of, by, { door: by === ALICE ? "local" : "service" });
  assert.deepEqual(codesOf(result), []);
  const applied = told.records.length - 1;
  told.ask({ ...ENDS.succeeded, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR });
  return { applied, plan };
};

/** By the hash of a configuration and an environment: the policy that was in force. */
const policiesIn = (records: readonly LedgerRecord[]): ReadonlyMap<string, Policy> =>
  new Map(
    records.flatMap(({ body, configHash }) => {
      const { config } = Object(body["request"]) as { readonly config?: RecordedConfig };
      return Object.entries(config?.environments ?? {}).map(
        ([name, { policy = NO_POLICY }]) => [`${configHash}/${name}`, policy] as const,
      );
    }),
  );

for (const version of HISTORIES)
  test(`each record of the history under rules ${version} comes out as it was under the policy in force`, async () => {
    const [blob, records] = [blobsOf(version), recordsOf(version)];
    const inForce = policiesIn(records);
    const policies = new Map(Array.from(inForce.values(), (policy) => [canonical(policy), policy]));
    assert.ok(policies.size > 1, "the history has a policy in it");
    for (const [text, policy] of policies) {
      const read = async (digest: Sha256): Promise<string> => (await blob(digest)) ?? assert.fail(digest);
      const { applies, plans, steps } = await judgeOtherwise([records], read, policy, () => true);
      assert.ok(plans > 0 && applies > 0);
      const otherwise = steps.filter(({ environment, seq }) => {
        const held = inForce.get(`${records[seq]?.configHash}/${environment}`) ?? assert.fail("it was configured");
        return canonical(held) === text;
      });
      assert.deepEqual(otherwise, []);
    }
  });

const ACTIONS = ["vm.start", "vm.stop"] as const;
const line: fc.Arbitrary<PolicyLine> = fc.record(
  {
    action: fc.constantFrom(...ACTIONS),
    for: fc.constantFrom("agent", "dan", "person"),
    perHour: fc.integer({ max: 3, min: 1 }),
    to: fc.constantFrom("medium", "high", "irreversible"),
  },
  { requiredKeys: ["action"] },
);

test("under the policy in force nothing would have been decided otherwise, whatever it is", async () => {
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 3 }),
      fc.array(fc.constantFrom(ALICE, DAN, ROBO), { maxLength: 6, minLength: 1 }),
      async (tighten, actors) => {
        const policy = under(...tighten);
        const told = story("single-operator", true, policy);
        for (const by of actors) {
          told.pass(11 * 60_000);
          try {
            once(told, by);
            granted += 1;
          } catch (error) {
            // What its policy refuses is no plan and no apply.
            if (!(error instanceof assert.AssertionError)) throw error;
          }
        }
        const { asked, refused, steps } = await judged(told, policy);
        assert.deepEqual({ asked, refused, steps }, { asked: 0, refused: 0, steps: [] });
      },
    ),
    { numRuns: 30 },
  );
  assert.ok(granted > 10, "something was applied");
});

test("a stricter policy tells exactly the steps that it is about, with what they needed and would have needed", async () => {
  const told = day();
  const { asked, plans, refused, steps } = await judged(told, under({ action: "vm.stop", to: "irreversible" }));
  assert.deepEqual([asked, refused, steps.length], [1, 0, 1]);
  assert.equal(plans, told.records.filter(({ body, kind }) => kind === "plan" && resultOf(body) === "planned").length);
  const [{ decided, would, ...step } = assert.fail("it is told")] = steps;
  const at = told.records.find(({ seq }) => seq === step.seq) ?? assert.fail("it is a record");
  assert.deepEqual(step, {
    action: "vm.stop",
    environment: "home",
    judgedWhen: "planned",
    name: "web-01",
    plan: at.auditId,
    requester: "alice",
    seq: at.seq,
    step: 1,
    vmid: 101,
  });
  assert.ok(!("refusals" in would) && decided.needs !== "refused" && would.needs !== "refused");
  assert.deepEqual([decided.tier, would.tier, would.needs.typedName], ["high", "irreversible", true]);
  assert.equal((await judged(told, under({ action: "vm.stop", to: "medium" }))).steps.length, 0, "less is not told");
});
const resultOf = (body: object): unknown => (body as { readonly result: { readonly kind: string } }).result.kind;

test("what is refused for one kind of subject is told of theirs alone, and an apply of such a plan not again", async () => {
  const told = story("single-operator");
  once(told);
  told.pass(60_000);
  const robos = once(told, ROBO);
  const found = await judged(told, under({ action: "vm.start", for: "agent", to: "refused" }));
  assert.deepEqual(short(found), [["planned", robos.plan, "robo", "low", "policy-refuses"]]);
  assert.deepEqual([found.plans, found.applies, found.refused, found.asked], [2, 2, 1, 0]);
  const [{ would } = assert.fail("it is told")] = found.steps;
  assert.deepEqual("refusals" in would ? would.refusals[0].facts : {}, { action: "vm.start", whom: "agent" });
});

test("hours are judged at the time of each record", async () => {
  const told = story("single-operator"); // Sunday 10:00
  const first = once(told);
  told.pass(3 * 3_600_000);
  once(told);
  const found = await judged(told, under({ only: { hours: ["12:00-18:00"] } }));
  assert.deepEqual(short(found), [["planned", first.plan, "alice", "low", "policy-window"]]);
});

test("a plan that can wait for its hours is not told, and its apply before them is", async () => {
  const told = story("single-operator");
  const { applied } = once(told);
  const found = await judged(told, under({ only: { hours: ["10:30-18:00"] } }));
  assert.deepEqual(short(found), [["applied", applied, "alice", "low", "policy-window"]]);
});

test("applies that would have been refused are counted towards no later rate", async () => {
  const told = story("single-operator");
  const seqs = Array.from({ length: 5 }, () => {
    const made = once(told);
    told.pass(25 * 60_000);
    return made;
  });
  // At 10:00, 10:25, 10:50, 11:15 and 11:40, one an hour: those of 10:00 and 11:15 stand. Were all of them counted,
  // none but the first would.
  const found = await judged(told, under({ perHour: 1 }));
  assert.deepEqual(
    short(found).map(([when, seq]) => [when, seq]),
    [1, 2, 4].map((at) => ["applied", seqs[at]?.applied]),
  );
  assert.ok(found.steps.every(({ would }) => "refusals" in would && would.refusals[0].code === "policy-rate"));
});

test("whoever applies what somebody else asked for is judged too, once", async () => {
  const told = story("single-operator");
  const { of } = planned(told, { by: DAN });
  assert.equal(apply(told, of, ALICE).kind, "intended");
  const applied = told.records.length - 1;
  const found = await judged(told, under({ action: "vm.start", for: "alice", to: "high" }));
  assert.deepEqual(short(found), [["applied", applied, "dan", "low", "high"]]);
  const refusing = await judged(told, under({ action: "vm.start", for: "alice", to: "refused" }));
  assert.deepEqual(short(refusing), [["applied", applied, "dan", "low", "policy-refuses"]]);
  const both = await judged(told, under({ action: "vm.start", for: "person", to: "high" }));
  assert.deepEqual(
    both.steps.map(({ judgedWhen }) => judgedWhen),
    ["planned"],
  );
});

test("an agent's apply of what could not be undone by it would have been refused, and is not counted", async () => {
  const told = story("single-operator");
  const { applied, plan } = once(told, ROBO);
  told.pass(60_000);
  once(told);
  const found = await judged(told, under({ action: "vm.start", for: "agent", to: "irreversible" }, { perHour: 1 }));
  assert.deepEqual(short(found), [
    ["planned", plan, "robo", "low", "irreversible"],
    ["applied", applied, "robo", "low", "agent-irreversible"],
  ]);
});

test("a plan that was refused in its time is judged and not told", async () => {
  const refusing = under({ action: "vm.stop", to: "refused" });
  const told = story("single-operator", true, refusing);
  planned(told, { entries: [wantStopped("power-off")], vms: [vmState()] });
  const { plans, refused } = await judged(told, refusing);
  assert.deepEqual([plans, refused], [1, 0]);
});

test("what is not shown is not told and not counted; what is told is bounded, and all of it counted", async () => {
  const told = story("single-operator");
  const refusing = under({ action: "vm.start", to: "refused" });
  once(told);
  assert.deepEqual(await judged(told, refusing, () => false), {
    applies: 0,
    asked: 0,
    plans: 0,
    refused: 0,
    steps: [],
  });
  const plan = told.records.filter(({ kind }) => kind === "plan");
  const start = told.records[0] ?? assert.fail("it begins with a start");
  const many = [start, ...Array.from({ length: STEPS_TOLD_MAX + 5 }, () => plan[0] ?? start)];
  const found = await judged({ ...told, records: many }, refusing);
  assert.deepEqual([found.steps.length, found.refused], [STEPS_TOLD_MAX, STEPS_TOLD_MAX + 5]);
});
