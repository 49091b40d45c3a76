// Seqs as words of a command line.

import { isSize } from "../../ledger/tree/merkle.ts";

export const seqOf = (word: string): number | undefined => {
  const number = /^(?:0|[1-9][0-9]{0,15})$/.test(word) ? Number(word) : Number.NaN;
  return isSize(number) ? number : undefined;
};
