// The envelope of a record: both ways to ask for its fields agree, and its texts are written as RFC 8785 writes them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { envelopeFlaw, hasFields } from "../../src/ledger/record/envelope.ts";
import { GENESIS, type LedgerRecord } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { canonicalText } from "../spine/reference.ts";
import { draft, ulid } from "./drafts.ts";

const textOf = (line: Uint8Array): string => new TextDecoder().decode(line);

test("asking field by field and asking the table say the same of any record", () => {
  const { record } = seal(draft(1, { asked: sha256("b"), blobs: [sha256("a")], causationId: ulid(3) }), {
    prev: GENESIS,
    seq: 0,
  });
  const wrong: readonly unknown[] = [
    "",
    "x",
    5,
    -1,
    1.5,
    null,
    [],
    [""],
    ["x"],
    {},
    true,
    ulid(1),
    sha256("a"),
    "é\ud800",
  ];
  for (const name of Object.keys(record)) {
    for (const value of wrong) {
      const changed: LedgerRecord = { ...record, [name]: value };
      assert.equal(hasFields(changed), envelopeFlaw(changed) === undefined, `${name}: ${JSON.stringify(value)}`);
    }
  }
});

test("every field has its own condition, and every part of an actor", () => {
  const { record } = seal(draft(1, { asked: sha256("b"), blobs: [sha256("a")], causationId: ulid(3) }), {
    prev: GENESIS,
    seq: 0,
  });
  const { actor } = record;
  const fieldOf = (changes: object): unknown => envelopeFlaw({ ...record, ...changes })?.facts["field"];
  const right: readonly object[] = [
    {},
    { actor: { ...actor, kind: "agent" } },
    { actor: { ...actor, kind: "kernel" } },
    { actor: { ...actor, roles: [] } },
    { actor: { ...actor, roles: ["a", "b"] } },
    { blobs: [] },
    { blobs: [sha256("a"), sha256("b")] },
    { body: {} },
    { eventTime: "2026-12-31T23:59:59.999Z" },
  ];
  for (const changes of right) assert.equal(fieldOf(changes), undefined, JSON.stringify(changes));
  const wrong: readonly (readonly [string, unknown])[] = [
    ...[
      null,
      "alice",
      [],
      { id: "a", kind: "person" },
      { id: "a", roles: [] },
      { kind: "person", roles: [] },
      { ...actor, more: 1 },
      { ...actor, id: 5 },
      { ...actor, kind: "robot" },
      { ...actor, roles: "operator" },
      { ...actor, roles: ["operator", ""] },
      { ...actor, roles: [5, "operator"] },
    ].map((value) => ["actor", value] as const),
    ...["text", null, [1], 5].map((value) => ["body", value] as const),
    ...["text", [sha256("a"), "x"], {}].map((value) => ["blobs", value] as const),
    ...["kind", "environment"].flatMap((name) => ["", 5, null].map((value) => [name, value] as const)),
    ...["eventTime", "processTime"].flatMap((name) =>
      ["2026-01-01T00:00:00Z", 5, null].map((value) => [name, value] as const),
    ),
    ["seq", -1],
    ["seq", "0"],
    ["v", 2],
  ];
  for (const [name, value] of wrong) {
    assert.equal(fieldOf({ [name]: value }), name, `${name}: ${JSON.stringify(value)}`);
    assert.ok(!hasFields({ ...record, [name]: value } as LedgerRecord), `${name}: ${JSON.stringify(value)}`);
  }
  const optional = new Set(["asked", "blobs", "causationId", "environment"]);
  for (const name of Object.keys(record)) {
    const { [name]: _, ...rest } = { ...record } as { [key: string]: unknown };
    assert.equal(envelopeFlaw(rest)?.facts["field"], optional.has(name) ? undefined : name);
  }
});

test("one text of the envelope that needs an escape is enough, whichever it is", () => {
  for (const text of ['a"b', "a\\b", "a\nb"]) {
    for (const changes of [
      { actor: { id: text, kind: "person", roles: [] } },
      { actor: { id: "a", kind: "person", roles: ["plain", text] } },
      { actor: { id: "a", kind: "person", roles: [text, "plain"] } },
      { environment: text },
      { kind: text },
    ] as const) {
      const { line, record } = seal(draft(1, changes), { prev: GENESIS, seq: 0 });
      assert.equal(textOf(line), canonicalText(record));
      assert.deepEqual(JSON.parse(textOf(line)), { ...draft(1, changes), prev: GENESIS, seq: 0, v: 1 });
    }
  }
});

test("a record has what its draft has and its place, and no key besides", () => {
  const place = { prev: GENESIS, seq: 4 };
  const { environment: _, ...bare } = draft(1);
  const whole = draft(1, { asked: sha256("b"), blobs: [], causationId: ulid(3) });
  for (const one of [bare, draft(1), whole, { ...whole, actor: { ...whole.actor, roles: [] } }]) {
    const { line, record } = seal(one, place);
    assert.deepEqual(record, { ...one, ...place, v: 1 });
    assert.deepEqual(JSON.parse(textOf(line)), record);
    assert.deepEqual(Object.keys(JSON.parse(textOf(line))), Object.keys(record));
  }
});

test("texts of the envelope with escapes are written as RFC 8785 writes them, and halves of pairs are not", () => {
  for (const text of ['a"b', "a\\b", "tab\tin", "\u0001", "é", "𝄞", "\u2028"]) {
    const named = draft(1, { actor: { id: text, kind: "person", roles: [text] }, environment: text, kind: text });
    const { line, record } = seal(named, { prev: GENESIS, seq: 0 });
    assert.equal(textOf(line), canonicalText(record));
  }
  for (const changes of [
    { environment: "\ud800" },
    { kind: "\udc00" },
    { actor: { id: "\ud800", kind: "person", roles: [] } },
  ] as const)
    assert.throws(() => seal(draft(1, changes), { prev: GENESIS, seq: 0 }), /half-surrogate/);
});
