// The published schema of a record, held against what a record must be: both take the same, and both turn away the
// same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { envelopeFlaw } from "../../src/ledger/record/envelope.ts";
import { HISTORIES, recordsOf } from "../history-files.ts";

const SCHEMA = JSON.parse(readFileSync(new URL("../../schemas/record.schema.json", import.meta.url), "utf8"));
const isRecordBySchema = new Ajv2020({ strictTypes: false }).compile(SCHEMA);

type Value = Readonly<Record<string, unknown>>;
const both = (value: Value): readonly [schema: boolean, envelope: boolean] => [
  isRecordBySchema(value),
  envelopeFlaw(value) === undefined,
];

const RECORDS: readonly Value[] = HISTORIES.flatMap(recordsOf);

test("every record of every history fits the schema", () => {
  assert.ok(RECORDS.length > 0);
  for (const record of RECORDS) assert.ok(isRecordBySchema(record), JSON.stringify(isRecordBySchema.errors));
});

/** One with every field that a record may have. */
const [first = {}] = RECORDS;
const ULID = "01M7FACG800000000000000002";
const DIGEST = "0".repeat(64);
const WHOLE: Value = { ...first, asked: DIGEST, blobs: [DIGEST], causationId: ULID, environment: "home" };

test("the schema has exactly the fields of a record, and requires those that no record lacks", () => {
  assert.deepEqual(both(WHOLE), [true, true]);
  assert.deepEqual(Object.keys(SCHEMA.properties).toSorted(), Object.keys(WHOLE).toSorted());
  for (const field of Object.keys(WHOLE)) {
    const { [field]: _, ...rest } = WHOLE;
    const isOptional = !SCHEMA.required.includes(field);
    assert.deepEqual(both(rest), [isOptional, isOptional], field);
  }
  assert.deepEqual(both({ ...WHOLE, stranger: 1 }), [false, false]);
});

const ODD: readonly unknown[] = [
  null,
  true,
  "",
  "x",
  "home",
  0,
  1,
  -1,
  1.5,
  2 ** 53,
  [],
  [""],
  ["x"],
  [DIGEST],
  {},
  DIGEST,
  DIGEST.slice(1),
  `${DIGEST.slice(1)}A`,
  ULID,
  `8${ULID.slice(1)}`,
  `${ULID.slice(1)}U`,
  ULID.toLowerCase(),
  "2026-11-17T12:00:00.000Z",
  "2026-11-17T12:00:00Z",
  "2026-13-17T12:00:00.000Z",
  { id: "alice", kind: "person", roles: [] },
  { id: "alice", kind: "robot", roles: [] },
  { id: "", kind: "person", roles: [] },
  { id: "alice", kind: "person", roles: [""] },
  { id: "alice", kind: "person" },
  { id: "alice", kind: "person", more: 1, roles: [] },
];

test("of any value in any field, schema and program say the same", () => {
  for (const field of Object.keys(WHOLE)) {
    for (const odd of ODD) {
      const [schema, envelope] = both({ ...WHOLE, [field]: odd });
      assert.equal(schema, envelope, `${field}: ${JSON.stringify(odd)}`);
    }
  }
});
