// What doctor says of the files of the ledger: who else may read them, and which of them keep writers out.
//
// SQLite keeps two files beside a database while it is used, and leaves them behind when a process is killed. One that
// belongs to somebody else, or may not be written, lets readers in and keeps writers out. The log (-wal) holds records and
// is never to be removed; the index of it (-shm) is made anew.

import { accessSync, constants, existsSync, readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOpenToOthers } from "../../config.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { ledgerPlace, snapshotFile } from "../../wire.ts";
import { pathIn } from "../files.ts";
import type { Configured } from "../find-config.ts";
import type { Finding } from "./doctor-ledger.ts";

export const fileFindings = ({ config, home }: Configured): readonly Finding[] => {
  const place = ledgerPlace(config.ledger, home);
  const database = "engine" in place && place.engine === "sqlite" ? place.path : undefined;
  const files = [
    pathIn(home, config.anchor),
    snapshotFile(config.ledger, home),
    ...(database === undefined ? [] : filesOf(database)),
  ].filter((file) => existsSync(file));
  const open = [...new Set(files)].filter((file) => isOpenToOthers(file)).map(openRefusal);
  const held = database === undefined || !existsSync(database) ? [] : heldRefusals(database);
  return [{ check: "files of the ledger", found: `${files.length} there`, refusals: [...open, ...held] }];
};

const filesOf = (database: string): readonly string[] => {
  const folder = dirname(database);
  if (!existsSync(folder)) return [];
  const locks = readdirSync(folder).filter((name) => name.startsWith(`${basename(database)}-owner-`));
  return [
    ...["", "-wal", "-shm", "-latched"].map((suffix) => `${database}${suffix}`),
    ...locks.map((name) => join(folder, name)),
  ];
};

const openRefusal = (file: string): Refusal =>
  refuse("file-open", { because: `${file} can be read by others than its owner`, next: `Run: chmod 600 ${file}` });

const heldRefusals = (database: string): readonly Refusal[] => {
  const owner = statSync(database);
  const folder = dirname(database);
  return [
    ...(isWritable(folder)
      ? []
      : [held(folder, "may not be written to", `Run: sudo chown ${owner.uid}:${owner.gid} ${folder}`)]),
    ...["", "-wal", "-shm"].flatMap((suffix) => {
      const file = `${database}${suffix}`;
      const found = statSync(file, { throwIfNoEntry: false });
      const because = found === undefined ? undefined : heldBecause(file, found, owner);
      return because === undefined
        ? []
        : [held(file, because, MENDED[suffix === "-shm" ? "index" : "content"](file, owner))];
    }),
  ];
};

const MENDED = {
  content: (file: string, { gid, uid }: Stats) => `Run: sudo chown ${uid}:${gid} ${file} && chmod 600 ${file}`,
  index: (file: string) => `End every Dedalus that uses this ledger, then run: rm -rf ${file}`,
} as const;

const held = (file: string, because: string, next: string): Refusal =>
  refuse("file-held", { because: `${file} ${because}`, next });

const heldBecause = (file: string, found: Stats, owner: Stats): string | undefined => {
  if (!found.isFile()) return "is not a plain file";
  if (found.uid !== owner.uid) return "belongs to somebody else than the ledger does";
  return isWritable(file) && (found.mode & 0o200) !== 0 ? undefined : "may not be written";
};

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};
