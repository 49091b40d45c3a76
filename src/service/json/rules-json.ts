// The registry of rules as a door prints it: each with the refusals that it stands behind, in general words.

import type { RuleInFull, RuleList } from "../read/rule-list.ts";
import { textJson } from "./error-json.ts";

/** Of a code in general: what one refusal says is filled in when there is one. */
export const ruleJson = ({ refusals, ...rule }: RuleInFull) => ({
  ...rule,
  codes: refusals.map(({ code, stage, rule: _, ...words }) => ({ code, stage, text: textJson(words) })),
});

export const rulesJson = ({ rules }: RuleList) => ({ rules: rules.map(ruleJson) });
