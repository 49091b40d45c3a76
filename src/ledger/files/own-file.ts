// Files and folders that Dedalus makes are their owner's alone, whatever the umask and the folder they are made in.
// keeps B5
//
// The umask takes bits away from the mode that a file is made with, so the mode is set again on what was made. What is
// there already keeps its mode: somebody may have chosen it, and doctor says what is wider. Every file of the ledger,
// its anchor, its key, its exports and every artifact is made here.

import { chmodSync, closeSync, existsSync, fchmodSync, mkdirSync, openSync } from "node:fs";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export const openOwn = (path: string, flags: "a" | "a+" | "ax+" | "w" | "wx"): number => {
  const isThere = existsSync(path);
  const file = openSync(path, flags, FILE_MODE);
  if (!isThere) fchmodSync(file, FILE_MODE);
  return file;
};

/** An empty file for a library to fill. SQLite gives the files beside a database the mode of the database. */
export const makeOwn = (path: string): void => closeSync(openOwn(path, "a"));

/** Throws EEXIST when anything has the name already. */
export const makeNewFolder = (path: string): void => {
  mkdirSync(path, { mode: FOLDER_MODE });
  chmodSync(path, FOLDER_MODE);
};

/** With those above it that are missing. */
export const makeOwnFolder = (path: string): void => {
  const made = mkdirSync(path, { mode: FOLDER_MODE, recursive: true });
  if (made !== undefined) chmodSync(path, FOLDER_MODE);
};
