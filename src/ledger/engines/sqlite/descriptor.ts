// The sqlite engine as the rest of Dedalus knows it: one file on this machine, and what stands beside it.

import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathAt } from "../../../formats/dedalus/dedalus-guards.ts";
import { refuse } from "../../../spine/rules/refusals.ts";
import type { LedgerLocation } from "../../engine.ts";
import type { LedgerFile } from "../../files/held-files.ts";
import { makeOwnFolder } from "../../files/own-file.ts";
import { fileClaim, followLinks, type PathClaim } from "../../files/path-claims.ts";
import { describeEngine } from "../descriptor.ts";

export const sqlite = describeEngine({
  at: ({ path }, { resolve }) => locationOf(resolve(path)),
  embedded: {
    claims: ({ path }, resolve) => claimsOf(resolve(path)),
    files: ({ path }, resolve) => filesOf(resolve(path)),
    savedState: ({ path }, resolve) => `${resolve(path)}-saved-state`,
  },
  keys: { path: pathAt },
  name: "sqlite",
  optional: {},
  secrets: () => [],
  target: ({ isSecret, value }, resolve) => (isSecret || URL_LIKE.test(value) ? undefined : locationOf(resolve(value))),
});

/** Every plain text could be a path; one with a scheme is meant for a server, and becomes no file of that name. */
const URL_LIKE = /^[a-z][a-z\d+.-]*:\/\//i;

const locationOf = (path: string): LedgerLocation => ({
  claims: () => claimsOf(path),
  readOnlyMark: async () => (await import("./sqlite-read-only.ts")).readOnlyMarkOf(path).holding(),
  name: async () => `sqlite ${basename(path)}`,
  owners: async () => (await import("./owner-lock.ts")).ownerLocksAt(path),
  open: async (mode) => {
    try {
      if (mode === "write") makeOwnFolder(dirname(path));
    } catch (error) {
      const facts = { name: path, said: String(error) };
      return { kind: "refused", refusal: refuse("ledger-unusable", { cause: "folder-unmade", facts }) };
    }
    return (await import("./sqlite.ts")).openSqlite(path, { mode });
  },
});

/** SQLite keeps two files beside a database while it is used: a log, which holds records, and an index of it. */
const filesOf = (database: string): readonly LedgerFile[] => {
  const folder = dirname(database);
  const locks = namesIn(folder).filter((name) => name.startsWith(`${basename(database)}-owner-`));
  return [
    { holds: "records", path: database },
    { holds: "records", path: `${database}-wal` },
    { holds: "index", path: `${database}-shm` },
    { holds: "mark", path: `${database}-read-only` },
    ...locks.map((name): LedgerFile => ({ holds: "mark", path: join(folder, name) })),
  ];
};

/** A folder that does not list its names shows no locks; why it does not is told by whoever opens the ledger. */
const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** Its own names, and those of SQLite, which writes beside the file that a link leads to. */
const claimsOf = (database: string): readonly PathClaim[] =>
  followLinks(database).flatMap((path) => [
    ...filesOf(path).map((file) => fileClaim(file.path)),
    fileClaim(`${path}-journal`),
    fileClaim(`${path}-saved-state`),
    { kind: "begins", path: `${path}-owner-` },
    { kind: "begins", path: `${path}-saved-state.` },
  ]);
