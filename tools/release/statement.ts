// The signed statement of a release: an in-toto Statement of the digests of its files, in a DSSE envelope, under Ed25519.
//
// Formats: in-toto attestation spec v1 with the predicate release/v0.1; secure-systems-lab/dsse envelope.md.
// Any tool that knows these can verify it; verify-release.ts does with nothing but Node.

import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

export type Subject = { readonly name: string; readonly digest: Readonly<Record<string, string>> };
export type Envelope = {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
};

const PAYLOAD_TYPE = "application/vnd.in-toto+json";

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const statementOf = (version: string, subject: readonly Subject[]): object => ({
  _type: "https://in-toto.io/Statement/v1",
  predicate: { purl: `pkg:npm/dedalus@${version}` },
  predicateType: "https://in-toto.io/attestation/release/v0.1",
  subject,
});

/** DSSE's pre-authentication encoding: what is signed names its own type and lengths. */
const encoded = (payload: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD_TYPE.length} ${PAYLOAD_TYPE} ${payload.length} `), payload]);

/** SHA-256 of the public key in DER. */
export const keyIdOf = (key: KeyObject): string =>
  sha256Of((key.type === "private" ? createPublicKey(key) : key).export({ format: "der", type: "spki" }));

export const signStatement = (statement: object, key: KeyObject): Envelope => {
  const payload = Buffer.from(JSON.stringify(statement));
  return {
    payload: payload.toString("base64"),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: keyIdOf(key), sig: sign(null, encoded(payload), key).toString("base64") }],
  };
};

/** The subjects that the key's owner has signed; undefined when nothing here was signed with this key. */
export const signedSubjects = (
  { payload, payloadType, signatures }: Envelope,
  key: KeyObject,
): readonly Subject[] | undefined => {
  const bytes = Buffer.from(payload, "base64");
  const isSigned = signatures.some(({ sig }) => verify(null, encoded(bytes), key, Buffer.from(sig, "base64")));
  return isSigned && payloadType === PAYLOAD_TYPE ? JSON.parse(bytes.toString("utf8")).subject : undefined;
};
