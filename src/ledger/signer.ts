// The signer of an installation: its key's name, its public half as one text, and notes signed with it.
//
// The name is made from the key, so that one key has one name everywhere and nobody has to choose it. Not here: the form
// of a note (checkpoint.ts), the key's file (key-file.ts).

import { hash } from "node:crypto";
import type { Sha256 } from "../spine/model.ts";
import { rawPublicKey, signCheckpoint, vkeyOf } from "./checkpoint.ts";
import type { KeyPair } from "./key-file.ts";

export type Signer = {
  readonly origin: string;
  /** The public half: what a stranger needs, and no secret. */
  readonly vkey: string;
  readonly sign: (tree: { readonly root: Sha256; readonly size: number }) => string;
};

const DIGITS = 16;

export const signerOf = ({ secretKey }: KeyPair): Signer => {
  const publicKey = rawPublicKey(secretKey);
  const origin = `dedalus/${hash("sha256", publicKey, "hex").slice(0, DIGITS)}`;
  return {
    origin,
    sign: ({ root, size }) => signCheckpoint({ origin, root, size }, secretKey),
    vkey: vkeyOf({ name: origin, publicKey }),
  };
};
