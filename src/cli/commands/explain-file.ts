// dedalus explain: one answer of a plan.json (service/explain-plan-file.ts); of a recorded plan, explain-recorded.ts.

import type { Policies } from "../../formats/policy-yaml.ts";
import type { Parsed } from "../../formats/problem.ts";
import { explainPlanFile } from "../../service/explain-plan-file.ts";
import { explainedFileJson } from "../../service/json/plan-answer-json.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isRecordedPlan } from "../arguments/plan-argument.ts";
import type { Arguments, CommandRun } from "../command.ts";
import { atOption, badInput, failed } from "../failed-outcome.ts";
import { hasConfig, readConfig } from "../files/find-config.ts";
import type { Io } from "../process/io.ts";
import { explanationLines } from "../views/view-plan.ts";

/** Options that mean nothing for a file. */
const OF_RECORDED = ["challenge", "step", "as-shown"] as const;

export const run: CommandRun = async (given, io) => {
  if (isRecordedPlan(given.positionals[0] ?? "", io.folder))
    return (await import("./explain-recorded.ts")).run(given, io);
  if (given.text.has("server"))
    return badInput([refuse("usage", { cause: "place-files", facts: { command: "explain FILE" } })]);
  const stray = OF_RECORDED.find((name) => given.flags.has(name) || given.text.has(name));
  if (stray !== undefined) {
    return badInput([refuse("usage", { cause: "recorded-plan-only", facts: { argument: `--${stray}` } })]);
  }
  const word = given.text.get("vm");
  if (word === undefined) {
    const facts = { argument: "--vm VM", what: "explain FILE" };
    return badInput([refuse("usage", { cause: "needs-option", facts })]);
  }
  const file = given.positionals[0] ?? "";
  const policies = hasConfig(given, io) ? () => policiesOf(given, io) : undefined;
  const explained = explainPlanFile({ file, folder: io.folder, vm: word }, policies);
  if (explained.kind === "refused") {
    const { domain, refusals } = explained;
    return domain === "validation" ? failed("verification", domain, refusals) : badInput(refusals.map(atOption));
  }
  const { agreements, explanation } = explained;
  return {
    exit: "done",
    json: explainedFileJson(explanation, agreements),
    text: (style) => explanationLines(explanation, { agreements, invited: [] }, style),
  };
};

const policiesOf = (given: Arguments, io: Io): Parsed<Policies> => {
  const configured = readConfig(given, io);
  return configured.kind === "bad" ? configured : { kind: "ok", value: configured.value.policies };
};
