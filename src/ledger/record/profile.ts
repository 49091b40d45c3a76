// The profile of JSON that a line may hold: strings, safe integers, booleans, null, lists and objects. No floats, no
// half surrogate pairs, no key that would need an escape, no nesting without end.
//
// One pass says whether a value is in the profile and whether its keys ascend as JSON.stringify would write them; then
// the native JSON.stringify gives the RFC 8785 text, several times faster than sorting.
// A key with an escape is left out because V8 13.6 can misread it (formats/json/json-text.ts), and nobody needs one.

import { canonical, type Json } from "../../spine/values/canonical.ts";

/** Deep enough for any record, and far from what a stack can hold. */
export const NESTING_MAX = 64;

/** Why a value has no text of the profile. Only a bug of ours meets one: what is read is judged on its bytes. */
export type OutsideCause =
  | "key-escaped"
  | "key-half-surrogate"
  | "not-json"
  | "not-plain"
  | "number-unsafe"
  | "text-half-surrogate"
  | "too-deep";

export type ProfileText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "outside"; readonly cause: OutsideCause };

/** The RFC 8785 text of a value, or why the profile has none for it; `nesting` levels are around it already. */
export const profileText = (value: Json, nesting = 0): ProfileText => {
  const shape = shapeOf(value, nesting);
  if (typeof shape === "object") return { cause: shape.cause, kind: "outside" };
  const text = shape === SORTED ? JSON.stringify(value) : undefined;
  // JSON.stringify writes half a surrogate pair as an escape, so a text without a backslash has neither flaw.
  if (text !== undefined && !text.includes("\\")) return { kind: "text", text };
  const flaw = textFlaw(value);
  return flaw === undefined ? { kind: "text", text: text ?? canonical(value) } : { cause: flaw, kind: "outside" };
};

/**
 * The same text as canonical() for every value, faster where its keys are in order already, as they nearly always are.
 */
export const canonicalText = (value: Json): string => {
  const result = profileText(value);
  return result.kind === "text" ? result.text : canonical(value);
};

type Shape = "sorted" | "unsorted" | { readonly cause: OutsideCause };
const SORTED = "sorted";
const UNSORTED = "unsorted";

const shapeOf = (value: Json | undefined, nesting: number): Shape => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return SORTED;
    case "number":
      return Number.isSafeInteger(value) ? SORTED : { cause: "number-unsafe" };
    case "object":
      if (value === null) return SORTED;
      if (nesting === NESTING_MAX) return { cause: "too-deep" };
      return isList(value) ? listShape(value, nesting + 1) : objectShape(value, nesting + 1);
    default:
      return { cause: "not-json" };
  }
};

const isList = (value: object): value is readonly Json[] => Array.isArray(value);

const listShape = (list: readonly Json[], nesting: number): Shape => {
  let all: Shape = SORTED;
  for (let at = 0; at < list.length; at += 1) {
    const one = shapeOf(list[at], nesting);
    if (one === UNSORTED) all = UNSORTED;
    else if (one !== SORTED) return one;
  }
  return all;
};

const objectShape = (value: { readonly [key: string]: Json | undefined }, nesting: number): Shape => {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return { cause: "not-plain" };
  let all: Shape = SORTED;
  let last = "";
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue; // left out of the text
    if (key < last) all = UNSORTED;
    last = key;
    if (typeof member === "string") continue;
    const one = shapeOf(member, nesting);
    if (one === UNSORTED) all = UNSORTED;
    else if (one !== SORTED) return one;
  }
  return all;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/** What is wrong with the texts and keys of a value whose shape is right. */
const textFlaw = (value: Json | undefined): OutsideCause | undefined => {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "text-half-surrogate";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (NEEDS_ESCAPE.test(key)) return "key-escaped";
    const flaw = key.isWellFormed() ? textFlaw(member) : "key-half-surrogate";
    if (flaw !== undefined) return flaw;
  }
  return undefined;
};
