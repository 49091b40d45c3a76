// schemas/answer.schema.json and schemas/explanation.schema.json: what is printed with --json, made from the tables
// beside this file.
//
// Written by `make docs`; the same tables give the same text. That what is printed really fits is tested on every
// command (test/live/json-answers.test.ts).

import { ANSWER_NAMES, type AnswerName } from "../../src/service/json/answer-names.ts";
import { ANSWERS, WALK_PART } from "./answers.ts";
import { EXPLANATION } from "./explanation.ts";
import { FIELDS } from "./fields.ts";
import { described, type JsonSchema, objectOf, part } from "./json-schema.ts";
import { PARTS } from "./parts.ts";

export const ANSWER_SCHEMA_PATH = "schemas/answer.schema.json";
export const EXPLANATION_SCHEMA_PATH = "schemas/explanation.schema.json";

const HEAD = { $schema: "https://json-schema.org/draft/2020-12/schema" } as const;
const idOf = (path: string): string => `https://schemas.dedalus.example/v1/${path.replace("schemas/", "")}`;

/** In the place of any answer. */
const FAILURE = described(
  "An error in the place of an answer.",
  objectOf(FIELDS, "beside?", "error", "recovered?", "unanswered?"),
);

const answerOf = (name: AnswerName): JsonSchema => {
  const [first, ...more] = ANSWERS[name];
  return first !== undefined && more.length === 0 ? first : { anyOf: ANSWERS[name] };
};

/** An answer by its name, an error in its place. */
const answerSchema = (): JsonSchema => ({
  ...HEAD,
  $id: idOf(ANSWER_SCHEMA_PATH),
  title: "What a command prints with --json",
  description:
    "One JSON value: the answer of the command, by the name that docs/json.md gives, or an error. Within a major version members are added, and none is renamed or removed.",
  anyOf: [part("errorAnswer"), ...ANSWER_NAMES.map((name) => part(name))],
  $defs: {
    errorAnswer: FAILURE,
    ...Object.fromEntries(ANSWER_NAMES.map((name) => [name, answerOf(name)])),
    walk: described("A walk over the plan of one VM.", WALK_PART),
    ...prefixed(),
  },
});

/** A part and an answer of one name would be one. */
const prefixed = (): Readonly<Record<string, JsonSchema>> => {
  const both = Object.keys(PARTS).filter((name) => ANSWER_NAMES.some((one) => one === name));
  if (both.length > 0) throw new Error(`both a part and an answer: ${both.join(", ")}`);
  return PARTS;
};

const explanationSchema = (): JsonSchema => ({ ...HEAD, $id: idOf(EXPLANATION_SCHEMA_PATH), ...EXPLANATION });

const WIDTH = 120;

/** As biome writes JSON: words of a list on one line where they fit, everything else a line each. */
const written = (value: unknown, indent: string, before: number): string => {
  const inner = `${indent}  `;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
    const inline = `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
    if (before + inline.length < WIDTH) return inline;
  }
  if (Array.isArray(value)) {
    return `[\n${value.map((one) => `${inner}${written(one, inner, inner.length)}`).join(",\n")}\n${indent}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => {
    const start = `${inner}${JSON.stringify(name)}: `;
    return `${start}${written(one, inner, start.length)}`;
  });
  return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
};

export const schemaText = (schema: JsonSchema): string => `${written(schema, "", 0)}\n`;

/** The text of each file, by its path. */
export const schemaTexts = (): Readonly<Record<string, string>> => ({
  [ANSWER_SCHEMA_PATH]: schemaText(answerSchema()),
  [EXPLANATION_SCHEMA_PATH]: schemaText(explanationSchema()),
});
