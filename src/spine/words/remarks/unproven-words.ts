// What is said of a ledger whose anchor is lost, and which is shown nevertheless.

import type { Refusal } from "../../model.ts";
import { inWords } from "../refusals/refusal-words.ts";
import { filled } from "../template.ts";

export const UNPROVEN_WORDS = {
  because: "{code}: {because}. Nothing proves that this ledger is whole.",
} as const;

export const unprovenLines = (loss: Refusal): readonly string[] => {
  const { because, next } = inWords(loss);
  return [filled(UNPROVEN_WORDS.because, { because, code: loss.code }), next];
};
