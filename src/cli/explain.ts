// dedalus explain: one answer of a plan.json, believed only when its hashes and its verdict hold.

import { parsePlan } from "../formats/plan-json.ts";
import { isUlid } from "../ids.ts";
import { explain } from "../spine/explain.ts";
import { refuse } from "../spine/refusals.ts";
import { NO_POLICY } from "../spine/safety.ts";
import { verifyPlan } from "../spine/verify-plan.ts";
import type { Run } from "./command.ts";
import { badInput, failed } from "./failure.ts";
import { readText } from "./files.ts";
import { tiersOf } from "./tiers.ts";
import { explanationLines } from "./view-plan.ts";
import { vmidOf } from "./vmids.ts";

export const run: Run = async (given, io) => {
  if (isUlid(given.positionals[0])) return (await import("./explain-recorded.ts")).run(given, io);
  const vmid = vmidOf(given.text.get("vm") ?? "");
  if (vmid === undefined)
    return badInput([refuse("usage", { because: `--vm takes a vmid, and ${given.text.get("vm")} is none` })]);
  const path = given.positionals[0] ?? "";
  const text = readText(io.folder, path);
  if (text.kind === "bad") return badInput(text.problems);
  const parsed = parsePlan(text.value, path);
  if (parsed.kind === "bad") return badInput(parsed.problems);
  const { plan, verdict } = parsed.value;
  const distrust = verifyPlan(parsed.value, NO_POLICY);
  if (distrust !== undefined) return failed("verification", "validation", [distrust]);
  const explanation = explain(plan, verdict, vmid);
  if (explanation === undefined) {
    return badInput([refuse("vm-not-desired", { because: `the plan has no answer for VM ${vmid}`, vmid })]);
  }
  const tier = tiersOf(verdict).get(explanation.step);
  return {
    exit: "done",
    json: { ...explanation, ...(tier === undefined ? {} : { tier }) },
    text: (paint) => explanationLines(explanation, tier, paint),
  };
};
