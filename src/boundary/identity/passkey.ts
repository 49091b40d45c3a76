// Passkeys (WebAuthn level 3), as far as a service verifies one itself: the key that a browser made, and that it
// was used.
//
// No attestation is asked for: whoever redeems an invitation brings the key, and which device holds it proves
// nothing more. The browser hands over the key as SPKI, so nothing has to be read from CBOR. Pure. Not here: whose
// key it is (the kernel's records), the challenge (passkey-flow.ts). Keeps B2.

import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Passkey, PasskeyAlgorithm } from "../../kernel/command/request.ts";

/** As browsers number them (COSE): ECDSA on P-256, Ed25519, RSA. */
export const PASSKEY_NUMBERS = { ES256: -7, EdDSA: -8, RS256: -257 } as const satisfies Readonly<
  Record<PasskeyAlgorithm, number>
>;

/** All bytes are base64url. */
export type PasskeyMade = {
  readonly algorithm: number;
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly id: string;
  readonly publicKey: string;
};
export type PasskeyUsed = {
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly id: string;
  readonly signature: string;
};
export type PasskeyExpected = { readonly challenge: string; readonly origin: string };

export type PasskeyFlaw =
  | "challenge"
  | "credential"
  | "key"
  | "malformed"
  | "origin"
  | "party"
  | "signature"
  | "unverified";
export type PasskeyVerified<T> =
  | { readonly kind: "flaw"; readonly flaw: PasskeyFlaw }
  | { readonly kind: "ok"; readonly value: T };

const flawed = (flaw: PasskeyFlaw): PasskeyVerified<never> => ({ flaw, kind: "flaw" });

export const verifyPasskeyMade = (made: PasskeyMade, expected: PasskeyExpected): PasskeyVerified<Passkey> => {
  const flaw = clientFlaw(made.clientDataJSON, "webauthn.create", expected) ?? authenticatorFlaw(made, expected.origin);
  if (flaw !== undefined) return flawed(flaw);
  if (credentialIn(bytesOf(made.authenticatorData)) !== made.id) return flawed("credential");
  const algorithm = algorithmOf(made.algorithm);
  if (algorithm === undefined || keyOf(made.publicKey, algorithm) === undefined) return flawed("key");
  return { kind: "ok", value: { algorithm, credential: made.id, publicKey: made.publicKey } };
};

export const verifyPasskeyUsed = (
  used: PasskeyUsed,
  known: Passkey,
  expected: PasskeyExpected,
): PasskeyVerified<Passkey> => {
  const flaw = clientFlaw(used.clientDataJSON, "webauthn.get", expected) ?? authenticatorFlaw(used, expected.origin);
  if (flaw !== undefined) return flawed(flaw);
  if (used.id !== known.credential) return flawed("credential");
  const key = keyOf(known.publicKey, known.algorithm);
  if (key === undefined) return flawed("key");
  const signed = Buffer.concat([bytesOf(used.authenticatorData), sha256Of(bytesOf(used.clientDataJSON))]);
  const hash = known.algorithm === "EdDSA" ? null : "sha256";
  return verify(hash, signed, key, bytesOf(used.signature)) ? { kind: "ok", value: known } : flawed("signature");
};

const bytesOf = (text: string): Buffer => Buffer.from(text, "base64url");
const sha256Of = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

const ALGORITHMS = Object.keys(PASSKEY_NUMBERS) as readonly PasskeyAlgorithm[];
const algorithmOf = (number: number): PasskeyAlgorithm | undefined =>
  ALGORITHMS.find((one) => PASSKEY_NUMBERS[one] === number);

/** What the browser says that it was asked, by which page. */
const clientFlaw = (
  clientDataJSON: string,
  type: string,
  { challenge, origin }: PasskeyExpected,
): PasskeyFlaw | undefined => {
  const said = jsonOf(bytesOf(clientDataJSON).toString("utf8"));
  if (said === undefined || said["type"] !== type) return "malformed";
  if (said["challenge"] !== challenge) return "challenge";
  return said["origin"] === origin && said["crossOrigin"] !== true ? undefined : "origin";
};

const jsonOf = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Object(value) : undefined;
  } catch {
    return undefined;
  }
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HASH_BYTES = 32;
/** The hash of the relying party, flags, and a counter. */
const HEAD_BYTES = HASH_BYTES + 1 + 4;

/** Somebody was there and was recognised by the device: a PIN, a finger, a face. */
const authenticatorFlaw = (
  { authenticatorData }: Pick<PasskeyMade, "authenticatorData">,
  origin: string,
): PasskeyFlaw | undefined => {
  const bytes = bytesOf(authenticatorData);
  if (bytes.length < HEAD_BYTES) return "malformed";
  if (!bytes.subarray(0, HASH_BYTES).equals(sha256Of(Buffer.from(new URL(origin).hostname)))) return "party";
  const flags = bytes.readUInt8(HASH_BYTES);
  return (flags & PRESENT) !== 0 && (flags & VERIFIED) !== 0 ? undefined : "unverified";
};

const ATTESTED = 0x40;
const AAGUID_BYTES = 16;

/** The id of the credential that was made, from the attested part. */
const credentialIn = (bytes: Buffer): string | undefined => {
  const at = HEAD_BYTES + AAGUID_BYTES;
  if ((bytes.readUInt8(HASH_BYTES) & ATTESTED) === 0 || bytes.length < at + 2) return undefined;
  const length = bytes.readUInt16BE(at);
  return bytes.length < at + 2 + length ? undefined : bytes.subarray(at + 2, at + 2 + length).toString("base64url");
};

const RSA_BITS_MIN = 2048;

/** The key, where it is one of its algorithm and strong enough. */
const keyOf = (publicKey: string, algorithm: PasskeyAlgorithm): KeyObject | undefined => {
  const key = readKey(publicKey);
  if (key === undefined) return undefined;
  const { asymmetricKeyDetails: details, asymmetricKeyType: type } = key;
  const fits = {
    ES256: type === "ec" && details?.namedCurve === "prime256v1",
    EdDSA: type === "ed25519",
    RS256: type === "rsa" && (details?.modulusLength ?? 0) >= RSA_BITS_MIN,
  } as const satisfies Readonly<Record<PasskeyAlgorithm, boolean>>;
  return fits[algorithm] ? key : undefined;
};

const readKey = (publicKey: string): KeyObject | undefined => {
  try {
    return createPublicKey({ format: "der", key: bytesOf(publicKey), type: "spki" });
  } catch {
    return undefined;
  }
};
