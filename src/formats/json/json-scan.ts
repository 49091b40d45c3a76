// The exact reading of a JSON text: every flaw with its offset, and every value with its field and offset.
//
// It is the slow way, taken only when there is something to say: what is wrong with a text that JSON.parse turned
// away, which key is written twice, where a field stands. The values themselves come from JSON.parse (json-text.ts).
// Depth is bounded, so that no text can exhaust the stack. Keeps P7-F1.

import type { Refusal } from "../../spine/model.ts";
import { type About, refuse } from "../../spine/rules/refusals.ts";
import { fieldOf, itemOf } from "../field-path.ts";

export const DEPTH_MAX = 64;

export type Flaw = {
  readonly at: number; // offset in the text
  readonly field: string;
  readonly refusal: Refusal;
};

/** Called for every value in the order of the text; keyAt is where its key begins, or the value where it has none. */
export type See = (field: string, keyAt: number, valueAt: number) => void;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

const matchEnd = (expression: RegExp, text: string, from: number): number | undefined => {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : undefined;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const isBlank = (code: number): boolean => code === SPACE || code === 0x0a || code === 0x0d || code === 0x09;

export const scan = (text: string, see: See): readonly Flaw[] => {
  const flaws: Flaw[] = [];
  let at = 0;

  const flaw = (offset: number, field: string, refusal: Refusal): void => {
    flaws.push({ at: offset, field, refusal });
  };
  /** What follows a break in the grammar has no certain meaning, so the scan ends there. */
  const broken = (field: string, about: About<"text-malformed">): false => {
    flaw(at, field, refuse("text-malformed", at >= text.length ? { cause: "text-ends" } : about));
    return false;
  };
  const skipBlanks = (): void => {
    while (isBlank(text.charCodeAt(at))) at += 1;
  };
  const accept = (character: string): boolean => {
    skipBlanks();
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };

  /** The text that begins at a quote, decoded; undefined when it is broken. */
  const quoted = (field: string): string | undefined => {
    const open = at;
    let isEscaped = false;
    at += 1;
    for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
      const end = code === BACKSLASH ? matchEnd(ESCAPE, text, at) : code >= SPACE ? at + 1 : undefined;
      if (end === undefined) {
        broken(field, { cause: code === BACKSLASH ? "escape-unknown" : "control-character" });
        return undefined;
      }
      isEscaped ||= code === BACKSLASH;
      at = end;
    }
    at += 1;
    const raw = text.slice(open, at);
    const decoded: string = isEscaped ? JSON.parse(raw) : raw.slice(1, -1);
    if (!decoded.isWellFormed()) flaw(open, field, refuse("text-malformed", { cause: "half-surrogate" }));
    return decoded;
  };

  const members = (field: string, depth: number): boolean => {
    const keys = new Set<string>();
    do {
      skipBlanks();
      const keyAt = at;
      if (text.charCodeAt(at) !== QUOTE) return broken(field, { cause: "key-expected" });
      const key = quoted(field);
      if (key === undefined) return false;
      const member = fieldOf(field, key);
      if (keys.has(key)) flaw(keyAt, member, refuse("key-duplicate", { cause: "in-object" }));
      else if (key.length !== at - keyAt - 2) flaw(keyAt, member, refuse("text-malformed", { cause: "key-escaped" }));
      keys.add(key);
      if (!accept(":")) return broken(member, { cause: "colon-expected" });
      if (!value(member, keyAt, depth)) return false;
    } while (accept(","));
    return accept("}") || broken(field, { cause: "comma-or-brace" });
  };

  const items = (field: string, depth: number): boolean => {
    let index = 0;
    do {
      if (!value(itemOf(field, index), undefined, depth)) return false;
      index += 1;
    } while (accept(","));
    return accept("]") || broken(field, { cause: "comma-or-bracket" });
  };

  const value = (field: string, keyAt: number | undefined, depth: number): boolean => {
    skipBlanks();
    see(field, keyAt ?? at, at);
    const first = text[at];
    if (first === "{" || first === "[") {
      if (depth === DEPTH_MAX) return broken(field, { cause: "too-deep", facts: { max: DEPTH_MAX } });
      at += 1;
      if (first === "{") return accept("}") || members(field, depth + 1);
      return accept("]") || items(field, depth + 1);
    }
    if (first === '"') return quoted(field) !== undefined;
    const end = matchEnd(NUMBER, text, at) ?? matchEnd(WORD, text, at);
    if (end === undefined) return broken(field, { cause: "value-expected" });
    at = end;
    return true;
  };

  if (value("", undefined, 0)) {
    skipBlanks();
    if (at < text.length) broken("", { cause: "more-behind" });
  }
  return flaws;
};
