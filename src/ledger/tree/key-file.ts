// The key that signs checkpoints: a file of its own, readable by its owner alone. It is never recorded or printed.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { closeSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { KeyCause } from "../failure.ts";
import { makeOwnFolder, openOwn } from "../files/own-file.ts";
import { plainBytes } from "../files/plain-file.ts";

export type KeyPair = { readonly publicKey: KeyObject; readonly secretKey: KeyObject };
export type KeyRead =
  | { readonly kind: "ok"; readonly keys: KeyPair }
  | { readonly kind: "refused"; readonly cause: KeyCause };

/** Never overwrites: a ledger that was signed with a lost key could not be checked any more. */
export const makeKeyFile = (path: string): void => {
  const { privateKey } = generateKeyPairSync("ed25519");
  makeOwnFolder(dirname(path));
  const file = openOwn(path, "wx");
  try {
    writeFileSync(file, privateKey.export({ format: "pem", type: "pkcs8" }));
  } finally {
    closeSync(file);
  }
};

export const readKeyFile = (path: string): KeyRead => {
  const status = statusOf(path);
  if (status === undefined) return { cause: "absent", kind: "refused" };
  if (status === "unusable") return { cause: "unusable", kind: "refused" };
  if ((status.mode & 0o077) !== 0) return { cause: "open-to-others", kind: "refused" };
  const secretKey = keyIn(path);
  if (secretKey?.asymmetricKeyType !== "ed25519") return { cause: "unusable", kind: "refused" };
  return { keys: { publicKey: createPublicKey(secretKey), secretKey }, kind: "ok" };
};

/** A path that leads nowhere, in a circle say, is no missing file, and no key either. */
const statusOf = (path: string): Stats | "unusable" | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ("syscall" in Object(error)) return "unusable";
    throw error;
  }
};

/** What the parser says of a broken key may quote it, so nothing of it is kept. */
const keyIn = (path: string): KeyObject | undefined => {
  try {
    return createPrivateKey(plainBytes(path).toString("utf8"));
  } catch {
    return undefined;
  }
};
