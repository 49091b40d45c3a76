// What a schema finds wrong with a request, as refusals with the place of each: a key too many, a key that is
// missing, a value of another type or not allowed.
//
// Of alternatives that all fail, the place where they do is told once. The checker's own sentences are not used:
// they are nobody's contract. Keeps P7-F1.

import type { TLocalizedValidationError } from "typebox/error";
import { type Expectation, foundIn, oneOfWords, plainly, unknownKey, wholeNumber } from "../../formats/expectation.ts";
import { fieldOf, itemOf } from "../../formats/field-path.ts";
import type { Misfit } from "../../formats/json/json-position.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";

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
      return [{ field, near: field, on: "value", refusal: refuse(code, withFacts(expectedBy(here), found)) }];
    }
  }
};

/** One for each place: the first that was found there. */
export const misfitsIn = (
  schema: unknown,
  value: unknown,
  errors: readonly TLocalizedValidationError[],
): readonly Misfit[] => {
  const found = new Map<string, Misfit>();
  for (const error of errors)
    for (const misfit of misfitOf(schema, value, error)) if (!found.has(misfit.field)) found.set(misfit.field, misfit);
  return [...found.values()];
};
