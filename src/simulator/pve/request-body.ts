// The body of a request as parameters: a form or JSON, of at most 512 KiB; everything else is turned away.

import { parseJson } from "../../formats/json/json-text.ts";
import type { Params } from "./schema.ts";

export const BODY_BYTES_MAX = 512 * 1024;

export type Body =
  | { readonly kind: "params"; readonly params: Params }
  | { readonly kind: "bad"; readonly reason: string };

const plain = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  if (typeof value === "number") return `${value}`;
  return typeof value === "boolean" ? (value ? "1" : "0") : undefined;
};

const fromJson = (text: string): Body => {
  const parsed = parseJson(text, "body", BODY_BYTES_MAX);
  if (
    parsed.kind === "bad" ||
    typeof parsed.value !== "object" ||
    parsed.value === null ||
    Array.isArray(parsed.value)
  ) {
    return { kind: "bad", reason: "malformed JSON string" };
  }
  const params = new Map<string, string>();
  for (const [name, value] of Object.entries(parsed.value)) {
    const text = plain(value);
    if (text !== undefined) params.set(name, text);
  }
  return { kind: "params", params };
};

export const readBody = (text: string, contentType: string | undefined): Body => {
  if (text === "") return { kind: "params", params: new Map() };
  if (contentType?.startsWith("application/json") === true) return fromJson(text);
  return { kind: "params", params: new Map(new URLSearchParams(text)) };
};
