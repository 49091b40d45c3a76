// What a record says of a copy: which copy, whether it was granted, and which lines finish one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { copyFinishedBy, copyOf, grantedIn, SEAL, sealIn, UNSEAL } from "../../src/ledger/record/copy-marks.ts";
import { GENESIS, type Sealed } from "../../src/ledger/record/record.ts";
import { seal } from "../../src/ledger/record/seal.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { draft } from "./drafts.ts";

const COPY = sha256("copy");
const DONE = { kind: "done" };
const made = (kind: string, body: { readonly [key: string]: Json }): Sealed =>
  seal(draft(1, { body, kind }), { prev: GENESIS, seq: 0 });

test("the copy is named in the request, or in the result as records of before have it", () => {
  const named = (body: { readonly [key: string]: Json }) => copyOf(made(SEAL, body).record);
  assert.equal(named({ request: { copy: COPY }, result: DONE }), COPY);
  assert.equal(named({ request: {}, result: { copy: COPY } }), COPY);
  assert.equal(named({ request: { copy: COPY }, result: { copy: sha256("other") } }), COPY);
  assert.equal(named({ result: { copy: COPY } }), COPY);
  for (const request of [null, "copy", { copy: "no hash" }, {}]) assert.equal(named({ request }), undefined);
});

test("a seal is a line of its kind that was granted", () => {
  const seqOf = (kind: string, body: { readonly [key: string]: Json }) => sealIn(made(kind, body).line)?.kind;
  assert.equal(seqOf(SEAL, { door: "cli", result: DONE }), SEAL);
  assert.equal(seqOf(SEAL, { result: {} }), SEAL, "of before there was a door");
  assert.equal(seqOf(SEAL, { door: "cli", result: { kind: "refused" } }), undefined);
  assert.equal(seqOf(SEAL, { door: "cli", result: null }), undefined);
  assert.equal(seqOf(SEAL, { door: "cli" }), undefined);
  assert.equal(seqOf("note", { kind: SEAL, result: DONE }), undefined, "it only speaks of one");
  assert.equal(seqOf(UNSEAL, { result: DONE }), undefined);
  assert.equal(grantedIn(made(UNSEAL, { result: DONE }).line, UNSEAL)?.kind, UNSEAL);
  assert.equal(sealIn(Buffer.from(`no record "kind":"${SEAL}"`)), undefined);
});

test("a copy is finished by the seal of what moved or by the record of a restore", () => {
  const body = { door: "cli", request: { copy: COPY }, result: DONE };
  assert.equal(copyFinishedBy(made(SEAL, body).line), COPY);
  assert.equal(copyFinishedBy(made("ledger.restore", body).line), COPY);
  assert.equal(copyFinishedBy(made(UNSEAL, body).line), undefined);
  assert.equal(copyFinishedBy(made(SEAL, { ...body, result: { kind: "refused" } }).line), undefined);
});
