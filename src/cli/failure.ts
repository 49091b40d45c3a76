// The outcome of a command that could not do what it was asked: refusals, and how far it had come.
//
// Apart from outcome.ts, because the words of every refusal come with it and help needs none of them.

import type { Problem } from "../formats/problem.ts";
import type { Refusal } from "../spine/model.ts";
import { type Catalogued, inWords, type SpokenRefusal } from "../spine/words/refusal-words.ts";
import type { Exit } from "./exit-codes.ts";
import type { Outcome } from "./outcome.ts";
import { refusalLines } from "./views/view-refusal.ts";

/** Errors have one of four domains. */
type Domain = "input" | "validation" | "kernel" | "transport";
type Refusals = readonly (Refusal | Problem)[];

/** With its words: a person may read what a program takes by its codes. */
export const spoken = <R extends Refusal>(refusal: R, words?: Catalogued): R & SpokenRefusal => ({
  ...refusal,
  ...inWords(refusal, words),
});

export const failed = (
  exit: Exit,
  domain: Domain,
  refusals: Refusals,
  outcome: "executed" | "not_executed" | "unknown" = "not_executed",
): Outcome => ({
  exit,
  json: { error: { domain, outcome, refusals: refusals.map((refusal) => spoken(refusal)) } },
  text: (paint) => refusals.flatMap((refusal) => refusalLines(refusal, paint)),
});

export const badInput = (refusals: Refusals): Outcome => failed("input", "input", refusals);
