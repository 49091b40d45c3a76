// Proof that a process is gone: while it lives it holds a lock on a file of its own beside the embedded ledger, and the
// system frees the lock when it ends, however it ends.
//
// The lock is SQLite's own, because Node has no other that dies with its process. A file that is not there proves
// nothing: nobody can tell whether its owner ever held it. For ledgers on one machine only.

import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Ulid } from "../record.ts";

const fileOf = (ledger: string, instance: Ulid): string => `${ledger}-owner-${instance}`;

/** Undefined when somebody else holds it. */
const locked = (file: string): DatabaseSync | undefined => {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: unknown }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
};
const SQLITE_BUSY = 5;

/** Held until the returned function is called, or the process ends. */
export const holdOwnerLock = (ledger: string, instance: Ulid): (() => void) => {
  const file = fileOf(ledger, instance);
  const database = locked(file);
  if (database === undefined) throw new Error("another process holds the lock of this one");
  return () => {
    database.close();
    rmSync(file, { force: true });
  };
};

/** True only when the owner's lock is there and free. Its file stays: others may want the same proof. */
export const isOwnerEnded = (ledger: string, instance: Ulid): boolean => {
  const file = fileOf(ledger, instance);
  if (!existsSync(file)) return false;
  const database = locked(file);
  database?.close();
  return database !== undefined;
};
