// The session of a sign-in, kept for the commands that follow: a file that its owner alone can read, one for each
// server, so that no token is ever sent to another. keeps B5
//
// Not here: what a session is (a token that ends, recorded by the service), who makes it (commands/login.ts).

import { closeSync, fsyncSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { findClientFolder } from "../../config.ts";
import { makeOwnFolder, openOwn } from "../../ledger/files/own-file.ts";
import { isThere } from "../../ledger/files/text-file.ts";
import { readSecret } from "../../secrets.ts";
import type { Refusal } from "../../spine/model.ts";

/** An origin holds nothing that a name of a file cannot, but for these. */
const sessionFile = (origin: string): string =>
  join(findClientFolder(), "sessions", origin.replaceAll(/[^a-z0-9.-]+/g, "_"));

export type SessionFound =
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "session"; readonly token: string };

export const readSession = (origin: string): SessionFound => {
  const file = sessionFile(origin);
  if (!isThere(file)) return { kind: "none" };
  const read = readSecret({ file }, findClientFolder());
  return read.kind === "secret" ? { kind: "session", token: read.value } : read;
};

export const writeSession = (origin: string, token: string): void => {
  makeOwnFolder(join(findClientFolder(), "sessions"));
  const file = sessionFile(origin);
  const part = `${file}.part`;
  const handle = openOwn(part, "w");
  try {
    writeSync(handle, `${token}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(part, file);
};

export const removeSession = (origin: string): void => rmSync(sessionFile(origin), { force: true });
