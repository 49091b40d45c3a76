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
