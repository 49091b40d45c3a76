// The two kinds of finding that an examination makes: as it should be, and wrong with what to do.

import type { Finding } from "../../examination.ts";

export const fine = (check: string, found: string): Finding => ({ check, found, isWrong: false, next: [] });
export const wrong = (check: string, found: string, next: readonly string[]): Finding => ({
  check,
  found,
  isWrong: true,
  next,
});
