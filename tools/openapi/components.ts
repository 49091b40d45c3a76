// The published schemas as components of one document: whatever is referred to, in whichever file and however deep,
// becomes a component of its own, and every reference names one.

import { readFileSync } from "node:fs";
import { schemaTexts } from "../answers/answer-schema.ts";
import type { JsonSchema } from "../answers/json-schema.ts";

type Place = { readonly file: string; readonly pointer: string };

const generated = schemaTexts();
const files = new Map<string, unknown>();
const readSchema = (file: string): unknown => {
  const path = `schemas/${file}.schema.json`;
  const known =
    files.get(file) ?? JSON.parse(generated[path] ?? readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
  files.set(file, known);
  return known;
};

const placeOf = (ref: string, from: string): Place => {
  const [file = "", pointer = ""] = ref.split("#");
  return { file: file === "" ? from : file.replace(/\.schema\.json$/, ""), pointer };
};

/** What answers are made of is named as it is there; everything else by its file. */
const nameOf = ({ file, pointer }: Place): string => {
  const parts = pointer.split("/").filter((part) => part !== "" && part !== "$defs");
  return file === "answer" && parts.length > 0 ? parts.join(".") : [file, ...parts].join(".");
};

const resolved = ({ file, pointer }: Place): unknown =>
  pointer
    .split("/")
    .filter((part) => part !== "")
    .reduce<unknown>((inner, part) => Object(inner)[part], readSchema(file));

/** What a reference in one file leads to, and in which file that is. */
export const schemaAt = (ref: string, from: string): { readonly file: string; readonly schema: unknown } => {
  const place = placeOf(ref, from);
  return { file: place.file, schema: resolved(place) };
};

const HEADS = new Set(["$schema", "$id", "$defs"]);

export type Components = {
  readonly all: () => Readonly<Record<string, JsonSchema>>;
  /** A reference to the component that a place becomes. */
  readonly refTo: (file: string, pointer?: string) => JsonSchema;
};

export const components = (): Components => {
  const made = new Map<string, JsonSchema>();
  const places = new Map<string, string>();
  const rewritten = (value: unknown, from: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => rewritten(one, from));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([keyword]) => !HEADS.has(keyword))
        .map(([keyword, one]) => [
          keyword,
          keyword === "$ref" ? add(placeOf(String(one), from)) : rewritten(one, from),
        ]),
    );
  };
  const add = (place: Place): string => {
    const [name, key] = [nameOf(place), `${place.file}#${place.pointer}`];
    if ((places.get(name) ?? key) !== key) throw new Error(`two components are called ${name}`);
    if (!places.has(name)) {
      places.set(name, key);
      made.set(name, rewritten(resolved(place), place.file) as JsonSchema);
    }
    return `#/components/schemas/${name}`;
  };
  return {
    all: () => Object.fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1))),
    refTo: (file, pointer = "") => ({ $ref: add({ file, pointer }) }),
  };
};
