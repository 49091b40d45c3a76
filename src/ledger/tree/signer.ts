// The signer of an installation: its key's name, its public half as one text, and notes and texts signed with it.
//
// The name is made from the key, so that one key has one name everywhere and nobody has to choose it. Not here: the
// form of a note (checkpoint.ts), the key's file (key-file.ts).

import { hash, sign } from "node:crypto";
import type { Sha256 } from "../../spine/model.ts";
import { isSignature, parseVkey, rawPublicKey, signCheckpoint, vkeyOf } from "./checkpoint.ts";
import type { KeyPair } from "./key-file.ts";

export type Signer = {
  readonly origin: string;
  /** The public half: what a stranger needs, and no secret. */
  readonly vkey: string;
  readonly sign: (tree: { readonly root: Sha256; readonly size: number }) => string;
  /** A signature in base64 over a text that is not a checkpoint; `use` says what it is and keeps the uses apart. */
  readonly signText: (use: Use, text: string) => string;
};

/** None is a key's name, so that no text signed here can pass for a checkpoint, whose first line is one. */
export type Use = "a saved state of dedalus";

const usedText = (use: Use, text: string): string => `${use}\n${text}`;

/** Whether the signature is of this key, for this use and over this text. */
export const isSignedText = (vkey: string, use: Use, text: string, signature: string): boolean => {
  const key = parseVkey(vkey);
  return (
    key.kind === "verifier" &&
    isSignature(usedText(use, text), Buffer.from(signature, "base64"), key.verifier.publicKey)
  );
};

const DIGITS = 16;

export const signerOf = ({ secretKey }: KeyPair): Signer => {
  const publicKey = rawPublicKey(secretKey);
  const origin = `dedalus/${hash("sha256", publicKey, "hex").slice(0, DIGITS)}`;
  return {
    origin,
    sign: ({ root, size }) => signCheckpoint({ origin, root, size }, secretKey),
    signText: (use, text) => sign(null, Buffer.from(usedText(use, text)), secretKey).toString("base64"),
    vkey: vkeyOf({ name: origin, publicKey }),
  };
};
