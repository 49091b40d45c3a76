// The parser of scenarios and their published schema agree: what one takes, the other takes, but for what a schema
// cannot say of a value: that a node, a role or a user is written elsewhere, and that none is written twice.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { parse } from "yaml";
import { INSTANT_PATTERN, NAME_PATTERN, TEXT_PATTERN } from "../../src/formats/fields.ts";
import { MEMORY_PATTERN } from "../../src/formats/memory-text.ts";
import * as patterns from "../../src/formats/scenario/scenario-fields.ts";
import { parseScenario } from "../../src/formats/scenario/scenario-yaml.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const file = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const isValid = new Ajv2020({ allErrors: false, strict: true, strictRequired: false }).compile(
  JSON.parse(file("schemas/scenario.schema.json")),
);

const EXAMPLE: Json = parse(file("examples/three-nodes.yaml"));
const [WHOLE = ""] = Array.from(
  file("docs/simulator.md").matchAll(/^```yaml\n([\s\S]*?)^```$/gm),
  ([, body]) => body ?? "",
);
const DOCUMENT: Json = parse(WHOLE);

/** What a list of names elsewhere in the file decides. */
const BEYOND_SCHEMA = ["listed-node", "listed-role", "listed-user", "node-twice", "snapshot-twice", "twice"];
/** The schema knows the form of a date, and not which months have 31 days. */
const BEYOND_FORM = "quoted-time";

type Spot = { readonly holder: Json[] | { [key: string]: Json }; readonly key: string };
const placesOf = (value: Json): readonly Spot[] =>
  value === null || typeof value !== "object"
    ? []
    : Object.keys(value).flatMap((key) => [{ holder: value, key }, ...placesOf(Reflect.get(value, key))]);

const junk = fc.constantFrom<Json>(
  ...[null, true, false, 0, 1, -1, 1.5, 99, 100, 1001, 2 ** 31],
  ...[
    "",
    " a",
    "pve1",
    "pve1-",
    "vm",
    "ct",
    "running",
    "9.2",
    "9.2.3",
    "2 GiB",
    "2 GB",
    "5 min",
    "5m",
    "500 ms",
    "01 s",
  ],
  ...[
    "a@pve",
    "a@pve!b",
    "/",
    "vms",
    "/vms/101",
    "start",
    "observe",
    "lies",
    "reset",
    "html",
    "PVEAuditor",
    "a\nb",
    "\u202e",
  ],
  ...["2026-01-01T00:00:00Z", "2026-01-01"],
  [],
  {},
  [1],
  { kind: "lies" },
  { kind: "quorum-lost" },
  { call: "start" },
  { a: "b" },
);
const stray = fc.constantFrom(
  "x",
  "config",
  "name",
  "how",
  "by",
  "vmid",
  "node",
  "change",
  "fate",
  "on",
  "at",
  "__proto__",
);
const spoil = fc.record({ at: fc.nat(), how: fc.constantFrom("drop", "add", "replace"), key: stray, value: junk });

const spoilt = (
  value: Json,
  { at, how, key, value: other }: { at: number; how: string; key: string; value: Json },
): Json => {
  const copy: Json = structuredClone(value);
  const spots = placesOf(copy);
  const spot = spots[at % spots.length];
  if (spot === undefined) return copy;
  const put = (name: string): void => {
    Object.defineProperty(spot.holder, name, {
      configurable: true,
      enumerable: true,
      value: other,
      writable: true,
    });
  };
  if (how === "replace") put(spot.key);
  else if (how === "add" && !Array.isArray(spot.holder)) put(key);
  else if (Array.isArray(spot.holder)) spot.holder.splice(Number(spot.key), 1);
  else delete spot.holder[spot.key];
  return copy;
};

const textOf = (value: Json): string =>
  JSON.stringify(value).replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

test("the example and the document's scenario fit the schema", () => {
  assert.ok(isValid(EXAMPLE), JSON.stringify(isValid.errors));
  assert.ok(isValid(DOCUMENT), JSON.stringify(isValid.errors));
});

test("the schema says the same patterns as the parser", () => {
  const text = file("schemas/scenario.schema.json");
  const own = Object.entries(patterns).flatMap(([name, value]) => (name.endsWith("_PATTERN") ? [`${value}`] : []));
  assert.ok(own.length >= 6);
  for (const pattern of [...own, INSTANT_PATTERN, MEMORY_PATTERN, NAME_PATTERN, TEXT_PATTERN]) {
    assert.ok(text.includes(JSON.stringify(pattern)), pattern);
  }
});

test("what the parser takes fits the schema, and what fits the schema the parser takes", () => {
  const seen = { bad: 0, ok: 0 };
  fc.assert(
    fc.property(fc.constantFrom(EXAMPLE, DOCUMENT), fc.array(spoil, { maxLength: 2 }), (whole, spoils) => {
      const value = spoils.reduce(spoilt, whole);
      const parsed = parseScenario(textOf(value), "s.yaml");
      seen[parsed.kind] += 1;
      const isBeyond =
        parsed.kind === "bad" &&
        parsed.problems.every(({ cause = "" }) => BEYOND_SCHEMA.includes(cause) || cause === BEYOND_FORM);
      if (isBeyond) return;
      assert.equal(
        isValid(value),
        parsed.kind === "ok",
        `${textOf(value)} ${JSON.stringify(parsed)} ${JSON.stringify(isValid.errors)}`,
      );
    }),
    { numRuns: 500, seed: 7 },
  );
  assert.ok(seen.ok > 50 && seen.bad > 50, JSON.stringify(seen));
});
