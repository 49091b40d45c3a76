// What a schema finds wrong with a request, as refusals with the place of each: a key too many, a key that is
// missing, a value of another type or not allowed.
//
// Of alternatives that all fail, the place where they do is told once, with the keys that they have. The checker's own
// sentences are not used: they are nobody's contract. What does not fit has a misfit, also where its place was not
// found: without one it would be taken for what fits. Keeps P7-F1.

import type { TLocalizedValidationError } from "typebox/error";
import { Settings } from "typebox/system";
import { type Expectation, foundIn, oneOfWords, plainly, unknownKey, wholeNumber } from "../../formats/expectation.ts";
import { fieldOf, itemOf } from "../../formats/field-path.ts";
import type { Misfit } from "../../formats/json/json-position.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";

/** The checker stops counting there: its own bound is less than what the alternatives of one action have. */
const ERRORS_MAX = 200;
Settings.Set({ maxErrors: ERRORS_MAX });

type Schema = Readonly<Record<string, unknown>>;

/** The parts of a pointer (RFC 6901). */
const partsOf = (pointer: string): readonly string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

const at = (value: unknown, parts: readonly string[]): unknown =>
  parts.reduce<unknown>((inner, part) => Object(inner)[part], value);

const schemaAt = (schema: unknown, path: string): Schema => Object(at(schema, partsOf(path.slice(1))));

/** Numbers stand for items, as they do in a path of a list. */
const fieldAt = (value: unknown, parts: readonly string[]): string => {
  let [field, inner] = ["", value];
  for (const part of parts) {
    field = Array.isArray(inner) ? itemOf(field, Number(part)) : fieldOf(field, part);
    inner = Object(inner)[part];
  }
  return field;
};

const EXPECTED_TYPES: Readonly<Record<string, Expectation>> = {
  array: plainly("list"),
  boolean: plainly("flag"),
  integer: plainly("whole-number"),
  number: plainly("whole-number"),
  object: plainly("object"),
  string: plainly("line"),
};

const expectedBy = ({ maximum, minimum, pattern, ...schema }: Schema): Expectation => {
  if (schema["const"] === true) return plainly("only-true");
  if (schema["const"] !== undefined) return oneOfWords([String(schema["const"])]);
  if (Array.isArray(schema["enum"])) return oneOfWords(schema["enum"].map(String));
  if (typeof minimum === "number" && typeof maximum === "number") return wholeNumber(minimum, maximum);
  if (typeof pattern === "string" && pattern.includes("{64}")) return plainly("digest");
  return EXPECTED_TYPES[String(schema["type"])] ?? plainly("object");
};

const requiredBy = (schema: Schema): readonly string[] =>
  Array.isArray(schema["required"]) ? schema["required"].map(String) : [];

/** An object with the keys that it must have; of alternatives those of all, or one of those that each has. */
const objectWith = (alternatives: readonly Schema[]): Expectation => {
  const [first = [], ...others] = alternatives.map(requiredBy);
  const shared = first.filter((key) => others.every((keys) => keys.includes(key)));
  if (shared.length > 0) return { cause: "object-with", facts: { keys: shared } };
  const keys = [...new Set([...first, ...others.flat()])];
  return keys.length === 0 ? plainly("object") : { cause: "object-with-one", facts: { keys } };
};

const alternativesAt = (schema: unknown, path: string): readonly Schema[] => {
  const all = schemaAt(schema, path)["anyOf"];
  return Array.isArray(all) ? all.map(Object) : [];
};

const BRANCH = /^(.*)\/anyOf\/\d+$/;

const expectedAt = (schema: unknown, path: string): Expectation => {
  const [, base] = BRANCH.exec(path) ?? [];
  const here = schemaAt(schema, path);
  const siblings = base === undefined ? [here] : alternativesAt(schema, base);
  return siblings.every(({ type }) => type === "object") ? objectWith(siblings) : expectedBy(here);
};

const misfitOf = (schema: unknown, value: unknown, error: TLocalizedValidationError): readonly Misfit[] => {
  const parts = partsOf(error.instancePath);
  const field = fieldAt(value, parts);
  const here = schemaAt(schema, error.schemaPath);
  switch (error.keyword) {
    case "required":
      return error.params.requiredProperties.map((key) => ({
        field: fieldOf(field, key),
        near: field,
        on: "value",
        refusal: refuse("key-missing", { cause: "absent", facts: { key } }),
      }));
    case "additionalProperties": {
      const known = Object.keys(Object(here["properties"]));
      return error.params.additionalProperties.map((key) => ({
        field: fieldOf(field, key),
        near: fieldOf(field, key),
        on: "key",
        refusal: unknownKey(key, known),
      }));
    }
    case "anyOf":
    case "boolean":
      return [];
    default: {
      const found = foundIn(at(value, parts));
      const code = error.keyword === "type" ? "type-wrong" : "value-wrong";
      const expected = expectedAt(schema, error.schemaPath);
      return [{ field, near: field, on: "value", refusal: refuse(code, withFacts(expected, found)) }];
    }
  }
};

const KIND = /^(.*)\/anyOf\/(\d+)\/properties\/kind$/;

/** Of alternatives that are told apart by their kind: which of them the kind leaves, and all kinds that there are. */
type Alternatives = {
  readonly at: string;
  readonly base: string;
  readonly kinds: readonly string[];
  readonly left: number[];
};

const alternativesIn = (schema: unknown, errors: readonly TLocalizedValidationError[]): readonly Alternatives[] => {
  const found = new Map<string, Alternatives>();
  for (const { instancePath, schemaPath } of errors) {
    const [, base, index] = KIND.exec(schemaPath) ?? [];
    if (base === undefined) continue;
    const all = schemaAt(schema, base)["anyOf"];
    const of: readonly unknown[] = Array.isArray(all) ? all : [];
    const kinds = of.flatMap((one) => wordsOf(Object(at(one, ["properties", "kind"]))));
    const known = found.get(base) ?? {
      at: instancePath.replace(/\/kind$/, ""),
      base,
      kinds,
      left: of.map((_, one) => one),
    };
    found.set(base, { ...known, left: known.left.filter((one) => one !== Number(index)) });
  }
  return [...found.values()];
};

const wordsOf = (schema: Schema): readonly string[] =>
  Array.isArray(schema["enum"]) ? schema["enum"].map(String) : [String(schema["const"])];

/** What the alternatives say that the kind rules out is of no use to anybody. */
const isOfUse = ({ base, left }: Alternatives, { schemaPath }: TLocalizedValidationError): boolean =>
  !schemaPath.startsWith(`${base}/anyOf/`) ||
  left.some((one) => schemaPath.startsWith(`${base}/anyOf/${one}/`) || schemaPath === `${base}/anyOf/${one}`);

const unknownKind = (value: unknown, { at: path, kinds }: Alternatives): Misfit => {
  const parts = [...partsOf(path), "kind"];
  const [field, found] = [fieldAt(value, parts), foundIn(at(value, parts))];
  return {
    field,
    near: field,
    on: "value",
    refusal: refuse("action-unknown", { cause: "action", facts: { actions: kinds, ...found } }),
  };
};

/** Of objects that are told apart by their keys, one that has the key of none. */
type Keyless = { readonly at: string; readonly base: string };

/**
 * An object with the key of one alternative is judged by that one alone; with the key of none, all of them would have
 * something to say of it, and what they expect is told once.
 */
const keyedApart = (schema: unknown, value: unknown, errors: readonly TLocalizedValidationError[]) => {
  const [keyless, ruledOut]: [Keyless[], string[]] = [[], []];
  for (const { instancePath, keyword, schemaPath } of errors) {
    const [all, given] = [alternativesAt(schema, schemaPath), at(value, partsOf(instancePath))];
    const isMap = typeof given === "object" && given !== null && !Array.isArray(given);
    if (keyword !== "anyOf" || !isMap || all.length === 0 || objectWith(all).cause !== "object-with-one") continue;
    const isFor = all.map((one) => requiredBy(one).some((key) => Object.hasOwn(given, key)));
    if (!isFor.includes(true)) keyless.push({ at: instancePath, base: schemaPath });
    ruledOut.push(...isFor.flatMap((isIt, index) => (isIt ? [] : [`${schemaPath}/anyOf/${index}`])));
  }
  return { keyless, ruledOut };
};

/** The whole of what was given. */
const unfit = (value: unknown): Misfit => ({
  field: "",
  near: "",
  on: "value",
  refusal: refuse("value-wrong", withFacts(plainly("object"), foundIn(value))),
});

/** Of what does not fit: one for each place, the first that was found there, and never none. */
export const misfitsIn = (
  schema: unknown,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): readonly Misfit[] => {
  const found = new Map<string, Misfit>();
  const alternatives = alternativesIn(schema, errors);
  for (const one of alternatives) {
    const misfit = unknownKind(value, one);
    if (one.left.length === 0) found.set(misfit.field, misfit);
  }
  const { keyless, ruledOut } = keyedApart(schema, value, errors);
  for (const { at: place, base } of keyless) {
    const [field, given] = [fieldAt(value, partsOf(place)), foundIn(at(value, partsOf(place)))];
    const refusal = refuse("value-wrong", withFacts(objectWith(alternativesAt(schema, base)), given));
    found.set(field, { field, near: field, on: "value", refusal });
  }
  const isOpen = ({ schemaPath }: TLocalizedValidationError) =>
    ruledOut.every((path) => schemaPath !== path && !schemaPath.startsWith(`${path}/`));
  for (const error of errors.filter((one) => isOpen(one) && alternatives.every((of) => isOfUse(of, one))))
    for (const misfit of misfitOf(schema, value, error)) if (!found.has(misfit.field)) found.set(misfit.field, misfit);
  return found.size === 0 ? [unfit(value)] : [...found.values()];
};
