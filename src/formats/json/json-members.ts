// May a key be written twice? Counted, not compared: what a text writes against what its value holds.
//
// JSON.parse silently keeps the last of two values for one key. In a text that it took, every key is followed by one
// colon, and every member of the value was written at least once; so a repeated key always leaves the text with more.
// The counts are linear and build nothing. A doubt may be unfounded; a certainty never is. Keeps P7-F1.

import { DEPTH_MAX } from "./json-scan.ts";

const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;

/** Only for a value that JSON.parse made of this text. Also true of a value nested too deep to be walked. */
export const mayRepeatKey = (text: string, value: unknown): boolean =>
  text.includes("\\") ? membersWritten(text) !== held(value, () => 0, 0) : colonsIn(text) !== held(value, colonsIn, 0);

/** Where nothing is escaped, a colon that follows no key stands inside a text, and the value has it too. */
const colonsIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) count += 1;
  return count;
};

/** Not a number, and so equal to no count, when a key has an escape in it or a text is not closed. */
export const membersWritten = (text: string): number => {
  let count = 0;
  let open = text.indexOf('"');
  let backslash = text.indexOf("\\");
  while (open !== -1) {
    let close = text.indexOf('"', open + 1);
    while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
    if (close === -1) return Number.NaN;
    let after = close + 1;
    // Between two tokens nothing but blanks is at or below a space.
    while (text.charCodeAt(after) <= SPACE) after += 1;
    if (backslash !== -1 && backslash < open) backslash = text.indexOf("\\", open);
    if (text.charCodeAt(after) === COLON) {
      if (backslash !== -1 && backslash < close) return Number.NaN;
      count += 1;
    }
    open = text.indexOf('"', after);
  }
  return count;
};

const isEscaped = (text: string, quote: number): boolean => {
  let first = quote;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
};

/** One for every member, and for every text what it weighs; not a number when it is nested too deep. */
const held = (value: unknown, weigh: (text: string) => number, depth: number): number => {
  if (typeof value === "string") return weigh(value);
  if (typeof value !== "object" || value === null) return 0;
  if (depth === DEPTH_MAX) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += held(item, weigh, depth + 1);
    return count;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) count += 1 + held(members[key], weigh, depth + 1);
  return count;
};
