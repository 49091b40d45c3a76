// How a page shows a plan: each answer, gap and verdict of it in the words that every door uses, made from its codes
// and facts.
//
// Not here: what somebody agrees to, which is shown from the words that the ledger holds (seen-explanation.ts).

import { type RefusalText, textJson } from "../../service/json/error-json.ts";
import type { Inapplicable, PlanFile, PlanStep, Refusal, Verdict } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { actionText } from "../../spine/rules/action-text.ts";
import type { AnswerCounts } from "../../spine/values/counts.ts";
import { gapText } from "../../spine/words/causes/observation-words.ts";
import { inWords } from "../../spine/words/refusals/refusal-words.ts";
import { inapplicableText } from "../../spine/words/steps/inapplicable-words.ts";
import { stepTold } from "../../spine/words/steps/step-summary.ts";
import { verdictText } from "../../spine/words/steps/verdict-words.ts";

export type SeenRefusal = Refusal & { readonly text: RefusalText };

export const seenRefusal = (refusal: Refusal): SeenRefusal => ({ ...refusal, text: textJson(inWords(refusal)) });

/** `start`, and `stopped → running`. */
export type SeenStep = { readonly action: string; readonly told: readonly string[] };

export const seenStep = (step: PlanStep): SeenStep => ({
  action: actionText(step.action.kind),
  told: stepTold({ facts: step.facts, step, vmid: step.vmid }),
});

export const seenGap = (gap: Gap): string => gapText(gap);
export const seenVerdict = (verdict: Verdict, counts: AnswerCounts): string => verdictText(verdict, counts);
export const seenInapplicable = (because: Inapplicable): string => inapplicableText(because);

/** plan.json, as the command line reads it. */
export const planFileText = ({ applicable, because, id, plan, verdict, version }: PlanFile): string =>
  `${JSON.stringify({ applicable, because, id, plan, verdict, version }, undefined, 2)}\n`;
