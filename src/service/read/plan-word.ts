// What can name a recorded plan: an id, the beginning of one in either case, or `latest`.

import { ULID_DIGITS } from "../../ledger/record/ulid.ts";

export const LATEST_PLAN = "latest";

const LENGTH_MAX = 26;

export const isPlanWord = (word: string): boolean => {
  if (word.toLowerCase() === LATEST_PLAN) return true;
  const digits = Array.from(word.toUpperCase());
  return digits.length > 0 && digits.length <= LENGTH_MAX && digits.every((digit) => ULID_DIGITS.includes(digit));
};
