// How a step stands, from its plan to its end; and whose intents have lost their performer.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { asSaid } from "../../src/kernel/decide/grounds.ts";
import {
  type PlanStatus,
  planStatusOf,
  type StepProgress,
  stepProgressOf,
  type Terms,
} from "../../src/kernel/decide/plan-status.ts";
import { stepRef } from "../../src/kernel/decide/step-ref.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { openIntents, orphans } from "../../src/kernel/state/recovery.ts";
import type { OwnerGone } from "../../src/ledger/engine.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { ActionKind, Instant } from "../../src/spine/model.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { ACTIONS, rowOf } from "../../src/spine/rules/actions.ts";
import { msOf } from "../../src/spine/values/instant.ts";
import { actionOf } from "../spine/one-of-each.ts";
import { coded, vmidOf, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  DAN,
  ENDS,
  lastId,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "./story.ts";

const STOP: Setting = { vms: [vmState()], entries: [wantStopped("power-off")] };
type Mode = Pick<Terms, "approval" | "policy">;
const ALONE: Mode = { approval: "single-operator" };

/** Under the configuration and the entry that the plan was made on; only mode and policy are the test's to say. */
const progressOf = (told: Story, of: StepRef, mode: Mode = ALONE, applier = ALICE): StepProgress => {
  const plan = recall(told.state().plans, of.plan) ?? assert.fail("the plan is known");
  const terms = { ...mode, entryOf: () => of.step.entry, section: plan.section };
  return stepProgressOf(told.state(), plan, of.index, of.step, told.now(), terms, applier);
};
const statusAfter = (prepare: (told: Story, of: StepRef) => void, setting: Setting = {}): string => {
  const told = story();
  const { of } = planned(told, setting);
  prepare(told, of);
  return progressOf(told, of).status;
};
const outcome = (told: Story, end: "failed" | "succeeded" | "unknown"): void => {
  const intent = lastId(told);
  told.ask({ ...ENDS[end], intent, kind: "outcome" }, { by: KERNEL_ACTOR });
};

test("a step waits for its approval, then for its confirmation, is applied, and ends as its outcome says", () => {
  assert.equal(
    statusAfter(() => undefined),
    "awaiting-confirmation",
  );
  assert.equal(
    statusAfter(() => undefined, STOP),
    "awaiting-approval",
  );
  assert.equal(
    statusAfter((told, of) => void approve(told, of, BOB), STOP),
    "awaiting-confirmation",
  );
  assert.equal(
    statusAfter((told, of) => void apply(told, of)),
    "applying",
  );
  for (const [end, status] of [
    ["succeeded", "applied"],
    ["failed", "failed"],
    ["unknown", "unknown"],
  ] as const) {
    assert.equal(
      statusAfter((told, of) => {
        apply(told, of);
        outcome(told, end);
      }),
      status,
    );
  }
});

test("a step is over when it is denied, canceled, superseded, expired, or planned under another policy", () => {
  const deny = (told: Story, of: StepRef): void =>
    void told.ask({ kind: "deny", of, reason: "not today" }, { by: CAROL });
  assert.equal(statusAfter(deny), "denied");
  assert.equal(
    statusAfter((told, of) => void told.ask({ kind: "cancel", plan: of.plan, reason: "not needed" })),
    "canceled",
  );
  assert.equal(
    statusAfter((told) => told.pass(60 * 60_000 - 1)),
    "awaiting-confirmation",
  );
  assert.equal(
    statusAfter((told) => told.pass(60 * 60_000)),
    "expired",
  );
  const told = story();
  const { of } = planned(told);
  const policy = { tighten: [{ action: "vm.start", to: "high" }], version: 1 } as const;
  assert.equal(progressOf(told, of, { ...ALONE, policy }).status, "policy-changed");
});

test("a step of a plan that was refused is refused, and one that no live observation carries stays planned", () => {
  const prod: Setting = {
    vms: [vmState({ name: "prod-db" })],
    entries: [wantStopped("power-off", { name: "prod-db" })],
  };
  assert.equal(
    statusAfter(() => undefined, prod),
    "refused",
  );
  const dry = story("single-operator", false);
  assert.equal(progressOf(dry, planned(dry).of).status, "planned");
});

test("a denial is of one step, and the others of its plan go on", () => {
  const told = story();
  const vms = [101, 102].map((vmid) => ({ name: `web-${vmid}`, vmid: vmidOf(vmid) }));
  const { id, result } = planned(told, {
    vms: vms.map((vm) => vmState({ ...vm, status: "stopped" })),
    entries: vms.map((vm) => wantRunning(vm)),
  });
  const plan = planIn(told, result);
  const [first, second] = [0, 1].map((at) => stepRef(id, plan, at) ?? assert.fail("a step"));
  assert.ok(first !== undefined && second !== undefined);
  told.ask({ kind: "deny", of: first, reason: "not today" }, { by: CAROL });
  assert.deepEqual(
    [progressOf(told, first).status, progressOf(told, second).status],
    ["denied", "awaiting-confirmation"],
  );
  assert.deepEqual(coded("step-denied", refusalsOf(apply(told, second))), []);
  assert.deepEqual(codesOf(apply(told, first)), ["step-denied"]);
});

/** How a step that an agent asked for stands, beside what its apply comes to. */
const agents = (prepare: (told: Story, of: StepRef) => void, policy?: Policy): readonly [string, readonly string[]] => {
  const told = story("single-operator", true, policy);
  const { of } = planned(told, { by: ROBO });
  prepare(told, of);
  const mode = policy === undefined ? ALONE : { ...ALONE, policy };
  return [progressOf(told, of, mode).status, codesOf(told.ask({ kind: "apply", of }, { by: ROBO }))];
};
test("what an agent asked for waits for approval and is approved: an agent confirms nothing", () => {
  assert.deepEqual(
    agents(() => undefined),
    ["awaiting-approval", ["approval-missing"]],
  );
  assert.deepEqual(
    agents((told, of) => void approve(told, of, BOB)),
    ["approved", []],
  );
});
test("what cannot be undone is refused where an agent asked for it, whoever approves", () => {
  const policy = { tighten: [{ action: "vm.start", to: "irreversible" }], version: 1 } as const;
  assert.deepEqual(
    agents((told, of) => void approve(told, of, BOB), policy),
    ["refused", ["agent-irreversible"]],
  );
});

test("what the policy refuses whoever reads it is refused for them, and for others it is as it was", () => {
  const policy = { tighten: [{ action: "vm.start", for: "dan", to: "refused" }], version: 1 } as const;
  const told = story("single-operator", true, policy);
  const { of } = planned(told, { by: CAROL });
  const statusFor = (reader: typeof DAN) => progressOf(told, of, { ...ALONE, policy }, reader).status;
  assert.deepEqual([statusFor(CAROL), statusFor(DAN)], ["awaiting-confirmation", "refused"]);
});
test("whom the policy refuses a step is told that it awaits approval, which may be theirs", () => {
  const policy = { tighten: [{ action: "vm.stop", for: "bob", to: "refused" }], version: 1 } as const;
  const told = story("single-operator", true, policy);
  const { of } = planned(told, { ...STOP, by: CAROL });
  const statusFor = (reader: typeof BOB) => progressOf(told, of, { ...ALONE, policy }, reader).status;
  assert.deepEqual([statusFor(CAROL), statusFor(BOB)], ["awaiting-approval", "awaiting-approval"]);
  assert.deepEqual(codesOf(approve(told, of, BOB)), []);
  assert.deepEqual([statusFor(CAROL), statusFor(BOB)], ["awaiting-confirmation", "refused"]);
});

/** The outcome of a start is unknown, and the VM is planned for again; or the VM of another environment is. */
const afterUnknown = (environment: "away" | "home"): readonly [string, readonly string[]] => {
  const told = story();
  apply(told, planned(told).of);
  outcome(told, "unknown");
  const { of } = planned(told, { environment });
  const challenge = told.ask({ kind: "challenge", of }, { environment });
  assert.ok(challenge.kind === "challenged");
  const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
  const { status } = progressOf(told, of);
  return [status, codesOf(told.ask({ confirmation, kind: "apply", of }, { environment }))];
};
test("a step of a VM whose last outcome is unknown is blocked, and one of another VM is not", () => {
  assert.deepEqual(afterUnknown("home"), ["blocked", ["vm-blocked"]]);
  assert.deepEqual(afterUnknown("away"), ["awaiting-confirmation", []]);
});

test("what is needed depends on who would apply it, and where", () => {
  const told = story("four-eyes");
  const { of } = planned(told, STOP);
  const needed = (mode: Mode, applier = ALICE): number => progressOf(told, of, mode, applier).needed;
  assert.equal(needed({ approval: "four-eyes" }), 1);
  assert.equal(needed(ALONE), 1);
  assert.equal(needed(ALONE, ROBO), 2);
  assert.deepEqual(progressOf(told, of).approvedBy, []);
  assert.equal(progressOf(told, of).tier, "high");
});

const applied = (told: Story): Ulid => {
  apply(told, planned(told).of);
  return lastId(told);
};

test("an open intent is an orphan past its settle time, or when its owner is proven to have ended, and not before", () => {
  const told = story();
  const intent = applied(told);
  const { instance, other } = told;
  const found = (by: Ulid, goneOf: (owner: Ulid) => OwnerGone | undefined): readonly unknown[] =>
    orphans(told.state(), told.now(), by, goneOf).map(({ request }) => [request.intent, request.ground]);
  const nobody = (): undefined => undefined;
  assert.deepEqual(found(other, nobody), []);
  assert.deepEqual(
    found(other, (owner) => (owner === instance ? "owner-ended" : undefined)),
    [[intent, "owner-ended"]],
  );
  assert.deepEqual(
    found(instance, () => "owner-ended"),
    [],
    "a process is no orphan of its own",
  );
  const unlocked = (): OwnerGone => "owner-unlocked";
  told.pass(30_000);
  assert.deepEqual(found(other, unlocked), [], "its call may leave until then");
  told.pass(1);
  assert.deepEqual(found(other, unlocked), [[intent, "owner-unlocked"]]);
  assert.deepEqual(found(instance, unlocked), [], "what a process performs itself it knows");
  told.pass(10 * 60_000 - 30_001);
  assert.deepEqual(found(other, nobody), [], "the settle time itself is not past");
  told.pass(1);
  assert.deepEqual(found(other, nobody), [[intent, "past-settle-by"]]);
  assert.deepEqual(found(instance, nobody), [[intent, "past-settle-by"]]);
  outcome(told, "failed");
  assert.deepEqual(openIntents(told.state()), []);
});

test("open intents are listed in the order in which they were made", () => {
  const told = story();
  const vms = [105, 103, 101, 104, 102].map((vmid) => ({ name: `web-${vmid}`, vmid: vmidOf(vmid) }));
  const { id, result } = planned(told, {
    vms: vms.map((vm) => vmState({ ...vm, status: "stopped" })),
    entries: vms.map((vm) => wantRunning(vm)),
  });
  const plan = planIn(told, result);
  const made = [3, 0, 4, 1, 2].map((at) => {
    apply(told, stepRef(id, plan, at) ?? assert.fail("a step"));
    return lastId(told);
  });
  assert.deepEqual(
    openIntents(told.state()).map((intent) => intent.id),
    made,
  );
});

test("what a provider said becomes what a record takes: printable, not empty, not too long", () => {
  assert.equal(asSaid("  all\u0007 is\nwell  "), "all  is well");
  assert.equal(asSaid("\u0000 \u2028"), undefined);
  assert.equal(asSaid("x".repeat(1_000)), "x".repeat(1_000));
  assert.equal(asSaid("x".repeat(1_001)), `${"x".repeat(999)}…`);
});

test("a call leaves within half a minute, and is waited for as long as its action may take", () => {
  const LONG = [
    "vm.clone",
    "vm.delete",
    "vm.migrate",
    "vm.snapshot.create",
    "vm.snapshot.delete",
    "vm.snapshot.rollback",
  ];
  for (const kind of Object.keys(ACTIONS) as ActionKind[]) {
    const told = story();
    const { before } = rowOf(kind);
    const seen = vmState({
      cpus: 2,
      ...(before.paused === true ? { paused: true } : {}),
      snapshots: { names: kind === "vm.snapshot.create" ? [] : ["before"], withRam: [] },
      ...(before.status === "stopped" ? { status: "stopped" } : {}),
    });
    const { of } = planned(told, { action: actionOf(kind), vms: [seen] });
    approve(told, of, BOB);
    const result = apply(told, of, ALICE, { name: of.step.name });
    assert.ok(result.kind === "intended", `${kind}: ${JSON.stringify(result)}`);
    const after = (until: Instant): number => (msOf(until) - msOf(told.now())) / 1_000;
    assert.deepEqual([after(result.sendBy), after(result.settleBy)], [30, LONG.includes(kind) ? 3_600 : 600], kind);
  }
});

test("a plan is called by what its steps need most, and by its verdict or its end before that", () => {
  type Steps = readonly StepProgress["status"][];
  const called = (steps: Steps, plan: Partial<Parameters<typeof planStatusOf>[0]> = {}, needed = 0): PlanStatus =>
    planStatusOf(
      { verdict: "clear", ...plan },
      steps.map((status) => ({ needed, status })),
    );
  assert.equal(called([]), "nothing-to-do");
  assert.equal(called([], { verdict: "refused" }), "refused");
  assert.equal(called(["refused", "refused"], { verdict: "refused" }), "refused");
  assert.equal(called(["awaiting-confirmation"]), "planned");
  assert.equal(called(["awaiting-confirmation"], {}, 1), "approved");
  assert.equal(called(["awaiting-confirmation", "awaiting-approval"]), "awaiting-approval");
  assert.equal(called(["applied", "awaiting-confirmation"]), "planned");
  assert.equal(called(["applied", "applied"]), "applied");
  assert.equal(called(["applied", "failed"]), "failed");
  assert.equal(called(["failed", "unknown"]), "unknown");
  assert.equal(called(["unknown", "applying"]), "applying");
  assert.equal(called(["denied", "expired"]), "denied");
  assert.equal(called(["applied", "superseded"], { closed: "superseded" }), "superseded");
  assert.equal(called(["applied", "applied"], { closed: "superseded" }), "applied");
  assert.equal(called(["applied", "desired-changed"]), "desired-changed");
});
