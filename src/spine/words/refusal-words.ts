// The words of every refusal, by its code; and one refusal in words.
//
// Rendered when somebody reads it, never when it is decided: no hash, no record and no comparison holds a sentence.

import type { Refusal } from "../model.ts";
import type { RefusalCode } from "../rules/refusals.ts";
import { CALLER_WORDS } from "./caller-words.ts";
import { INPUT_WORDS } from "./input-words.ts";
import { KERNEL_WORDS } from "./kernel-words.ts";
import { LEDGER_WORDS } from "./ledger-words.ts";
import { PLAN_WORDS } from "./plan-words.ts";
import { filled, filledWithSaid, type RefusalWords, type Told } from "./template.ts";

export const REFUSAL_WORDS = {
  ...INPUT_WORDS,
  ...PLAN_WORDS,
  ...CALLER_WORDS,
  ...KERNEL_WORDS,
  ...LEDGER_WORDS,
} as const;

export type SpokenRefusal = {
  readonly because: string;
  readonly next: string;
  readonly summary: string;
  readonly why: string;
};

type Spoken = Omit<RefusalWords, "because"> & Partial<Pick<RefusalWords, "because">>;

/** What a reader sees of a refusal. */
export const inWords = (refusal: Refusal): SpokenRefusal => {
  const { because, next, summary, why }: Spoken = REFUSAL_WORDS[refusal.code];
  const facts = refusal.vmid === undefined ? refusal.facts : { ...refusal.facts, vmid: refusal.vmid };
  const one = (told: Told): string => (typeof told === "string" ? told : (told[refusal.cause ?? ""] ?? ""));
  return {
    because: refusal.because ?? (because === undefined ? "" : filledWithSaid(one(because), facts)),
    next: refusal.next ?? filled(one(next), facts),
    summary,
    why,
  };
};

/** What is said of a code whatever the case; of several next steps, all. */
export const generalWords = (code: RefusalCode): SpokenRefusal => {
  const { because = "", next, summary, why }: Spoken = REFUSAL_WORDS[code];
  const all = (told: Told): string => (typeof told === "string" ? told : [...new Set(Object.values(told))].join(" "));
  return { because: all(because), next: all(next), summary, why };
};

export const becauseOf = (refusal: Refusal): string => inWords(refusal).because;
