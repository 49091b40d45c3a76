// A value that a browser keeps and brings back: for one purpose, until its end, unchanged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sealerOf } from "../../../src/boundary/identity/browser-seal.ts";
import { secretText } from "../../../src/ids.ts";
import type { Instant } from "../../../src/spine/model.ts";

const [BEFORE, UNTIL] = ["2026-11-18T10:00:00.000Z" as Instant, "2026-11-18T10:05:00.000Z" as Instant];
const sealer = sealerOf("a secret of the service", secretText);

test("what is sealed is opened for the same purpose until its end, also by another instance with the same secret", () => {
  const sealed = sealer.seal("sign-in", { nonce: "n" }, UNTIL);
  assert.deepEqual(sealer.open("sign-in", sealed, BEFORE), { nonce: "n" });
  assert.deepEqual(sealerOf("a secret of the service", secretText).open("sign-in", sealed, BEFORE), { nonce: "n" });
});

test("what is over, of another purpose or of another secret is not opened", () => {
  const sealed = sealer.seal("sign-in", { nonce: "n" }, UNTIL);
  assert.equal(sealer.open("sign-in", sealed, UNTIL), undefined);
  assert.equal(sealer.open("session", sealed, BEFORE), undefined);
  assert.equal(sealerOf("another secret", secretText).open("sign-in", sealed, BEFORE), undefined);
});

test("no byte of it can be another, and nothing can be left out or added", () => {
  const sealed = sealer.seal("session", { token: "t" }, UNTIL);
  const bytes = Buffer.from(sealed, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(at) ^ 1, at);
    assert.equal(sealer.open("session", altered.toString("base64url"), BEFORE), undefined, String(at));
  }
  assert.equal(sealer.open("session", bytes.subarray(0, -1).toString("base64url"), BEFORE), undefined);
  for (const other of ["", "AAAA", `${sealed}=`, `${sealed} `, "…"])
    assert.equal(sealer.open("session", other, BEFORE), undefined, other);
});

test("the same value is sealed differently every time, and tells nothing of itself", () => {
  const [one, other] = [sealer.seal("session", { token: "t" }, UNTIL), sealer.seal("session", { token: "t" }, UNTIL)];
  assert.notEqual(one, other);
  assert.ok(!Buffer.from(one, "base64url").toString("latin1").includes("token"));
});
