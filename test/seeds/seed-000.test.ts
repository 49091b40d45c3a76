// Seed 000, "What This System Will Never Do": one test for each sentence that the spine keeps, cited above it.
//
// Not here: sentences about adapters, doors and files (their own tests), and about the source text (tidy.test.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../../src/spine/plan/explain.ts";
import { cannot } from "../cannot.ts";
import { digestOf } from "../spine/reference.ts";
import {
  judge,
  meeting,
  observationOf,
  planFileOf,
  refusalsIn,
  state,
  VMID,
  vmidOf,
  type World,
  wantRunning,
  wantStopped,
} from "../spine/world.ts";

const OTHER = vmidOf(102);
const stepsIn = (given: World) => judge(given).plan.answers.filter(({ kind }) => kind === "step");

// "test_cannot_stop_prod()        # → PolicyViolation"
// "if step.name.startswith("prod-") and step.action == "stop": raise PolicyViolation("never stop prod VM")"
cannot("N2", "stop prod", {
  neighbour: () => meeting(wantStopped("power-off", { name: "dev-db" }), state({ name: "dev-db" })),
  offence: () => meeting(wantStopped("power-off", { name: "prod-db" }), state({ name: "prod-db" })),
});

// "test_cannot_act_on_unknown()   # → empty plan"
cannot("N1", "act on unknown", {
  neighbour: () => meeting(wantRunning(), state({ status: "stopped" })),
  offence: () => meeting(wantRunning(), state({ status: "unknown" })),
});

// "test_cannot_discover_vms()     # → desired-list only", "No discovery (desired-list only)"
cannot("P7-A1", "discover VMs", {
  neighbour: () => refusalsIn({ observation: observationOf([state()]), scope: [VMID], entries: [wantRunning()] }),
  offence: () => refusalsIn({ observation: observationOf([state()]), scope: [VMID], entries: [] }),
});

// "test_replay_equivalence()      # → identical plan()", "replay.json ≡ live observation"
test("replay equivalence: an observation that went through current.json gives the identical plan, byte for byte", () => {
  const live: World = {
    observation: observationOf([state({ source: "live", status: "stopped" }), state({ source: "live", vmid: OTHER })]),
    entries: [wantRunning(), wantStopped("shutdown", { vmid: OTHER })],
  };
  const recorded = JSON.parse(JSON.stringify(live.observation).replaceAll('"live"', '"replay"'));
  const replayed = judge({ ...live, observation: recorded });
  assert.equal(JSON.stringify(replayed.plan), JSON.stringify(judge(live).plan));
  assert.equal(JSON.stringify(replayed.verdict), JSON.stringify(judge(live).verdict));
});

// "`missing` ≠ `stopped` (existence truth)"
test("missing is not stopped: a VM that is gone is refused, and one that is stopped is started", () => {
  const entries = [wantRunning()];
  const [gone] = judge({ observation: observationOf([]), entries }).plan.answers;
  assert.equal(gone?.kind === "refusal" && gone.code, "vm-missing");
  const [stopped] = judge({ observation: observationOf([state({ status: "stopped" })]), entries }).plan.answers;
  assert.equal(stopped?.kind === "step" && stopped.action.kind, "vm.start");
});

test("missing is not stopped: an entry that says stopped is not met by absence", () => {
  const entries = [wantStopped("shutdown")];
  assert.equal(judge({ observation: observationOf([]), entries }).plan.answers[0]?.kind, "refusal");
  assert.equal(
    judge({ observation: observationOf([state({ status: "stopped" })]), entries }).plan.answers[0]?.kind,
    "in-sync",
  );
});

// "`unknown` → empty plan (refusal to guess)", "plan → refuse "unknown" state"
test("an unknown VM leaves the plan without a step for it, and says so", () => {
  const given: World = {
    observation: observationOf([state({ status: "unknown" })]),
    entries: [wantStopped("power-off")],
  };
  assert.deepEqual(stepsIn(given), []);
  assert.deepEqual(
    refusalsIn(given).map(({ code }) => code),
    ["vm-unknown", "truth-incomplete"],
  );
});

// "safety → refuse partial observations"
cannot("N1", "clear a partial observation", {
  neighbour: () => refusalsIn({ observation: observationOf([state()]), entries: [wantRunning()] }),
  offence: () => refusalsIn({ observation: observationOf([state()], { complete: false }), entries: [wantRunning()] }),
});

// "Partial API response → `unknown` status"
cannot("N1", "fill in a size that a reply left out", {
  neighbour: () => meeting(wantRunning({ memory: 1024 }), state({ maxmem: 1024 })),
  offence: () => meeting(wantRunning({ memory: 1024 }), state()),
});

// "No Proxmox types in plan()/safety()": what a place forbids arrives in its own words and is passed on as they are.
test("a place's own words reach the operator unread", () => {
  const [refusal] = meeting(
    wantRunning(),
    state({ blockers: [{ actions: "all", code: "locked", facts: { lock: "snapshot-delete" } }], status: "stopped" }),
  );
  assert.deepEqual([refusal?.cause, refusal?.facts["lock"]], ["locked", "snapshot-delete"]);
});

// "No defaults (explicit failure)"
test("what an entry does not name is not compared: a size that nobody wrote is not desired", () => {
  assert.deepEqual(meeting(wantRunning(), state({ cpus: 64 })), []);
  assert.deepEqual(stepsIn({ observation: observationOf([state({ cpus: 64 })]), entries: [wantRunning()] }), []);
});

// "deterministic plan() given VMState input"
test("the same states give the same plan, in whatever order they come", () => {
  const vms = [state({ vmid: OTHER }), state({ status: "stopped" })];
  const entries = [wantRunning(), wantRunning({ vmid: OTHER })];
  const one = judge({ observation: observationOf(vms), entries }).plan;
  assert.equal(
    JSON.stringify(judge({ observation: observationOf(vms.toReversed()), entries: entries.toReversed() }).plan),
    JSON.stringify(one),
  );
});

// "audit_mode(states) produces identical output"
test("the account of the same states is the same account", () => {
  const given: World = { observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] };
  const account = () => {
    const { plan, verdict } = judge(given);
    return JSON.stringify(explain(plan, verdict, VMID));
  };
  assert.equal(account(), account());
});

// "All artifacts are structured JSON", "No log parsing required."
test("plan and verdict survive a round through JSON with nothing lost", () => {
  const file = planFileOf(judge({ observation: observationOf([]), entries: [wantRunning()] }));
  assert.deepEqual(JSON.parse(JSON.stringify(file)), file);
  assert.equal(digestOf(JSON.parse(JSON.stringify(file))), digestOf(file));
});

// "Every step is pure, total, and predictable."
test("a plan has an answer for every VM it was asked about, and freezing its input changes nothing", () => {
  const observation = Object.freeze(observationOf(Object.freeze([Object.freeze(state({ status: "unknown" }))])));
  const entries = Object.freeze([Object.freeze(wantRunning()), Object.freeze(wantRunning({ vmid: OTHER }))]);
  assert.equal(judge({ observation, entries }).plan.answers.length, 2);
});
