// The words of the YAML schemas: every key is explained, and every pattern is a parser's own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as configFields from "../../src/formats/dedalus/dedalus-fields.ts";
import * as fields from "../../src/formats/fields.ts";
import { MEMORY_PATTERN } from "../../src/formats/memory-text.ts";
import { SUBJECT_PATTERN } from "../../src/spine/values/subject.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const schemaOf = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));

const everyIn = (value: Json, visit: (node: { [key: string]: Json }) => void): void => {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) visit(value);
  for (const member of Object.values(value)) everyIn(member, visit);
};

test("the schemas say the patterns of the parsers and no others", () => {
  const known = new Set<Json>([
    ...Object.values({ ...fields, ...configFields }).filter((value) => typeof value === "string"),
    MEMORY_PATTERN,
    SUBJECT_PATTERN,
  ]);
  for (const label of ["desired", "dedalus"]) {
    const found = new Set<Json>();
    everyIn(schemaOf(label), ({ pattern }) => pattern !== undefined && found.add(pattern));
    assert.ok(found.size > 3, label);
    for (const pattern of found) assert.ok(known.has(pattern), `${label}: ${pattern}`);
  }
});

test("every key of the schemas is explained, and every schema has its address", () => {
  for (const [label, least] of [
    ["desired", 8],
    ["dedalus", 8],
    ["policy", 3],
    ["client", 3],
  ] as const) {
    const schema = Object(schemaOf(label));
    assert.equal(schema.$id, `https://schemas.dedalus.example/v1/${label}.schema.json`);
    let keys = 0;
    const explained = (properties: Json): void => {
      for (const [key, property] of Object.entries(Object(properties))) {
        keys += 1;
        const { $ref, description, title } = Object(property);
        const isNamed = typeof title === "string" && typeof description === "string";
        assert.ok(isNamed || typeof $ref === "string", `${label}: ${key}`);
      }
    };
    for (const shape of [schema, ...Object.values<typeof schema>(schema.$defs)]) {
      assert.ok(shape.title && shape.description, label);
      explained(shape.properties);
    }
    assert.ok(keys > least, label);
  }
});
