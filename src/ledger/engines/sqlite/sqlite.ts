// The sqlite engine: a ledger in one file (and SQLite's log beside it), for any number of processes of one machine.
//
// Keeps the promises of ../engine.ts with WAL, synchronous FULL and one IMMEDIATE transaction per commit.
// SQLite takes a damaged end of its log for the end of the log: a ledger that was shortened so opens without complaint,
// and only the anchor sees it. Not here: tables (sqlite-schema.ts), settings (sqlite-settings.ts).

import { type Stats, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Refusal } from "../../../spine/model.ts";
import { type About, refuse } from "../../../spine/rules/refusals.ts";
import { withFacts } from "../../../spine/words/cause.ts";
import type { Engine, Opened } from "../../engine.ts";
import type { ReadOnlyFailure } from "../../failure.ts";
import { statFile } from "../../files/file-stats.ts";
import { makeOwn } from "../../files/own-file.ts";
import { followLinks } from "../../files/path-claims.ts";
import { syncFolder } from "../../files/sync-folder.ts";
import type { appenderOn } from "./sqlite-append.ts";
import { cannotOpen, isBusy, isDamage, saidBy } from "./sqlite-errors.ts";
import { sqliteReader } from "./sqlite-read.ts";
import { readOnlyMarkOf } from "./sqlite-read-only.ts";
import { createTables, judgeSchema, type SchemaFailure } from "./sqlite-schema.ts";
import { applySettings, BUSY_MS, findBrokenSetting, readWarily, type SettingFailure } from "./sqlite-settings.ts";
import { attemptPatiently } from "./sqlite-wait.ts";

/** How long a follower may lag behind a writer in another process. */
const FOLLOW_MS = 50;

type Mode = "write" | "read";

export const openSqlite = async (path: string, { mode }: { readonly mode: Mode }): Promise<Opened> => {
  const file = resolve(path);
  const facts = { name: file };
  let database: DatabaseSync | undefined;
  try {
    if (statFile(dirname(file)) === undefined) return refused(refuse("ledger-absent", { cause: "no-folder", facts }));
    const found = statFile(file);
    if (found === undefined && mode === "read") return refused(refuse("ledger-absent", { cause: "no-file", facts }));
    const special = specialOf(file);
    if (special !== undefined)
      return refused(refuse("ledger-unusable", { cause: "not-plain", facts: { name: special } }));
    // Whoever reads needs nothing of what writes.
    const appender = mode === "write" ? (await import("./sqlite-append.ts")).appenderOn : undefined;
    if (found === undefined) makeOwn(file);
    const handle = new DatabaseSync(file, { readOnly: mode === "read", timeout: BUSY_MS });
    database = handle;
    const refusal = await attemptPatiently(() => PREPARE[mode](handle, file));
    if (refusal === undefined) return { engine: engineOn(handle, file, appender), kind: "open" };
    handle.close();
    return refused(refusal);
  } catch (error) {
    database?.close();
    return refused(refuse("ledger-unusable", failureOf(file, error)));
  }
};

/** SQLite would wait for ever at a FIFO. What it writes beside a database is beside the file that a link leads to. */
const specialOf = (file: string): string | undefined => {
  const path = followLinks(file).at(-1) ?? file;
  return ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix).find((one) => isSpecial(statFile(one)));
};

/** A folder is left to SQLite's own words. */
const isSpecial = (found: Stats | undefined): boolean => found !== undefined && !found.isFile() && !found.isDirectory();

const refused = (refusal: Refusal): Opened => ({ kind: "refused", refusal });

const failureOf = (name: string, error: unknown): About<"ledger-unusable"> => {
  if (isBusy(error)) return { cause: "busy", facts: { name } };
  const isDenied = cannotOpen(error) || (error as NodeJS.ErrnoException).code === "EACCES";
  const cause = isDamage(error) ? "not-sqlite" : isDenied ? "denied" : "system-said";
  return { cause, facts: { name, said: saidBy(error) } };
};

const unusable = (name: string, failure: SchemaFailure | SettingFailure): Refusal =>
  refuse("ledger-unusable", withFacts(failure, { name }));

/** Why the file must not be used; undefined when it may. A file of somebody else's is left as it is. */
const PREPARE: Readonly<Record<Mode, (database: DatabaseSync, file: string) => Refusal | undefined>> = {
  read: (database, name) => {
    readWarily(database);
    const judged = judgeSchema(database);
    if (judged.kind === "empty") return refuse("ledger-absent", { cause: "no-ledger", facts: { name } });
    return judged.kind === "no" ? unusable(name, judged.failure) : undefined;
  },
  write: (database, file) => {
    readWarily(database);
    const before = judgeSchema(database);
    if (before.kind === "no") return unusable(file, before.failure);
    applySettings(database);
    try {
      database.exec("BEGIN IMMEDIATE");
      // Judged again under the lock: another process may have made the tables meanwhile.
      const judged = judgeSchema(database);
      if (judged.kind === "no") return unusable(file, judged.failure);
      if (judged.kind === "empty") {
        createTables(database);
        // The names are there, of the log too, and last as long as what the commit puts behind them.
        syncFolder(dirname(file));
      }
      database.exec("COMMIT");
    } finally {
      if (database.isTransaction) database.exec("ROLLBACK");
    }
    const broken = findBrokenSetting(database);
    return broken === undefined ? undefined : unusable(file, broken);
  },
};

const READ_ONLY = { cause: "reading-alone", facts: {} } as const;

/** Without an appender it only reads. */
const engineOn = (database: DatabaseSync, file: string, appender: typeof appenderOn | undefined): Engine => {
  const name = `sqlite ${basename(file)}`;
  const reader = sqliteReader(database);
  const readOnlyMark = readOnlyMarkOf(file);
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resume of waiting) resume();
  };
  const opened = statSync(file);
  const lost = (): ReadOnlyFailure | undefined => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.ino === opened.ino && found.dev === opened.dev) return undefined;
    return { cause: "file-replaced", facts: { name } };
  };

  /** Until a commit of ours, the next reading of the file, or the abort. */
  const growth = (signal: AbortSignal): Promise<void> =>
    new Promise((done) => {
      const resume = (): void => {
        clearTimeout(timer);
        waiting.delete(resume);
        signal.removeEventListener("abort", resume);
        done();
      };
      const timer = setTimeout(resume, FOLLOW_MS);
      waiting.add(resume);
      signal.addEventListener("abort", resume);
    });

  const { append, unlock } =
    appender === undefined
      ? {
          append: () => Promise.resolve({ failure: READ_ONLY, kind: "read-only" } as const),
          unlock: () => Promise.resolve(),
        }
      : appender({ database, grown: wake, readOnlyMark, lost, name, reader });

  return {
    append,
    blob: reader.blob,
    close: async () => {
      if (!database.isOpen) return;
      database.close();
      wake();
    },
    async *follow(from, signal, hears) {
      let next = from;
      while (!signal.aborted && database.isOpen) {
        for await (const line of reader.read(next, Number.POSITIVE_INFINITY)) {
          next += 1;
          yield line;
          if (signal.aborted || !database.isOpen) return;
        }
        if (signal.aborted || !database.isOpen) return;
        if (hears !== undefined) hears(await reader.head());
        await growth(signal);
      }
    },
    head: reader.head,
    isInPlace: () => lost() === undefined,
    keys: reader.keys,
    readOnly: () => (appender === undefined ? READ_ONLY : (lost() ?? readOnlyMark.holding())),
    lookup: reader.lookup,
    name,
    pages: reader.pages,
    read: reader.read,
    unlock,
  };
};
