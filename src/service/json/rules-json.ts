// The registry of rules as a door prints it: each with the refusals that it stands behind, in general words.

import { type RuleId, ruleOf } from "../../spine/rules/invariants.ts";
import { REFUSAL_CODES, refusalRow } from "../../spine/rules/refusals.ts";
import { generalWords } from "../../spine/words/refusals/refusal-words.ts";
import { textJson } from "./error-json.ts";

export const ruleInFull = (id: RuleId) => ({
  id,
  ...ruleOf(id),
  refusals: REFUSAL_CODES.map((code) => ({ code, ...refusalRow(code), ...generalWords(code) })).filter(
    ({ rule }) => rule === id,
  ),
});
export type RuleInFull = ReturnType<typeof ruleInFull>;

/** Of a code in general: what one refusal says is filled in when there is one. */
export const ruleJson = ({ refusals, ...rule }: RuleInFull) => ({
  ...rule,
  codes: refusals.map(({ code, stage, ...words }) => ({ code, stage, text: textJson(words) })),
});
