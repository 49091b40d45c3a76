// What an error of the driver or of the server means for a ledger is told by its code, and its text holds no secret.

import assert from "node:assert/strict";
import { test } from "node:test";
import { targetOf } from "../../src/ledger/engines/postgres/postgres-target.ts";

const target = targetOf("postgres://user:hunter2@127.0.0.1/ledger");
const failure = target.kind === "target" ? target.failure : assert.fail("a target");
const coded = (code: string, message = "no"): Error => Object.assign(new Error(message), { code });

test("nobody to ask, nobody to trust, and whatever else a server says are three causes", () => {
  for (const code of ["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "57P01"])
    assert.equal(failure(coded(code)).cause, "unreachable", code);
  for (const code of ["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"])
    assert.equal(failure(coded(code)).cause, "untrusted", code);
  for (const text of ["timeout expired", "Connection terminated unexpectedly"])
    assert.equal(failure(new Error(text)).cause, "unreachable", text);
  for (const code of ["53100", "XX001", "28P01"]) assert.equal(failure(coded(code)).cause, "server-said", code);
  assert.equal(failure(coded("28P01", "ECONNREFUSED is a word in this text")).cause, "server-said");
});

test("one of several addresses that cannot be trusted is enough", () => {
  const all = new AggregateError([coded("ECONNREFUSED", "a"), coded("CERT_HAS_EXPIRED", "b")]);
  const { cause, facts } = failure(all);
  assert.deepEqual([cause, facts["said"]], ["untrusted", "a (ECONNREFUSED); b (CERT_HAS_EXPIRED)"]);
});

test("what is said is said without the password", () => {
  assert.equal(failure(coded("28P01", "no hunter2 here")).facts["said"], "no … here (28P01)");
});
