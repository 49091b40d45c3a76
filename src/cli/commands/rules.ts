// dedalus rules: the registry as an operator reads it.

import { ruleJson } from "../../service/json/rules-json.ts";
import { type RuleInFull, ruleInFull } from "../../service/read/rule-list.ts";
import { isRuleId, RULE_IDS } from "../../spine/rules/invariants.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import type { CommandRun } from "../command.ts";
import { badInput } from "../failed-outcome.ts";
import type { Paint } from "../views/paint.ts";

export const run: CommandRun = async ({ positionals: [wanted] }) => {
  if (wanted === undefined) {
    const rules = RULE_IDS.map(ruleInFull);
    return { exit: "done", json: { rules: rules.map(ruleJson) }, text: () => overviewLines(rules) };
  }
  const id = RULE_IDS.find((one) => one.toLowerCase() === wanted.toLowerCase());
  if (!isRuleId(id)) {
    const near = nearest(wanted.toUpperCase(), RULE_IDS);
    return badInput([
      near === undefined
        ? refuse("usage", { cause: "rule-unknown", facts: { rule: wanted } })
        : refuse("usage", { cause: "rule-unknown-meant", facts: { meant: near, rule: wanted } }),
    ]);
  }
  const rule = ruleInFull(id);
  return { exit: "done", json: { rules: [ruleJson(rule)] }, text: (style) => ruleLines(rule, style) };
};

const keptText = ({ kept }: RuleInFull): string => (kept === "not yet" ? "not yet kept" : `kept by ${kept}`);

const overviewLines = (rules: readonly RuleInFull[]): readonly string[] => {
  const kept = rules.filter((rule) => rule.kept !== "not yet").length;
  return [
    ...rules.flatMap((rule) => [`${rule.id.padEnd(5)}  ${rule.sentence}`, `       ${keptText(rule)}`]),
    `${rules.length} rules: ${kept} kept, ${rules.length - kept} not yet`,
  ];
};

const ruleLines = (rule: RuleInFull, paint: Paint): readonly string[] => [
  `${paint.bold(rule.id)}  ${rule.sentence}`,
  `  ${keptText(rule)}`,
  ...rule.refusals.flatMap(({ code, next, stage, summary, why }) => [
    "",
    `  ${paint.bold(summary)} (${code}, at ${stage})`,
    ...(why === undefined ? [] : [`    why:  ${why}`]),
    `    next: ${next}`,
  ]),
];
