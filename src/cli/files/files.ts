// Reading and writing whole files, with refusals instead of exceptions and nothing half written.

import { closeSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Problem, problem, wholeFile } from "../../formats/problem.ts";
import { fileCause } from "../../ledger/files/file-cause.ts";
import { statEntry } from "../../ledger/files/file-stats.ts";
import { nameNew } from "../../ledger/files/name-new.ts";
import { openOwn } from "../../ledger/files/own-file.ts";
import { readPlainBytes } from "../../ledger/files/plain-file.ts";
import { removeOurs } from "../../ledger/files/writable.ts";

export const pathIn = (folder: string, path: string): string => (isAbsolute(path) ? path : join(folder, path));

/** A folder as it was named, without a slash at its end. */
export const folderNamed = (folder: string, given: string): { readonly name: string; readonly path: string } => {
  const name = given.replace(/(?<=.)\/+$/, "");
  return { name, path: pathIn(folder, name) };
};

/** Which texts at the target may be replaced. */
export type IsOurs = (text: string) => boolean;
/** For a file that must be new. */
export const NOTHING_OURS: IsOurs = () => false;

/**
 * Writes beside the target, then gives it the name: a reader sees the old file or the whole new one. What stands there
 * is judged again now, because somebody may have written it since it was asked. Undefined when it is done.
 */
export const writeWhole = (folder: string, file: string, text: string, isOurs: IsOurs): Problem | undefined => {
  const path = pathIn(folder, file);
  const part = `${path}.part`;
  try {
    writePart(part, text);
  } catch (error) {
    removeOurs(part, error);
    return unwritable(file, error);
  }
  try {
    const obstacle = findInTheWay(folder, file, isOurs);
    if (obstacle === undefined) giveName(part, path);
    return obstacle;
  } catch (error) {
    return findInTheWay(folder, file, isOurs) ?? unwritable(file, error);
  } finally {
    rmSync(part, { force: true });
  }
};

const unwritable = (file: string, error: unknown): Problem =>
  problem("file-unwritable", wholeFile(file), { cause: fileCause(error) });

const writePart = (part: string, text: string): void => {
  const opened = openOwn(part, "wx");
  try {
    writeFileSync(opened, text);
  } finally {
    closeSync(opened);
  }
};

/** Only what was just found to be ours is replaced; a name that was free is taken only if it still is. */
const giveName = (part: string, path: string): void => {
  if (statEntry(path) === undefined) nameNew(part, path);
  else renameSync(part, path);
};

/** An earlier artifact of the same kind may be replaced; anything else that stands at --out was not meant. */
export const isArtifact =
  (kind: "current" | "plan" | "result"): IsOurs =>
  (text) =>
    new RegExp(`^\\s*\\{\\s*"\\$schema":\\s*"[^"]*/${kind}\\.schema\\.json"`).test(text);

/**
 * Undefined when nothing is there, or only an earlier text of the same kind. A link is not followed: it is something.
 */
export const findInTheWay = (folder: string, file: string, isOurs: IsOurs): Problem | undefined => {
  const path = pathIn(folder, file);
  const found = statEntry(path);
  if (found === undefined) return undefined;
  const isPlain = found.isFile();
  try {
    if (isPlain && isOurs(readPlainBytes(path).toString("utf8"))) return undefined;
  } catch (error) {
    // What cannot be read is not known to be ours.
    return problem("file-unreadable", wholeFile(file), { cause: fileCause(error) });
  }
  return problem("file-exists", wholeFile(file), { cause: isPlain ? "other-content" : "not-plain" });
};
