// Whether a word is the mark that a printed command has where a person writes something of their own. A command that is
// pasted as it was printed has it still, and what would be recorded is nobody's reason.

import type { OptionSpec } from "../command.ts";

/** As spell.ts writes it in the place of words; and dots, quotes and brackets alone say as little. */
export const PLACEHOLDER = "…";
const MARKS = /^[\s.…"'“”<>[\]{}()_*?-]+$/;

/** Only an option that takes a text has a place for words: whatever else is wrong is said by whoever reads it. */
export const isPlaceholder = ({ name, value }: OptionSpec, found: string): boolean => {
  if (value !== "TEXT" || found.trim() === "") return false;
  const bare = found.replace(/^[<[{(]|[>\]})]$/g, "").trim();
  return MARKS.test(found) || bare === value || bare.toLowerCase() === name;
};
