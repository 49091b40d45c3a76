// Passkeys as a service verifies them: what a device made or used is taken, and nothing of it that was spoilt.

import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import {
  PASSKEY_NUMBERS,
  type PasskeyFlaw,
  type PasskeyVerified,
  verifyPasskeyMade,
  verifyPasskeyUsed,
} from "../../../src/boundary/identity/passkey.ts";
import type { Passkey, PasskeyAlgorithm } from "../../../src/kernel/command/request.ts";
import { type PasskeyDevice, passkeyDevice, type Shown } from "./passkey-device.ts";

const EXPECTED = { challenge: "a-challenge", origin: "https://dedalus.example" } as const;

const flawIn = (verified: PasskeyVerified<unknown>): PasskeyFlaw | "none" =>
  verified.kind === "flaw" ? verified.flaw : "none";

const keyOf = (device: PasskeyDevice): Passkey => {
  const made = verifyPasskeyMade(device.make(EXPECTED), EXPECTED);
  if (made.kind === "flaw") throw new Error(made.flaw);
  return made.value;
};

const spki = (pair: { readonly publicKey: { export(o: { format: "der"; type: "spki" }): Buffer } }): string =>
  pair.publicKey.export({ format: "der", type: "spki" }).toString("base64url");

for (const algorithm of Object.keys(PASSKEY_NUMBERS) as readonly PasskeyAlgorithm[])
  test(`a passkey of algorithm ${algorithm} is taken when it is made, and recognised when it is used`, () => {
    const device = passkeyDevice(algorithm);
    const key = keyOf(device);
    assert.deepEqual(key, {
      algorithm,
      credential: device.make(EXPECTED).id,
      publicKey: device.make(EXPECTED).publicKey,
    });
    assert.deepEqual(verifyPasskeyUsed(device.use(EXPECTED), key, EXPECTED), { kind: "ok", value: key });
  });

const SPOILT: readonly (readonly [string, Partial<Shown>, PasskeyFlaw])[] = [
  ["another challenge", { challenge: "another" }, "challenge"],
  ["another page", { origin: "https://dedalus.example.evil", hostname: "dedalus.example" }, "origin"],
  ["the same page in a frame of another", { crossOrigin: true }, "origin"],
  ["another relying party", { hostname: "other.example" }, "party"],
  ["nobody there", { flags: 0x04 }, "unverified"],
  ["somebody who was not recognised", { flags: 0x01 }, "unverified"],
];

for (const [what, spoilt, flaw] of SPOILT)
  test(`${what}: neither a made nor a used passkey is taken`, () => {
    const device = passkeyDevice("ES256");
    const key = keyOf(device);
    assert.equal(flawIn(verifyPasskeyMade(device.make({ ...EXPECTED, ...spoilt }), EXPECTED)), flaw);
    assert.equal(flawIn(verifyPasskeyUsed(device.use({ ...EXPECTED, ...spoilt }), key, EXPECTED)), flaw);
  });

test("what was made for one act is of no use for the other", () => {
  const device = passkeyDevice("ES256");
  const key = keyOf(device);
  assert.equal(flawIn(verifyPasskeyMade(device.make({ ...EXPECTED, type: "webauthn.get" }), EXPECTED)), "malformed");
  assert.equal(
    flawIn(verifyPasskeyUsed(device.use({ ...EXPECTED, type: "webauthn.create" }), key, EXPECTED)),
    "malformed",
  );
});

test("a signature of another device, or over other bytes, is none", () => {
  const [device, other] = [passkeyDevice("ES256"), passkeyDevice("ES256")];
  const key = keyOf(device);
  assert.equal(flawIn(verifyPasskeyUsed(other.use(EXPECTED), key, EXPECTED)), "signature");
  const used = device.use(EXPECTED);
  const later = device.use({ ...EXPECTED, flags: 0x1d });
  assert.equal(
    flawIn(verifyPasskeyUsed({ ...used, authenticatorData: later.authenticatorData }, key, EXPECTED)),
    "signature",
  );
  assert.equal(flawIn(verifyPasskeyUsed({ ...used, signature: "" }, key, EXPECTED)), "signature");
});

test("another credential than the known one is not it, whatever it signs", () => {
  const device = passkeyDevice("ES256");
  const key = keyOf(device);
  assert.equal(flawIn(verifyPasskeyUsed({ ...device.use(EXPECTED), id: "b3RoZXI" }, key, EXPECTED)), "credential");
  assert.equal(flawIn(verifyPasskeyMade({ ...device.make(EXPECTED), id: "b3RoZXI" }, EXPECTED)), "credential");
});

test("a key that is none, of another algorithm, or too short is refused", () => {
  const made = passkeyDevice("ES256").make(EXPECTED);
  const with_ = (publicKey: string, algorithm: number): PasskeyFlaw | "none" =>
    flawIn(verifyPasskeyMade({ ...made, algorithm, publicKey }, EXPECTED));
  assert.equal(with_("bm8ga2V5", -7), "key");
  assert.equal(with_(made.publicKey, -8), "key");
  assert.equal(with_(made.publicKey, -36), "key");
  assert.equal(with_(spki(generateKeyPairSync("ec", { namedCurve: "P-384" })), -7), "key");
  assert.equal(with_(spki(generateKeyPairSync("rsa", { modulusLength: 1024 })), -257), "key");
});

test("bytes that are too short, and text that is no JSON, are malformed", () => {
  const made = passkeyDevice("ES256").make(EXPECTED);
  assert.equal(flawIn(verifyPasskeyMade({ ...made, authenticatorData: "AAAA" }, EXPECTED)), "malformed");
  for (const clientDataJSON of ["", "bm8", "bnVsbA", "MQ"])
    assert.equal(flawIn(verifyPasskeyMade({ ...made, clientDataJSON }, EXPECTED)), "malformed");
  const cut = Buffer.from(made.authenticatorData, "base64url").subarray(0, 56).toString("base64url");
  assert.equal(flawIn(verifyPasskeyMade({ ...made, authenticatorData: cut }, EXPECTED)), "credential");
});
