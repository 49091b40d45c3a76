// Who else may read the files of a ledger, and which of them keep writers out.
//
// One that belongs to somebody else, or may not be written, lets readers in and keeps writers out. What holds records
// is never to be removed; an index of them is made anew. Which files an embedded ledger has is said by its engine.

import { accessSync, constants, type Stats } from "node:fs";
import { dirname } from "node:path";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { tryStatFile } from "./file-stats.ts";

/** Others can read it. What is not there, or in a folder that may not be searched, is open to nobody. */
export const isOpenAt = (path: string): boolean => ((tryStatFile(path)?.mode ?? 0) & 0o077) !== 0;

/**
 * A file of a ledger on this machine. Writers need those that hold records, and the index of them, which can be made
 * anew; a mark only says something.
 */
export type LedgerFile = { readonly holds: "index" | "mark" | "records"; readonly path: string };

/** The first is the ledger itself, whose owner the others should have. */
export const findHeldFiles = (files: readonly LedgerFile[]): readonly Refusal[] => {
  const [first] = files;
  const owner = first === undefined ? undefined : tryStatFile(first.path);
  if (first === undefined || owner === undefined) return [];
  const folder = dirname(first.path);
  return [
    ...(isWritable(folder) ? [] : [held("folder", folder, owner)]),
    ...files.flatMap(({ holds, path }) => {
      const found = tryStatFile(path);
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
type Cause = "folder" | (typeof CAUSES)["index" | "records"][Why];

const held = (cause: Cause, file: string, { gid, uid }: Stats): Refusal =>
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
