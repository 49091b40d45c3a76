// A body as JSON: UTF-8 without a flaw, no key twice, no bottomless nesting, and an object. Nothing is converted,
// dropped or filled in; what is wrong is told with its line and column.
//
// Not here: what a route takes (request-check.ts). Keeps P7-F1.

import { parseJson } from "../../formats/json/json-text.ts";
import { type Parsed, problem, wholeFile } from "../../formats/problem.ts";

/** How a body is called in problems. */
export const BODY_NAME = "body";

export type JsonBody = { readonly text: string; readonly value: Readonly<Record<string, unknown>> };

const NOTHING: JsonBody = { text: "{}", value: {} };
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is JsonBody["value"] =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** No body at all says nothing, as an empty object does. */
export const jsonBodyOf = (bytes: Uint8Array | undefined): Parsed<JsonBody> => {
  if (bytes === undefined || bytes.length === 0) return { kind: "ok", value: NOTHING };
  const top = wholeFile(BODY_NAME);
  const text = textOf(bytes);
  if (text === undefined) return { kind: "bad", problems: [problem("text-malformed", top, { cause: "not-utf8" })] };
  const parsed = parseJson(text, BODY_NAME);
  if (parsed.kind === "bad") return parsed;
  const { value } = parsed;
  if (isObject(value)) return { kind: "ok", value: { text, value } };
  const found = Array.isArray(value) ? "list" : value === null ? "null" : typeof value;
  const about = { cause: "object", facts: { found, foundAs: "bare" } } as const;
  return { kind: "bad", problems: [problem("type-wrong", top, about)] };
};
