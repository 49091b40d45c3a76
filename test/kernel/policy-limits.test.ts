// Limits of a policy in the kernel's state: what is counted, what survives a saved state, a replay and a clock that was
// set back, that several processes share one count, and that no policy lets pass what the rules alone refuse.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startRequest } from "../../src/kernel/command/program.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { shownBefore, stepRef } from "../../src/kernel/decide/step-ref.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { entriesIn, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { State } from "../../src/kernel/state/state.ts";
import { STATE_CODEC } from "../../src/kernel/state/state-json.ts";
import { NO_TIMES, timesIn } from "../../src/kernel/state/times.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import { PER_HOUR_MAX, type Policy, type PolicyLine, WEEKDAYS } from "../../src/spine/plan/policy.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { desiredFor, vmidOf, wantRunning } from "../spine/world.ts";
import { again } from "./day.ts";
import { lineTexts, type Process, stage } from "./stage.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  codesOf,
  configOf,
  DAN,
  ENDS,
  lastId,
  planned,
  ROBO,
  type Story,
  story,
} from "./story.ts";

const HOUR = 3_600_000;
const under = (...tighten: readonly PolicyLine[]): Policy => ({ tighten, version: 1 });
const ONCE = under({ perHour: 1 });

const once = (told: Story, by: Actor = ALICE): Result => {
  const { of } = planned(told, { by });
  const result = apply(told, of, by, { door: by === ALICE ? "local" : "service" });
  if (result.kind === "intended") {
    told.ask({ ...ENDS.succeeded, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR });
  }
  return result;
};
const timesOf = (told: Story): readonly string[] =>
  timesIn(get(told.state().claims, "home/vm.start/alice")?.at ?? NO_TIMES);
const claimsOf = (state: State): unknown => (STATE_CODEC.toJson(state) as { readonly claims: unknown }).claims;

test("every granted apply is remembered for an hour, with who asked and who applied, and no refused one is", () => {
  const told = story("single-operator");
  once(told);
  told.pass(1_000);
  once(told, DAN);
  const { of } = planned(told, { by: DAN });
  told.ask({ kind: "apply", of }, { by: DAN, door: "service" });
  assert.deepEqual(claimsOf(told.state()), [
    [
      "home/vm.start/alice",
      {
        action: "vm.start",
        at: ["2026-11-15T10:00:00.000Z"],
        environment: "home",
        hands: [{ id: "alice", kind: "person" }],
      },
    ],
    [
      "home/vm.start/dan",
      {
        action: "vm.start",
        at: ["2026-11-15T10:00:01.000Z"],
        environment: "home",
        hands: [{ id: "dan", kind: "person" }],
      },
    ],
  ]);
  assert.equal(apply(told, of, ALICE).kind, "intended");
  const hands = (claimsOf(told.state()) as readonly [string, { readonly hands: unknown }][]).map(([key]) => key);
  assert.deepEqual(hands, ["home/vm.start/alice", "home/vm.start/dan", "home/vm.start/dan/alice"]);
});

test("what is older than an hour is forgotten with the next apply, and not a moment before", () => {
  const told = story("single-operator");
  once(told, DAN);
  told.pass(HOUR - 1);
  once(told);
  assert.equal(told.state().claims.size, 2);
  told.pass(1);
  once(told);
  assert.equal(told.state().claims.size, 1);
  assert.deepEqual(timesOf(told), ["2026-11-15T10:59:59.999Z", "2026-11-15T11:00:00.000Z"]);
});

test("no more of them are remembered than a policy may count", () => {
  const told = story("single-operator");
  for (let no = 0; no < PER_HOUR_MAX + 2; no += 1) {
    once(told);
    told.pass(10);
  }
  const at = timesOf(told);
  assert.deepEqual([at.length, at[0]], [PER_HOUR_MAX, "2026-11-15T10:00:00.020Z"]);
});

test("the count survives a saved state, and every decision on it replays equal", async () => {
  const told = story("single-operator", true, ONCE);
  assert.equal(once(told).kind, "intended");
  const saved = STATE_CODEC.fromJson(JSON.parse(JSON.stringify(STATE_CODEC.toJson(told.state()))));
  assert.deepEqual(claimsOf(saved), claimsOf(told.state()));
  told.pass(HOUR / 2);
  const { of } = planned(told);
  assert.deepEqual(codesOf(apply(told, of)), ["policy-rate"]);
  told.pass(HOUR / 2 - 1);
  assert.deepEqual(codesOf(apply(told, planned(told).of)), ["policy-rate"]);
  told.pass(1);
  assert.equal(apply(told, planned(told).of).kind, "intended");
  assert.equal((await again(told)).kind, "equal");
});

test("applies of other environments are not counted", () => {
  const told = story("single-operator", true, ONCE);
  const { of } = planned(told, { environment: "away" });
  const away = { environment: "away" } as const;
  const challenge = told.ask({ kind: "challenge", of }, away);
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
  assert.equal(told.ask({ confirmation, kind: "apply", of: shownBefore(of) }, away).kind, "intended");
  assert.equal(once(told).kind, "intended");
  told.pass(1);
  assert.deepEqual(codesOf(once(told)), ["policy-rate"]);
});

test("a policy that is written later counts what was before it", () => {
  const told = story("single-operator");
  assert.equal(once(told).kind, "intended");
  told.pass(1);
  const config = configOf("single-operator", true, ONCE);
  told.ask(startRequest(config, "1"), { by: KERNEL_ACTOR, config });
  assert.deepEqual(codesOf(apply(told, planned(told, { config }).of, ALICE, { config })), ["policy-rate"]);
});

test("a clock that is set back gives nobody another apply, and keeps nobody waiting for longer than an hour", () => {
  const told = story("single-operator", true, ONCE);
  told.pass(24 * HOUR);
  assert.equal(once(told).kind, "intended");
  told.pass(-24 * HOUR + 60_000);
  const size = told.state().size;
  assert.deepEqual(codesOf(told.ask({ kind: "accept-clock", reason: "it was ahead", size })), []);
  assert.deepEqual(timesOf(told), ["2026-11-15T10:01:00.000Z"]);
  told.pass(HOUR - 1);
  assert.deepEqual(codesOf(apply(told, planned(told).of)), ["policy-rate"]);
  told.pass(1);
  assert.equal(apply(told, planned(told).of).kind, "intended");
});

test("a clock that stands behind the ledger decides by the ledger's time", () => {
  const told = story("single-operator", true, under({ only: { hours: ["10:00-10:30"] } }));
  const { of } = planned(told);
  told.pass(HOUR / 2);
  told.ask({ kind: "annotate", text: "later" });
  told.pass(-HOUR / 4);
  assert.deepEqual(codesOf(apply(told, of)), ["policy-window"]);
});

const VMIDS = [101, 102, 103, 104];
/** One plan with a step for each VM, made by the first process. */
const planAll = async ({ ask, engine, ground, writer }: Process) => {
  const desired = desiredFor(VMIDS.map((vmid) => wantRunning({ name: `web-${vmid}`, vmid: vmidOf(vmid) })));
  await ask(registrationOf(desired, get(writer.state().desired, "home")), { given: { desired } });
  const seen = await ground.source.observe(
    VMIDS.map((vmid) => ({ vmid: vmidOf(vmid) })),
    new AbortController().signal,
  );
  const { digest, observation } = observe(seen);
  const { complete, gaps, observedAt, vms } = observation;
  const look = { complete, gaps: gaps.length, kind: "observe", observation: digest, vms: vms.length } as const;
  const times = { ...(observedAt === undefined ? {} : { observedAt }), providerTime: ground.desk.now() };
  await ask({ ...look, ...times }, { given: { observation } });
  const id = JSON.parse((await lineTexts(engine)).at(-1) ?? "").auditId as Ulid;
  const identities = get(writer.state().identities, "home") ?? assert.fail("they are remembered");
  const bytes = (await engine.blob(identities)) ?? assert.fail("as a blob");
  const given = { desired, identities: JSON.parse(new TextDecoder().decode(bytes)).identities, observation };
  const result = await ask({ kind: "plan", observation: id, scope: "all" }, { given });
  assert.ok(result.kind === "planned", JSON.stringify(result));
  const text = new TextDecoder().decode((await engine.blob(result.plan)) ?? assert.fail("a plan is a blob"));
  const plan = JSON.parse((await lineTexts(engine)).at(-1) ?? "").auditId as Ulid;
  return VMIDS.map((vmid, no) => ({
    of: stepRef(plan, JSON.parse(text).plan, no) ?? assert.fail("it has a step"),
    registered: entriesIn(desired)(vmidOf(vmid)),
  }));
};

for (const allowed of [1, 2, 3]) {
  test(`of four processes that apply at once, ${allowed} may where the policy allows ${allowed} an hour`, async (t) => {
    const guests = VMIDS.map((vmid) => ({ name: `web-${vmid}`, status: "stopped" as const, vmid }));
    const { process } = await stage(t, { guests, policy: under({ perHour: allowed }) });
    const processes = [await process(), await process(), await process(), await process()];
    const steps = await planAll(processes[0] ?? assert.fail());
    const ready = [];
    for (const [no, one] of processes.entries()) {
      const step = steps[no] ?? assert.fail();
      const challenge = await one.ask({ kind: "challenge", ...step });
      assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
      const id = JSON.parse((await lineTexts(one.engine)).at(-1) ?? "").auditId as Ulid;
      ready.push({ confirmation: { challenge: id, explanation: challenge.explanation }, one, step });
    }
    const results = await Promise.all(
      ready.map(({ confirmation, one, step }) => one.ask({ confirmation, kind: "apply", ...step })),
    );
    assert.equal(results.filter(({ kind }) => kind === "intended").length, allowed);
    for (const result of results) if (result.kind !== "intended") assert.deepEqual(codesOf(result), ["policy-rate"]);
  });
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const line: fc.Arbitrary<PolicyLine> = fc.record(
  {
    for: fc.constantFrom("agent", "person", "robo", "alice", "dan"),
    only: fc.record({
      days: fc.subarray([...WEEKDAYS], { minLength: 4 }),
      hours: fc
        .uniqueArray(fc.integer({ max: 1_440, min: 0 }), { maxLength: 2, minLength: 2 })
        .map((two) => two.sort((a, b) => a - b))
        .map(([from = 0, until = 0]) => [`${clock(from)}-${clock(until)}`]),
    }),
    perHour: fc.integer({ max: 3, min: 1 }),
  },
  { requiredKeys: [] },
);
const raising: fc.Arbitrary<PolicyLine> = fc.record(
  {
    action: fc.constant("vm.start" as const),
    for: fc.constantFrom("agent", "person", "robo"),
    to: fc.constantFrom("high" as const, "irreversible" as const, "refused" as const),
  },
  { requiredKeys: ["action", "to"] },
);

/** What is granted of a day of asking, approving and applying: the same acts at the same times, whatever is refused. */
const grants = (policy: Policy | undefined, hands: readonly Actor[], ms: readonly number[]): readonly boolean[] => {
  const told = story("single-operator", true, policy);
  return hands.flatMap((by, no) => {
    told.pass(ms[no] ?? 0);
    const door = by === ALICE ? "local" : "service";
    let of: ReturnType<typeof planned>["of"];
    try {
      ({ of } = planned(told, { by, door }));
    } catch {
      return [false, false, false];
    }
    const isApproved = approve(told, of, BOB).kind === "approved";
    const result = by === ROBO ? told.ask({ kind: "apply", of }, { by, door }) : apply(told, of, by, { door });
    if (result.kind === "intended") {
      told.ask({ ...ENDS.succeeded, intent: lastId(told), kind: "outcome" }, { by: KERNEL_ACTOR });
    }
    return [true, isApproved, result.kind === "intended"];
  });
};

test("a policy never loosens: whatever is granted under one is granted without it", () => {
  const count = { granted: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(line, raising), { maxLength: 3, minLength: 1 }),
      fc.array(fc.constantFrom(ALICE, DAN, ROBO), { maxLength: 5, minLength: 1 }),
      fc.array(fc.integer({ max: 5 * HOUR, min: 0 }), { maxLength: 5, minLength: 5 }),
      (tighten, hands, ms) => {
        const [free, bound] = [grants(undefined, hands, ms), grants(under(...tighten), hands, ms)];
        for (const [no, isGranted] of bound.entries()) {
          assert.ok(!isGranted || free[no]);
          count[isGranted ? "granted" : "refused"] += 1;
        }
      },
    ),
    { numRuns: 150 },
  );
  assert.ok(count.granted > 50 && count.refused > 50, JSON.stringify(count));
});
