// The catalogue of words: every sentence that is shown for a code, as one value. Data alone, so that it can be stored:
// a process records it when it starts, and whoever agrees to something names the one that they read.
//
// Outside every hash of a decision: rewording changes this digest and no other. Not here: which words are said
// (refusal-words.ts, step-in-words.ts, step-summary.ts, explanation-in-words.ts, agreement-in-words.ts).

import { DIAGNOSTIC_WORDS } from "./causes/diagnostic-words.ts";
import { GAP_WORDS } from "./causes/observation-words.ts";
import { REFUSAL_WORDS } from "./refusals/refusal-words.ts";
import { ACTION_WORDS, ROLLBACK_WORDS } from "./steps/action-words.ts";
import { AGREEMENT_WORDS } from "./steps/agreement-words.ts";
import { EXPLANATION_WORDS } from "./steps/explanation-words.ts";
import { FRAME_WORDS, QUESTION_WORDS, SUMMARY_WORDS } from "./steps/frame-words.ts";
import { INAPPLICABLE_WORDS } from "./steps/inapplicable-words.ts";
import { LOOSENING_WORDS } from "./steps/loosening-words.ts";
import { OUTCOME_WORDS } from "./steps/outcome-words.ts";
import { REASON_WORDS } from "./steps/reason-words.ts";
import { VERDICT_WORDS } from "./steps/verdict-words.ts";

/** Texts by name, to any depth. */
export type Words = { readonly [name: string]: string | Words };

export const CATALOGUE = {
  actions: ACTION_WORDS,
  agreements: AGREEMENT_WORDS,
  diagnostics: DIAGNOSTIC_WORDS,
  explanations: EXPLANATION_WORDS,
  frame: FRAME_WORDS,
  gaps: GAP_WORDS,
  inapplicable: INAPPLICABLE_WORDS,
  loosenings: LOOSENING_WORDS,
  outcomes: OUTCOME_WORDS,
  questions: QUESTION_WORDS,
  refusals: REFUSAL_WORDS,
  rollbacks: ROLLBACK_WORDS,
  steps: REASON_WORDS,
  summaries: SUMMARY_WORDS,
  verdicts: VERDICT_WORDS,
} as const satisfies Words;

/** The same shape with any texts: a catalogue of another day, or one that was reworded. */
export type Catalogue = Reworded<typeof CATALOGUE>;
type Reworded<W> = { readonly [K in keyof W]: W[K] extends string ? string : Reworded<W[K]> };

/** The words of a blob whose digest was held against the one that was recorded. */
export const wordsIn = (text: string): Catalogue => JSON.parse(text) as Catalogue;
