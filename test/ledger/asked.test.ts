// What a key was used for, from a record alone: the hash that docs/RECORDS.md tells strangers to expect.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { keyUseOf } from "../../src/ledger/record/asked.ts";
import type { Draft } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { chained, draft, ulid } from "./drafts.ts";

const used = (changes: Partial<Draft>) => {
  const [sealed] = chained([draft(4, changes)]);
  assert.ok(sealed);
  return keyUseOf(sealed.record);
};
const hashed = (text: string): string => createHash("sha256").update(text).digest("hex");

test("a record's use of its key is its caller, its key and the hash of what was asked", () => {
  assert.deepEqual(used({ body: { door: "local", request: { a: 1, text: "é" }, result: {} } }), {
    caller: "alice",
    key: ulid(4),
    request: hashed('{"environment":"home","kind":"annotate","request":{"a":1,"text":"é"}}'),
    seq: 0,
  });
});

test("what was asked is where, the kind and the request, and nothing of when, by which try or to which end", () => {
  const asked = { body: { request: { a: 1 }, result: "granted" } };
  const { request } = used(asked);
  const same: readonly Partial<Draft>[] = [
    { body: { request: { a: 1 }, result: "refused" } },
    { ...asked, auditId: ulid(7), correlationId: ulid(7), instance: ulid(7) },
    { ...asked, eventTime: draft(9).eventTime, processTime: draft(9).processTime },
  ];
  for (const changes of same) assert.equal(used(changes).request, request, JSON.stringify(changes));
  const others: readonly Partial<Draft>[] = [
    { body: { request: { a: 2 } } },
    { body: {} },
    { ...asked, environment: "lab" },
    { ...asked, kind: "apply" },
  ];
  const hashes = new Set(others.map((changes) => used(changes).request));
  assert.equal(hashes.has(request), false);
  assert.equal(hashes.size, others.length);
});

test("a record that answers a door's request has used its key for that, whatever it records itself", () => {
  const asked = sha256("what the door was asked");
  const [one, other] = [{ request: { observation: 1 } }, { request: { observation: 2 } }];
  assert.equal(used({ asked, body: one }).request, asked);
  assert.equal(used({ asked, body: other }).request, asked);
  assert.notEqual(used({ body: one }).request, used({ body: other }).request);
});
