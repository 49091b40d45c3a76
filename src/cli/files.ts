// Reading and writing whole files, with refusals instead of exceptions and nothing half written.

import { closeSync, existsSync, lstatSync, renameSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type Problem, problem, wholeFile } from "../formats/problem.ts";
import { fileCause } from "../ledger/files/file-cause.ts";
import { openOwn } from "../ledger/files/own-file.ts";
import { plainBytes } from "../ledger/files/plain-file.ts";
import { removeOurs } from "../ledger/files/writable.ts";

export const pathIn = (folder: string, path: string): string => (isAbsolute(path) ? path : join(folder, path));

/** A folder as it was named, without a slash at its end. */
export const folderNamed = (folder: string, given: string): { readonly name: string; readonly path: string } => {
  const name = given.replace(/(?<=.)\/+$/, "");
  return { name, path: pathIn(folder, name) };
};

/** Writes beside the target and renames: a reader sees the old file or the whole new one. Undefined when it is done. */
export const writeWhole = (folder: string, file: string, text: string): Problem | undefined => {
  const path = pathIn(folder, file);
  const beside = `${path}.part`;
  try {
    const part = openOwn(beside, "wx");
    try {
      writeFileSync(part, text);
    } finally {
      closeSync(part);
    }
    renameSync(beside, path);
    return undefined;
  } catch (error) {
    removeOurs(beside, error);
    return problem("file-unwritable", wholeFile(file), { cause: fileCause(error) });
  }
};

/** An earlier artifact of the same kind may be replaced; anything else that stands at --out was not meant. */
export const isArtifact =
  (kind: "current" | "plan" | "result") =>
  (text: string): boolean =>
    new RegExp(`^\\s*\\{\\s*"\\$schema":\\s*"[^"]*/${kind}\\.schema\\.json"`).test(text);

/** Undefined when nothing is there, or only an earlier text of the same kind. */
export const inTheWay = (folder: string, file: string, isOurs: (text: string) => boolean): Problem | undefined => {
  const path = pathIn(folder, file);
  if (!existsSync(path)) return undefined;
  const isPlain = lstatSync(path).isFile();
  if (isPlain && isOurs(plainBytes(path).toString("utf8"))) return undefined;
  return problem("file-exists", wholeFile(file), { cause: isPlain ? "other-content" : "not-plain" });
};
