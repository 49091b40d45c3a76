// Seqs as words of a command line.

import { isSize } from "../../ledger/record/record.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";

export const seqOf = (word: string): number | undefined => {
  const number = /^(?:0|[1-9][0-9]{0,15})$/.test(word) ? Number(word) : Number.NaN;
  return isSize(number) ? number : undefined;
};

export const notASeq = (argument: string, found: string): Refusal =>
  refuse("usage", { cause: "not-a-seq", facts: { argument, found } });
