// Proof that a process is gone: while it lives it holds a lock on a file of its own beside the embedded ledger, and the
// system frees the lock when it ends, however it ends.
//
// The lock is SQLite's own, because Node has no other that dies with its process. A file that is not there proves
// nothing: nobody can tell whether its owner ever held it. For ledgers on one machine only.
// The file of a process that was killed stays until somebody who needs its proof no more removes it. Only its owner
// makes it, and it is removed only under its lock, so that an owner that has the lock and finds the file there has
// both.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { OwnerLock, OwnerLocks } from "../../engine.ts";
import { tryStatFile } from "../../files/file-stats.ts";
import { makeOwn } from "../../files/own-file.ts";
import type { Ulid } from "../../record/record.ts";
import { isUlid } from "../../record/ulid.ts";

const prefixOf = (ledger: string): string => `${ledger}-owner-`;
const fileOf = (ledger: string, instance: Ulid): string => `${prefixOf(ledger)}${instance}`;

/** Undefined when somebody else holds it. */
const locked = (database: DatabaseSync): DatabaseSync | undefined => {
  try {
    // Nothing is written, and a journal would be a second file to leave behind.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if ((error as { readonly errcode?: unknown }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
};
const SQLITE_BUSY = 5;

/** Somebody who asks whether the owner is gone has the lock for a moment. */
const ASKER_MAX_MS = 10_000;

/** A database that nobody refers to is closed with the garbage, and its lock goes with it. */
const held = new Set<DatabaseSync>();

/** Held until the returned function is called, or the process ends. */
export const holdOwnerLock = (ledger: string, instance: Ulid): (() => void) => {
  const file = fileOf(ledger, instance);
  for (;;) {
    const database = ownLock(file);
    if (database === undefined) continue;
    held.add(database);
    return () => {
      database.close();
      held.delete(database);
      rmSync(file, { force: true });
    };
  }
};

/** Undefined when the file was taken for a dead one's between being made and being locked; it is to be made again. */
const ownLock = (file: string): DatabaseSync | undefined => {
  makeOwn(file);
  const database = new DatabaseSync(file, { timeout: ASKER_MAX_MS });
  try {
    if (locked(database) === undefined) throw new Error("another process holds the lock of this one");
  } catch (error) {
    if (existsSync(file)) throw error;
    return undefined;
  }
  // A lock on a file without a name proves nothing to anybody.
  if (existsSync(file)) return database;
  database.close();
  return undefined;
};

/**
 * The lock of an owner that is gone; undefined when it lives, or its file is not there or no plain one. Makes no file.
 */
const freeLock = (file: string): DatabaseSync | undefined => {
  if (tryStatFile(file)?.isFile() !== true) return undefined;
  const url = pathToFileURL(file);
  url.searchParams.set("mode", "rw");
  try {
    return locked(new DatabaseSync(url));
  } catch (error) {
    if (existsSync(file)) throw error;
    return undefined;
  }
};

/** True only when the owner's lock is there and free. Its file stays: others may want the same proof. */
export const isOwnerEnded = (ledger: string, instance: Ulid): boolean => {
  const database = freeLock(fileOf(ledger, instance));
  database?.close();
  return database !== undefined;
};

/** Owners whose files are there and who are gone. */
export const findEndedOwners = (ledger: string): readonly Ulid[] => {
  const prefix = basename(prefixOf(ledger));
  return readdirSync(dirname(ledger))
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((name) => isUlid(name))
    .filter((instance) => isOwnerEnded(ledger, instance));
};

/** For an owner that is gone and whose proof nobody needs any more; the file of a living one stays. */
export const removeOwnerLock = (ledger: string, instance: Ulid): void => {
  const file = fileOf(ledger, instance);
  const database = freeLock(file);
  if (database === undefined) return;
  try {
    rmSync(file, { force: true });
  } finally {
    database.close();
  }
};

/** Nothing but the end of its process frees such a lock. */
const HELD: OwnerLock = { isHeld: () => Promise.resolve(true) };

export const ownerLocksAt = (ledger: string): OwnerLocks => {
  let release: (() => void) | undefined;
  return {
    close: async () => {
      release?.();
      release = undefined;
    },
    ended: () => findEndedOwners(ledger),
    gone: async (owners) =>
      new Map(owners.filter((owner) => isOwnerEnded(ledger, owner)).map((owner) => [owner, "owner-ended"])),
    hold: async (instance) => {
      release ??= holdOwnerLock(ledger, instance);
      return HELD;
    },
    remove: (owner) => removeOwnerLock(ledger, owner),
  };
};
