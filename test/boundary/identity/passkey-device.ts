// A device that makes and uses passkeys as a browser hands them over (WebAuthn level 3, "none" attestation), so
// that a test can spoil each part. A real browser does the same in invitation-pages.test.ts.

import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { PASSKEY_NUMBERS, type PasskeyMade, type PasskeyUsed } from "../../../src/boundary/identity/passkey.ts";
import type { PasskeyAlgorithm } from "../../../src/kernel/command/request.ts";

export type Shown = {
  readonly challenge: string;
  readonly crossOrigin?: boolean;
  readonly flags?: number;
  readonly hostname?: string;
  readonly origin: string;
  readonly type?: string;
};
export type PasskeyDevice = {
  readonly make: (shown: Shown) => PasskeyMade;
  readonly use: (shown: Shown) => PasskeyUsed;
};

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

const PRESENT_AND_VERIFIED = 0x05;
const ATTESTED = 0x40;

const KEYS: Readonly<
  Record<PasskeyAlgorithm, () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>
> = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

const clientData = ({ challenge, crossOrigin = false, origin }: Shown, type: string): Buffer =>
  Buffer.from(JSON.stringify({ challenge, crossOrigin, origin, type }));

const head = ({ flags = PRESENT_AND_VERIFIED, hostname, origin }: Shown, more = 0): Buffer =>
  Buffer.concat([sha256(hostname ?? new URL(origin).hostname), Buffer.from([flags | more, 0, 0, 0, 0])]);

export const passkeyDevice = (algorithm: PasskeyAlgorithm, credential = "a credential"): PasskeyDevice => {
  const { privateKey, publicKey } = KEYS[algorithm]();
  const id = Buffer.from(credential);
  return {
    make: (shown) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      return {
        algorithm: PASSKEY_NUMBERS[algorithm],
        authenticatorData: text(Buffer.concat([head(shown, ATTESTED), Buffer.alloc(16), length, id])),
        clientDataJSON: text(clientData(shown, shown.type ?? "webauthn.create")),
        id: text(id),
        publicKey: text(publicKey.export({ format: "der", type: "spki" })),
      };
    },
    use: (shown) => {
      const [said, bytes] = [clientData(shown, shown.type ?? "webauthn.get"), head(shown)];
      const signature = sign(algorithm === "EdDSA" ? null : "sha256", Buffer.concat([bytes, sha256(said)]), privateKey);
      return { authenticatorData: text(bytes), clientDataJSON: text(said), id: text(id), signature: text(signature) };
    },
  };
};
