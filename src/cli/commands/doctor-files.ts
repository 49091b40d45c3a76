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

const openRefusal = (file: string): Refusal => refuse("file-open", { facts: { file } });

/** The first is the ledger itself, whose owner the others should have. */
const heldRefusals = (files: readonly LedgerFile[]): readonly Refusal[] => {
  const [first] = files;
  const owner = first === undefined ? undefined : statSync(first.path, { throwIfNoEntry: false });
  if (first === undefined || owner === undefined) return [];
  const folder = dirname(first.path);
  return [
    ...(isWritable(folder) ? [] : [held("folder", folder, owner)]),
    ...files.flatMap(({ holds, path }) => {
      const found = statSync(path, { throwIfNoEntry: false });
      if (holds === "mark" || found === undefined) return [];
      const why = heldBy(path, found, owner);
      return why === undefined ? [] : [held(CAUSES[holds][why], path, owner)];
    }),
  ];
};

/** What is wrong with a file, by what it holds: that decides how it is mended. */
const CAUSES = {
  index: { foreign: "index-foreign", special: "index-special", unwritable: "index-unwritable" },
  records: { foreign: "records-foreign", special: "records-special", unwritable: "records-unwritable" },
} as const;
type Why = keyof (typeof CAUSES)["index"];
type Held = "folder" | (typeof CAUSES)["index" | "records"][Why];

const held = (cause: Held, file: string, { gid, uid }: Stats): Refusal =>
  refuse("file-held", { cause, facts: { file, gid, uid } });

const heldBy = (file: string, found: Stats, owner: Stats): Why | undefined => {
  if (!found.isFile()) return "special";
  if (found.uid !== owner.uid) return "foreign";
  return isWritable(file) && (found.mode & 0o200) !== 0 ? undefined : "unwritable";
};

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};
