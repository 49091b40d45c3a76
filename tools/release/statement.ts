// The signed statement of a release: an in-toto Statement of the digests of its files, in a DSSE envelope, under
// Ed25519.
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
const PREDICATE_TYPE = "https://in-toto.io/attestation/release/v0.1";
const PURL = "pkg:npm/dedalus@";

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const statementOf = (version: string, subject: readonly Subject[]): object => ({
  _type: "https://in-toto.io/Statement/v1",
  predicate: { purl: `${PURL}${version}` },
  predicateType: PREDICATE_TYPE,
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

export type SignedRelease = { readonly subjects: readonly Subject[]; readonly version: string };

/**
 * What the key's owner has signed of a release; undefined when the text is nothing of that. Nothing of it is read
 * before.
 */
export const signedRelease = (text: string, key: KeyObject): SignedRelease | undefined => {
  try {
    const { payload, payloadType, signatures }: Envelope = JSON.parse(text);
    const bytes = Buffer.from(payload, "base64");
    const isSigned = signatures.some(({ sig }) => verify(null, encoded(bytes), key, Buffer.from(sig, "base64")));
    if (!isSigned || payloadType !== PAYLOAD_TYPE) return undefined;
    const { predicate, predicateType, subject } = JSON.parse(bytes.toString("utf8"));
    // The same key may sign statements of other things.
    return predicateType === PREDICATE_TYPE
      ? { subjects: subject, version: String(predicate.purl).slice(PURL.length) }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
};
