// The published schema of dedalus.yaml names every adapter and engine with exactly its own keys, and nothing besides.
//
// Names and keys come from the descriptors, so that one whose keys grew without the schema is found here. What a key's
// value may be is compared by yaml-schemas.test.ts.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathAt } from "../../src/formats/dedalus/dedalus-guards.ts";
import type { Keys } from "../../src/formats/dedalus/own-keys.ts";
import { known } from "../../src/wire.ts";

type Row = { readonly keys: Keys; readonly optional: Keys };
type Rows = Readonly<Record<string, Row>>;
type Block = {
  readonly if: { readonly properties: Readonly<Record<string, { readonly const: string }>> };
  readonly then: { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] };
};
type Section = {
  readonly allOf: readonly Block[];
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
};

const { $defs } = JSON.parse(readFileSync(new URL("../../schemas/dedalus.schema.json", import.meta.url), "utf8")) as {
  readonly $defs: { readonly environment: Section; readonly ledger: Section };
};

/** What each environment and each ledger has, whichever adapter or engine it is; the first says which. */
const ENVIRONMENT = ["adapter", "approval", "desired", "maxObservationAge", "policy"] as const;
const LEDGER = ["engine"] as const;

const listed = (words: Iterable<string>): string => [...words].toSorted().join(" ");
const ownKeys = ({ keys, optional }: Row): readonly string[] => [...Object.keys(keys), ...Object.keys(optional)];

/** One line for each place where the schema says something else than the descriptors. */
const differences = (
  { allOf, properties }: Section,
  [by, ...shared]: readonly [string, ...string[]],
  rows: Rows,
): readonly string[] => {
  const names = Object.keys(rows);
  const all = new Set(Object.values(rows).flatMap(ownKeys));
  const unequal = (what: string, there: Iterable<string>, here: Iterable<string>): readonly string[] =>
    listed(there) === listed(here) ? [] : [what];
  return [
    ...unequal(`${by}: names`, properties[by]?.enum ?? [], names),
    ...unequal(
      `${by}: blocks`,
      allOf.map((block) => block.if.properties[by]?.const ?? ""),
      names,
    ),
    ...unequal(`${by}: keys`, Object.keys(properties), [by, ...shared, ...all]),
    ...allOf.flatMap(({ if: { properties: when }, then }) => {
      const name = when[by]?.const ?? "";
      const row = rows[name] ?? { keys: {}, optional: {} };
      const forbidden = Object.entries(then.properties ?? {}).flatMap(([key, is]) => (is === false ? [key] : []));
      const own = ownKeys(row);
      return [
        ...unequal(`${name}: required`, then.required ?? [], Object.keys(row.keys)),
        ...unequal(
          `${name}: forbidden`,
          forbidden,
          [...all].filter((key) => !own.includes(key)),
        ),
      ];
    }),
  ];
};

const ofAdapters = (rows: Rows) => differences($defs.environment, ENVIRONMENT, rows);
const ofEngines = (rows: Rows) => differences($defs.ledger, LEDGER, rows);

test("the schema has the adapters and engines that there are, each with its own keys", () => {
  assert.deepEqual(ofAdapters(known.adapters), []);
  assert.deepEqual(ofEngines(known.engines), []);
});

const NEW = { keys: { shrine: pathAt }, optional: {} };
const { proxmox, replay } = known.adapters;
const { postgres, sqlite } = known.engines;
assert.ok(proxmox && replay && postgres && sqlite);

test("an adapter or an engine that the schema does not name is found", () => {
  assert.deepEqual(ofAdapters({ ...known.adapters, oracle: NEW }), [
    "adapter: names",
    "adapter: blocks",
    "adapter: keys",
    "proxmox: forbidden",
    "replay: forbidden",
  ]);
  assert.deepEqual(ofEngines({ ...known.engines, papyrus: { keys: sqlite.keys, optional: {} } }), [
    "engine: names",
    "engine: blocks",
  ]);
});

test("a key that the schema does not know, or knows otherwise, is found", () => {
  const asked = { ...replay, optional: { shrine: pathAt } };
  assert.deepEqual(ofAdapters({ ...known.adapters, replay: asked }), ["adapter: keys", "proxmox: forbidden"]);
  const needed = { ...postgres, keys: { ...postgres.keys, ...postgres.optional }, optional: {} };
  assert.deepEqual(ofEngines({ ...known.engines, postgres: needed }), ["postgres: required"]);
  const borrowed = { ...sqlite, optional: { tls: pathAt } };
  assert.deepEqual(ofEngines({ ...known.engines, sqlite: borrowed }), ["sqlite: forbidden"]);
});

test("what is left in the schema of one that is gone is found", () => {
  assert.deepEqual(ofAdapters({ proxmox }), [
    "adapter: names",
    "adapter: blocks",
    "adapter: keys",
    "proxmox: forbidden",
    "replay: required",
  ]);
});
