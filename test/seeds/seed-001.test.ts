// Seed 001, "Architecture": one test for each sentence that the spine keeps, cited above it.
//
// Not here: what seed 000 says in the same words (seed-000.test.ts), adapters and their replay (adapters' own tests).

import assert from "node:assert/strict";
import { test } from "node:test";
import type { VmState } from "../../src/spine/model.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";
import { cannot } from "../cannot.ts";
import {
  judge,
  meeting,
  observationOf,
  refusalsIn,
  state,
  VMID,
  vmidOf,
  type World,
  wantRunning,
  wantStopped,
} from "../spine/world.ts";

const OTHER = vmidOf(102);
const codesIn = (given: World) => refusalsIn(given).map(({ code }) => code);

// "Pure function: same inputs → same outputs", "plan(states, desired) == plan(states, desired)"
test("the same inputs give the same plan hash", () => {
  const given: World = { observation: observationOf([state()]), entries: [wantStopped("shutdown")] };
  assert.equal(judge(given).plan.hash, judge(structuredClone(given)).plan.hash);
});

// "Refuses `unknown` status (no guessing)", "**Incomplete truth**: `unknown` status → empty plan"
cannot("N1", "guess what an unknown VM is doing", {
  neighbour: () => meeting(wantStopped("shutdown"), state({ status: "running" })),
  offence: () => meeting(wantStopped("shutdown"), state({ status: "unknown" })),
});

// "Only acts on explicit desired list", "**Out of scope**: VM not in desired list → skip"
test("a VM that is not in the desired list is skipped, whatever its state", () => {
  const strangers = (["running", "stopped", "unknown"] as const).map((status, at) =>
    state({ status, vmid: vmidOf(200 + at) }),
  );
  const { plan, verdict } = judge({ observation: observationOf([state(), ...strangers]), entries: [wantRunning()] });
  assert.deepEqual(plan.answers, [{ kind: "in-sync", vmid: VMID }]);
  assert.equal(verdict.kind, "clear");
});

// "Production write-protection (`prod-*` prefix)", "**Policy violation**: `prod-*` stop → `PolicyViolation`"
cannot("N2", "shut down a VM of the prod- prefix", {
  neighbour: () => meeting(wantStopped("shutdown", { name: "production" }), state({ name: "production" })),
  offence: () => meeting(wantStopped("shutdown", { name: "prod-uction" }), state({ name: "prod-uction" })),
});

test("write-protection is no reason not to start: a stopped production VM is started", () => {
  const { plan, verdict } = judge({
    observation: observationOf([state({ name: "prod-db", status: "stopped" })]),
    entries: [wantRunning({ name: "prod-db" })],
  });
  assert.equal(plan.answers[0]?.kind === "step" && plan.answers[0].action.kind, "vm.start");
  assert.equal(verdict.kind, "clear");
});

// "Raises `PolicyViolation` on refusal": here a refusal is a value, and one of them refuses the plan.
test("one production VM that would stop refuses the steps of all the others", () => {
  const entries = [wantRunning(), wantStopped("shutdown", { name: "prod-db", vmid: OTHER })];
  const observation = observationOf([state({ status: "stopped" }), state({ name: "prod-db", vmid: OTHER })]);
  assert.deepEqual(codesIn({ observation, entries }), ["production-touched"]);
  assert.equal(judge({ observation, scope: [VMID], entries }).verdict.kind, "clear");
});

// "`running` - VM is executing", "`stopped` - VM exists but is not running"
test("running and stopped each meet their own entry and no other", () => {
  const kindOf = (entry: World["entries"][number], status: VmState["status"]) =>
    judge({ observation: observationOf([state({ status })]), entries: [entry] }).plan.answers[0]?.kind;
  assert.equal(kindOf(wantRunning(), "running"), "in-sync");
  assert.equal(kindOf(wantStopped("shutdown"), "stopped"), "in-sync");
  assert.equal(kindOf(wantRunning(), "stopped"), "step");
  assert.equal(kindOf(wantStopped("shutdown"), "running"), "step");
});

// "`unknown` - Partial/failed observation (plan refuses)"
test("an unknown VM is refused with the reason that the source gave", () => {
  const [refusal] = meeting(
    wantRunning(),
    state({ because: { code: "stated", said: "node pve2 did not answer" }, status: "unknown" }),
  );
  assert.deepEqual([refusal?.cause, refusal?.facts["said"]], ["stated", "node pve2 did not answer"]);
});

// "**Critical**: `missing` (not in observation) ≠ `stopped`"
test("missing is not stopped, and without a complete observation it is not even missing", () => {
  const entries = [wantRunning()];
  assert.deepEqual(codesIn({ observation: observationOf([]), entries }), ["vm-missing"]);
  assert.deepEqual(codesIn({ observation: observationOf([], { complete: false }), scope: [VMID], entries }), [
    "vm-unknown",
    "truth-incomplete",
  ]);
});

// "Core logic never sees adapter types", "Adapters swap **only** at `observe()`"
test("replay equivalence: what the source is called is in no byte of the plan", () => {
  const [one, other] = ["proxmox", "a name that nobody has"].map((source) =>
    JSON.stringify(
      judge({ observation: observationOf([state({ source, status: "stopped" })]), entries: [wantRunning()] }).plan,
    ),
  );
  assert.equal(one, other);
  assert.ok(!one?.includes("proxmox"));
});

// "Refusal is encoded, not aspirational."
test("every refusal carries its rule, its code, its reason and what would have to be true", () => {
  const refusals = refusalsIn({ observation: observationOf([], { complete: false }), entries: [wantRunning()] });
  assert.equal(refusals.length, 3);
  for (const refusal of refusals) {
    const { because, next } = inWords(refusal);
    assert.ok([because, refusal.code, next, refusal.rule].every((text) => text !== ""));
  }
});
