// N7 and B7: plan.json as a text. One edited byte makes it unreadable, or another plan than the one that was hashed.
//
// Two texts of the file are for people alone and decide nothing: the schema's name, and why the plan is not applicable.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parsePlan, planText } from "../../src/formats/plan-json.ts";
import type { PlanFile, Refusal } from "../../src/spine/model.ts";
import { NO_POLICY } from "../../src/spine/plan/policy.ts";
import { verifyPlan } from "../../src/spine/plan/verify-plan.ts";
import { cannot } from "../cannot.ts";
import {
  coded,
  GiB,
  judge,
  observationOf,
  planFileOf,
  request,
  state,
  vmidOf,
  wantRunning,
  wantStopped,
} from "../spine/world.ts";

const FILE = planFileOf(
  judge({
    observation: observationOf([
      state({ status: "stopped" }),
      state({ cpus: 2, maxmem: GiB, vmid: vmidOf(102) }),
      state({ name: "prod-db", vmid: vmidOf(103) }),
      state({ vmid: vmidOf(104) }),
      state({ vmid: vmidOf(106) }),
    ]),
    entries: [
      wantRunning(),
      wantRunning({ cpus: 4, memory: 2 * GiB, vmid: vmidOf(102) }),
      wantStopped("shutdown", { name: "prod-db", vmid: vmidOf(103) }),
      wantRunning({ vmid: vmidOf(104) }),
      wantRunning({ vmid: vmidOf(105) }),
      request({ kind: "vm.migrate", node: "pve2" }, { vmid: vmidOf(106) }),
    ],
  }),
);
const TEXT = planText(FILE);

const read = (text: string): PlanFile | readonly Refusal[] => {
  const parsed = parsePlan(text, "plan.json");
  return parsed.kind === "ok" ? parsed.value : parsed.problems;
};

const objectionsTo = (text: string): readonly Refusal[] => {
  const found = read(text);
  if (!("plan" in found)) return found;
  return [verifyPlan(found, NO_POLICY)].filter((refusal) => refusal !== undefined);
};

const decided = ({ applicable, plan, verdict, version }: PlanFile): string =>
  JSON.stringify([applicable, plan, verdict, version]);

test("any single edited byte of plan.json is refused, or changes nothing that decides", () => {
  let refused = 0;
  fc.assert(
    fc.property(fc.nat({ max: TEXT.length - 1 }), fc.integer({ max: 0x7e, min: 0x20 }), (at, code) => {
      const edited = TEXT.slice(0, at) + String.fromCharCode(code) + TEXT.slice(at + 1);
      if (objectionsTo(edited).length > 0) {
        refused += 1;
        return;
      }
      const found = read(edited);
      assert.ok("plan" in found && decided(found) === decided(FILE), `byte ${at}`);
    }),
    { numRuns: 400 },
  );
  assert.ok(refused > 0, "most edits are refused");
});

cannot("N7", "believe a plan.json whose step was pointed at another VM", {
  neighbour: () => objectionsTo(TEXT),
  offence: () => coded("plan-altered", objectionsTo(TEXT.replace('"vmid": 101', '"vmid": 100'))),
});

cannot("N7", "believe a plan.json that was cleared by hand", {
  neighbour: () => objectionsTo(TEXT),
  offence: () => coded("plan-altered", objectionsTo(planText({ ...FILE, verdict: { kind: "clear", tiers: [] } }))),
});

cannot("B7", "read an action that is not in the catalogue", {
  neighbour: () => objectionsTo(TEXT),
  offence: () => coded("action-unknown", objectionsTo(TEXT.replace('"kind": "vm.migrate"', '"kind": "vm.move"'))),
});
