// The mark that a read-only ledger carries, as text: its cause and facts, so that the next process knows what the first
// did.
//
// Total: a mark of somebody's own hand, or of a version that wrote words, is a read-only mark all the same, and is
// quoted. Not here: where a mark is kept (engines/).

import { isFailureIn } from "../spine/words/cause.ts";
import { READ_ONLY_WORDS } from "../spine/words/causes/engine-words.ts";
import type { ReadOnlyFailure } from "./failure.ts";

export const markText = ({ cause, facts }: ReadOnlyFailure): string => JSON.stringify({ cause, facts });

export const readOnlyIn = (mark: string): ReadOnlyFailure => {
  const value = parsed(mark);
  return isFailureIn(READ_ONLY_WORDS, value) ? value : { cause: "mark-foreign", facts: { said: mark } };
};

/** JSON has no undefined, so it is free to mean "not JSON". */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
