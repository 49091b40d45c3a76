// dedalus explain: one answer of a plan.json, believed only when its hashes and its verdict hold.

import { parsePlan } from "../../formats/plan-json.ts";
import type { Parsed } from "../../formats/problem.ts";
import { resolveVm, vmidIn, vmsOf } from "../../service/read/vm-references.ts";
import { readText } from "../../service/text-file.ts";
import type { Plan } from "../../spine/model.ts";
import { explain } from "../../spine/plan/explain.ts";
import { NO_POLICY, type Policy, policyDigest } from "../../spine/plan/safety.ts";
import { verifyPlan } from "../../spine/plan/verify-plan.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { explanationInWords } from "../../spine/words/explanation-in-words.ts";
import { isRecordedPlan } from "../arguments/plan-words.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { atOption, badInput, failed } from "../failure.ts";
import { hasConfig, readConfig } from "../find-config.ts";
import type { Io } from "../io.ts";
import { agreementsIn } from "../tiers.ts";
import { explanationLines } from "../views/view-plan.ts";

export const run: CommandRun = async (given, io) => {
  if (isRecordedPlan(given.positionals[0] ?? "", io.folder))
    return (await import("./explain-recorded.ts")).run(given, io);
  if (given.flags.has("challenge")) {
    return badInput([refuse("usage", { cause: "challenge-of-file", facts: { argument: "--challenge" } })]);
  }
  if (given.text.has("step")) {
    const facts = { argument: "--step", with: "the id of a recorded plan" };
    return badInput([refuse("usage", { cause: "goes-with", facts })]);
  }
  if (given.flags.has("as-shown")) {
    const facts = { argument: "--as-shown", with: "the id of a recorded plan" };
    return badInput([refuse("usage", { cause: "goes-with", facts })]);
  }
  const word = given.text.get("vm");
  if (word === undefined) {
    const facts = { argument: "--vm VM", what: "explain FILE" };
    return badInput([refuse("usage", { cause: "needs-option", facts })]);
  }
  const path = given.positionals[0] ?? "";
  const text = readText(io.folder, path);
  if (text.kind === "bad") return badInput(text.problems);
  const parsed = parsePlan(text.value, path);
  if (parsed.kind === "bad") return badInput(parsed.problems);
  const { plan, verdict } = parsed.value;
  const policy = policyFor(plan, given, io);
  if (policy.kind === "bad") return badInput(policy.problems);
  const distrust = verifyPlan(parsed.value, policy.value);
  if (distrust !== undefined) return failed("verification", "validation", [distrust]);
  const vmid = vmidIn(word) ?? resolveVm(word, vmsOf(plan));
  if (typeof vmid === "object") return badInput([atOption(vmid)]);
  const explanation = explain(plan, verdict, vmid);
  if (explanation === undefined) {
    return badInput([refuse("vm-not-desired", { cause: "unanswered", vmid })]);
  }
  const agreements = agreementsIn(verdict, explanation.step?.hash);
  return {
    exit: "done",
    json: {
      ...explanation,
      text: explanationInWords(explanation),
      ...(agreements[0] === undefined ? {} : { agreements, tier: agreements[0].tier }),
    },
    text: (paint) => explanationLines(explanation, agreements, paint),
  };
};

/** A plan that stands on a policy is believed by the one that its environment has here; any other needs no configuration. */
const policyFor = ({ environment, standsOn }: Plan, given: Arguments, io: Io): Parsed<Policy> => {
  if (standsOn.policy === policyDigest(NO_POLICY) || !hasConfig(given, io)) return { kind: "ok", value: NO_POLICY };
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return configured;
  return { kind: "ok", value: configured.value.policies.get(environment) ?? NO_POLICY };
};
