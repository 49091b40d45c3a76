// The key that signs checkpoints: a file of its own, readable by its owner alone. It is never recorded or printed.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { closeSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { KeyCause } from "../failure.ts";
import { fileCause } from "../files/file-cause.ts";
import { statFile } from "../files/file-stats.ts";
import { makeOwnFolder, openOwn } from "../files/own-file.ts";
import { readPlainBytes } from "../files/plain-file.ts";
import { removeOurs } from "../files/writable.ts";

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
  } catch (error) {
    removeOurs(path, error);
    throw error;
  } finally {
    closeSync(file);
  }
};

/** Total: why the system does not give it is a cause like any other. */
export const readKeyFile = (path: string): KeyRead => {
  const text = textAt(path);
  if ("kind" in text) return text;
  const secretKey = keyIn(text.value);
  if (secretKey?.asymmetricKeyType !== "ed25519") return { cause: "unusable", kind: "refused" };
  return { keys: { publicKey: createPublicKey(secretKey), secretKey }, kind: "ok" };
};

const textAt = (path: string): { readonly value: string } | Extract<KeyRead, { readonly kind: "refused" }> => {
  try {
    const found = statFile(path);
    if (found === undefined) return { cause: "absent", kind: "refused" };
    if ((found.mode & 0o077) !== 0) return { cause: "open-to-others", kind: "refused" };
    return { value: readPlainBytes(path).toString("utf8") };
  } catch (error) {
    return { cause: fileCause(error), kind: "refused" };
  }
};

/** What the parser says of a broken key may quote it, so nothing of it is kept. */
const keyIn = (text: string): KeyObject | undefined => {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
};
