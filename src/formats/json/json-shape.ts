// Shapes: what a format asks of a parsed JSON value, as tables that read it.
//
// A shape answers with the value, its keys in alphabetical order so that hashes recompute, or with undefined and every
// misfit it found. Records are strict: a key that is not in the table is a misfit. Keeps P7-F1.
// Not here: the many entries of current.json, which are checked without building anything (vm-entry.ts).

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import { type Expectation, type FoundValue, foundIn, oneOfWords, plainly, unknownKey } from "../expectation.ts";
import { fieldOf, itemOf } from "../field-path.ts";
import type { Parsed } from "../problem.ts";
import { isSome, type Misfit, misfitProblems } from "./json-position.ts";
import { parseJson } from "./json-text.ts";

/** Pushes what does not fit and answers undefined; answers the value when nothing was pushed. */
export type Shape<T> = (value: unknown, field: string, misfits: Misfit[]) => T | undefined;

export const shaped = <T>(text: string, file: string, shape: Shape<T>): Parsed<T> => {
  const json = parseJson(text, file);
  if (json.kind === "bad") return json;
  const misfits: Misfit[] = [];
  const value = shape(json.value, "", misfits);
  if (isSome(misfits)) return { kind: "bad", problems: misfitProblems(text, file, misfits) };
  return { kind: "ok", value: value as T };
};

export const misfit = (field: string, refusal: Refusal): Misfit => ({ field, near: field, on: "value", refusal });

const wrongType = (value: unknown, field: string, expected: Expectation): Misfit =>
  misfit(field, refuse("type-wrong", withFacts(expected, foundIn(value))));

type Primitive = { readonly boolean: boolean; readonly number: number; readonly string: string };

/** One value without parts; `otherwise` where a value of the type that does not fit has a code of its own. */
export const leaf =
  <P extends keyof Primitive, T extends Primitive[P]>(
    type: P,
    fits: (value: Primitive[P]) => value is T,
    expected: Expectation,
    otherwise: (found: FoundValue) => Refusal = (found) => refuse("value-wrong", withFacts(expected, found)),
  ): Shape<T> =>
  (value, field, misfits) => {
    const isOfType = (candidate: unknown): candidate is Primitive[P] => typeof candidate === type;
    if (isOfType(value) && fits(value)) return value;
    misfits.push(isOfType(value) ? misfit(field, otherwise(foundIn(value))) : wrongType(value, field, expected));
    return undefined;
  };

/** Codes that say of a word that it is none of those that may stand there. */
type WordCode = "action-unknown" | "value-wrong";

export const oneOf = <const T extends string>(words: readonly T[], code: WordCode = "value-wrong"): Shape<T> => {
  const known: ReadonlySet<string> = new Set(words);
  const unfit = (found: FoundValue): Refusal => {
    const about = { cause: "word", facts: { ...found, words } } as const;
    return code === "action-unknown" ? refuse("action-unknown", about) : refuse("value-wrong", about);
  };
  return leaf("string", (value): value is T => known.has(value), oneOfWords(words), unfit);
};

export const list =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value, field, misfits) => {
    if (!Array.isArray(value)) {
      misfits.push(wrongType(value, field, plainly("list")));
      return undefined;
    }
    const items: T[] = [];
    for (const [index, member] of value.entries()) {
      const read = item(member, itemOf(field, index), misfits);
      if (read !== undefined) items.push(read);
    }
    return items.length === value.length ? items : undefined;
  };

export type JsonObject = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; undefined, with a misfit, when it is none. */
export const asObject: Shape<JsonObject> = (value, field, misfits) => {
  if (isObject(value)) return value;
  misfits.push(wrongType(value, field, plainly("object")));
  return undefined;
};

type IsOptional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? true : false;
/** One shape for every key of the type, marked where the type says that the key may be absent. */
export type Shapes<T> = {
  readonly [K in keyof T]-?: IsOptional<T, K> extends true
    ? { readonly optional: Shape<Exclude<T[K], undefined>> }
    : Shape<T[K]>;
};
type AnyShape = Shape<unknown> | { readonly optional: Shape<unknown> };

/** `beside` are keys that may stand in the text and are no part of the value, such as $schema. */
export const record = <T extends object>(
  shapes: Shapes<T>,
  beside: Readonly<Record<string, Shape<unknown>>> = {},
): Shape<T> => {
  const table = new Map<string, AnyShape>(Object.entries<AnyShape>(shapes).sort(([a], [b]) => (a < b ? -1 : 1)));
  const known = [...Object.keys(beside), ...table.keys()];
  return (value, field, misfits) => {
    const object = asObject(value, field, misfits);
    if (object === undefined) return undefined;
    const before = misfits.length;
    for (const key in object) {
      if (Object.hasOwn(beside, key)) beside[key]?.(object[key], fieldOf(field, key), misfits);
      else if (!table.has(key)) misfits.push({ ...misfit(fieldOf(field, key), unknownKey(key, known)), on: "key" });
    }
    const built: Record<string, unknown> = {};
    for (const [key, shape] of table) {
      const member = fieldOf(field, key);
      const isOptional = typeof shape !== "function";
      const read = isOptional ? shape.optional : shape;
      if (Object.hasOwn(object, key)) built[key] = read(object[key], member, misfits);
      else if (!isOptional) misfits.push(missingKey(field, key));
    }
    return misfits.length === before ? (built as T) : undefined;
  };
};

export const missingKey = (field: string, key: string): Misfit => ({
  ...misfit(fieldOf(field, key), refuse("key-missing", { cause: "absent", facts: { key } })),
  near: field,
});

/** A union told apart by its `kind`; each kind has its own table. */
export const byKind = <T extends { readonly kind: string }>(
  shapes: Readonly<Record<T["kind"], Shape<T>>>,
  code: WordCode = "value-wrong",
): Shape<T> => {
  const table = new Map<string, Shape<T>>(Object.entries<Shape<T>>(shapes));
  const kind = oneOf([...table.keys()], code);
  return (value, field, misfits) => {
    const object = asObject(value, field, misfits);
    if (object === undefined) return undefined;
    if (!Object.hasOwn(object, "kind")) misfits.push(missingKey(field, "kind"));
    else return table.get(kind(object["kind"], fieldOf(field, "kind"), misfits) ?? "")?.(value, field, misfits);
    return undefined;
  };
};

/** A record with one more condition between its keys, judged on what is written, so that it is listed with the rest. */
export const refined =
  <T>(shape: Shape<T>, objection: (written: JsonObject, field: string) => Misfit | undefined): Shape<T> =>
  (value, field, misfits) => {
    const read = shape(value, field, misfits);
    const objected = isObject(value) ? objection(value, field) : undefined;
    if (objected === undefined) return read;
    misfits.push(objected);
    return undefined;
  };
