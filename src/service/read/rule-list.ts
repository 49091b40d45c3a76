// The registry of rules, each with the refusals that it stands behind, in general words. The same for everybody, and of
// no ledger: what one refusal says is filled in when there is one.

import { RULE_IDS, type RuleId, ruleOf } from "../../spine/rules/invariants.ts";
import { REFUSAL_CODES, refusalRow } from "../../spine/rules/refusals.ts";
import { generalWords } from "../../spine/words/refusals/refusal-words.ts";

export const ruleInFull = (id: RuleId) => ({
  id,
  ...ruleOf(id),
  refusals: REFUSAL_CODES.map((code) => ({ code, ...refusalRow(code), ...generalWords(code) })).filter(
    ({ rule }) => rule === id,
  ),
});
export type RuleInFull = ReturnType<typeof ruleInFull>;
export type RuleList = { readonly rules: readonly RuleInFull[] };

export const listRules = async (): Promise<RuleList> => ({ rules: RULE_IDS.map(ruleInFull) });
