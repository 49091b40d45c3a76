// A code with its facts, as JSON holds it: blockers, doubts and gaps of an observation (spine/observed-codes.ts).
//
// Strict: a code of the table, exactly its facts, a diagnostic in the same form where there is one, and what was said
// where something was. A text in its place is what people
// write: it becomes the code "stated", which says nothing but that text. Keeps P7-F1.

import { DIAGNOSTICS, type Diagnostic } from "../spine/diagnostic-codes.ts";
import type { Stated } from "../spine/observed-codes.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { isText } from "./fields.ts";
import { isObject, type JsonObject, misfit, type Shape } from "./json/json-shape.ts";

type Table = Readonly<Record<string, readonly string[]>>;

export const hasOnly = (value: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(value).every((key) => keys.includes(key));

const isFact = (value: unknown): boolean =>
  Number.isSafeInteger(value) || isText(value) || (Array.isArray(value) && value.every(isText));

const areFacts = (value: unknown, names: readonly string[]): boolean =>
  value === undefined
    ? names.length === 0
    : isObject(value) && hasOnly(value, names) && names.every((name) => isFact(value[name]));

export const isStated = <T extends Table>(value: unknown, table: T): value is Stated<keyof T & string> => {
  if (!isObject(value)) return false;
  const { diagnostic, ...coded } = value;
  return isCoded(coded, table) && (diagnostic === undefined || isCoded(diagnostic, DIAGNOSTICS));
};

const isCoded = <T extends Table>(value: unknown, table: T): value is Omit<Stated<keyof T & string>, "diagnostic"> => {
  if (!isObject(value) || !hasOnly(value, ["code", "facts", "said"])) return false;
  const { code, facts, said } = value;
  if (typeof code !== "string" || !Object.hasOwn(table, code) || !areFacts(facts, table[code] ?? [])) return false;
  return said === undefined ? code !== "stated" : isText(said);
};

/** What somebody wrote in their own words. */
export const stated = (said: string): Stated<"stated"> => ({ code: "stated", said });

export const statedShape =
  <T extends Table>(table: T): Shape<Stated<keyof T & string>> =>
  (value, field, misfits) => {
    if (isStated(value, table)) return value;
    misfits.push(misfit(field, refuse("value-wrong", { cause: "stated-unfit" })));
    return undefined;
  };

export const diagnosticShape: Shape<Diagnostic> = (value, field, misfits) => {
  if (isCoded(value, DIAGNOSTICS)) return value;
  misfits.push(misfit(field, refuse("value-wrong", { cause: "stated-unfit" })));
  return undefined;
};

/** As above, or the text that a person wrote. */
export const writtenShape = <T extends Table & { readonly stated: readonly [] }>(
  table: T,
): Shape<Stated<keyof T & string>> => {
  const coded = statedShape(table);
  return (value, field, misfits) => (isText(value) ? stated(value) : coded(value, field, misfits));
};
