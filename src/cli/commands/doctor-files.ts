// What doctor says of the files of the ledger: who else may read them, and which of them keep writers out.
//
// Which files an embedded ledger has is said by its engine. One that belongs to somebody else, or may not be written, lets
// readers in and keeps writers out. What holds records is never to be removed; an index of them is made anew.

import { accessSync, constants, existsSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { isOpenToOthers } from "../../config.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type LedgerFile, ledgerFiles, snapshotFile } from "../../wire.ts";
import { pathIn } from "../files.ts";
import type { Configured } from "../find-config.ts";
import type { Finding } from "./doctor-ledger.ts";

export const fileFindings = ({ config, home }: Configured): readonly Finding[] => {
  const own = ledgerFiles(config.ledger, home);
  const files = [pathIn(home, config.anchor), snapshotFile(config.ledger, home), ...own.map(({ path }) => path)].filter(
    (file) => existsSync(file),
  );
  const open = [...new Set(files)].filter((file) => isOpenToOthers(file)).map(openRefusal);
  return [{ check: "files of the ledger", found: `${files.length} there`, refusals: [...open, ...heldRefusals(own)] }];
};

const openRefusal = (file: string): Refusal =>
  refuse("file-open", { because: `${file} can be read by others than its owner`, next: `Run: chmod 600 ${file}` });

/** The first is the ledger itself, whose owner the others should have. */
const heldRefusals = (files: readonly LedgerFile[]): readonly Refusal[] => {
  const [first] = files;
  const owner = first === undefined ? undefined : statSync(first.path, { throwIfNoEntry: false });
  if (first === undefined || owner === undefined) return [];
  const folder = dirname(first.path);
  return [
    ...(isWritable(folder)
      ? []
      : [held(folder, "may not be written to", `Run: sudo chown ${owner.uid}:${owner.gid} ${folder}`)]),
    ...files.flatMap(({ holds, path }) => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (holds === "mark" || found === undefined) return [];
      const because = heldBecause(path, found, owner);
      return because === undefined ? [] : [held(path, because, MENDED[holds](path, owner))];
    }),
  ];
};

const MENDED = {
  index: (file: string) => `End every Dedalus that uses this ledger, then run: rm -rf ${file}`,
  records: (file: string, { gid, uid }: Stats) => `Run: sudo chown ${uid}:${gid} ${file} && chmod 600 ${file}`,
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
