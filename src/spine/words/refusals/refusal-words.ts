// The words of every refusal, by its code; and one refusal in words.
//
// Rendered when somebody reads it, never when it is decided: no hash, no record and no comparison holds a sentence.

import type { Refusal } from "../../model.ts";
import type { RefusalCode } from "../../rules/refusals.ts";
import { present } from "../../values/present.ts";
import { DIAGNOSTIC_WORDS, type DiagnosticWords, filledWithDiagnostic } from "../causes/diagnostic-words.ts";
import { filled, type RefusalWords, type Told, unfilled } from "../template.ts";
import { CALLER_WORDS } from "./caller-words.ts";
import { DOOR_WORDS } from "./door-words.ts";
import { INPUT_WORDS } from "./input-words.ts";
import { KERNEL_WORDS } from "./kernel-words.ts";
import { LEDGER_WORDS } from "./ledger-words.ts";
import { PLAN_WORDS } from "./plan-words.ts";
import { REMOTE_WORDS } from "./remote-words.ts";
import { STEP_WORDS } from "./step-words.ts";

/** Every code's words; the compiler says here which are missing. */
const WORDS = {
  ...INPUT_WORDS,
  ...PLAN_WORDS,
  ...CALLER_WORDS,
  ...DOOR_WORDS,
  ...KERNEL_WORDS,
  ...STEP_WORDS,
  ...LEDGER_WORDS,
  ...REMOTE_WORDS,
} as const satisfies Catalogued;

/** What is missing above is said there, and not once more wherever words are read. */
type Missing = Record<Exclude<RefusalCode, keyof typeof WORDS>, RefusalWords>;

export const REFUSAL_WORDS = WORDS as typeof WORDS & Missing;

export type SpokenRefusal = {
  readonly because: string;
  readonly next: string;
  readonly summary: string;
  readonly why?: string;
};

export type Catalogued = { readonly [C in RefusalCode]: RefusalWords };

/** What a reader sees of a refusal; of another day's words, what a reader saw then. */
export const inWords = (
  refusal: Refusal,
  words: Catalogued = REFUSAL_WORDS,
  diagnostics: DiagnosticWords = DIAGNOSTIC_WORDS,
): SpokenRefusal => {
  const { because, next, summaries = {}, summary, why }: RefusalWords = words[refusal.code];
  const cause = refusal.cause ?? "";
  const facts = refusal.vmid === undefined ? refusal.facts : { ...refusal.facts, vmid: refusal.vmid };
  const one = (told: Told): string => (typeof told === "string" ? told : (told[cause] ?? ""));
  return {
    because: filledWithDiagnostic(one(because), facts, diagnostics),
    next: filled(one(next), facts),
    summary: Object.hasOwn(summaries, cause) ? (summaries[cause] ?? summary) : summary,
    ...present({ why }),
  };
};

/** What is said of a code whatever the case: of several sentences, all, with the names of facts in capital letters. */
export const generalWords = (code: RefusalCode): SpokenRefusal => {
  const { because, next, summary, why }: RefusalWords = REFUSAL_WORDS[code];
  return { because: general(because), next: general(next), summary, ...present({ why }) };
};

/** Clauses and sentences are each joined as such. */
const general = (told: Told): string => {
  if (typeof told === "string") return unfilled(told);
  const texts = [...new Set(Object.values(told))].map((text) => unfilled(text));
  return texts.join(texts.every((text) => text.endsWith(".")) ? " " : "; ");
};

export const becauseOf = (refusal: Refusal): string => inWords(refusal).because;
