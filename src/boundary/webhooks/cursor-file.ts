// Where the messages to one receiver stand: the next record, the hash of the one before, and the intents that are
// open by then. A file beside the saved state, replaced as a whole.
//
// It is disposable: without it, or with one that cannot be read, messages begin with the newest record. Not here:
// whether the ledger still is the one that it was written of (deliver-to.ts).

import { closeSync, fsyncSync, readFileSync, renameSync, writeSync } from "node:fs";
import { openOwn } from "../../ledger/files/own-file.ts";
import { isSize } from "../../ledger/record/record.ts";
import type { Sha256 } from "../../spine/model.ts";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import type { OpenIntents } from "./webhook-message.ts";

export type Cursor = { readonly hash: Sha256; readonly intents: OpenIntents; readonly next: number };

/** Undefined where there is none. */
export const readCursor = (path: string): Cursor | "unreadable" | undefined => {
  const text = readOwnText(path);
  if (text === undefined) return undefined;
  const found = parsed(text);
  return isCursor(found) ? found : "unreadable";
};

export const writeCursor = (path: string, { hash, intents, next }: Cursor): void =>
  replaceOwnText(path, JSON.stringify({ hash, intents, next }));

/** By what is configured of a receiver: another address begins anew. */
export const cursorPath = (savedState: string, receiver: object): string =>
  `${savedState}.webhook-${sha256(JSON.stringify(receiver)).slice(0, 16)}`;

export const readOwnText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
};

/** After a power cut it is the old text or the new one. */
export const replaceOwnText = (path: string, text: string): void => {
  const part = `${path}.part`;
  const file = openOwn(part, "w");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Written by ourselves: what is not whole is noticed, and nothing more is asked of it. */
const isCursor = (value: unknown): value is Cursor =>
  typeof value === "object" &&
  value !== null &&
  "hash" in value &&
  "intents" in value &&
  "next" in value &&
  isSha256(value.hash) &&
  isSize(value.next) &&
  typeof value.intents === "object" &&
  value.intents !== null;
