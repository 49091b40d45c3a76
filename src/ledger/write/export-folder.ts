// writeExport(): the parts of an export as a folder.
//
// Everything is written into a folder beside the wanted one and renamed at the end: what was cut short, or does not
// hold when it is read again, never has the name. A refusal leaves nothing. Not here: what an export is made of
// (export-parts.ts).

import { closeSync, existsSync, fsyncSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { BLOBS_FOLDER, LINES_FILE } from "../files/export-names.ts";
import { statEntry } from "../files/file-stats.ts";
import { makeNewFolder, makeOwnFolder, openOwn } from "../files/own-file.ts";
import { syncFolder } from "../files/sync-folder.ts";
import type { Exported, ExportPart, ExportPiece } from "./export-parts.ts";

/** What stands where an export would be written. */
export type ExportObstacle = "not-empty" | "unfinished" | "unreadable-folder";

/** Why nothing can be written there; undefined when it can. */
export const findExportObstacle = (folder: string): ExportObstacle | undefined => {
  if (statEntry(unfinished(folder)) !== undefined) return "unfinished";
  const found = statEntry(folder);
  if (found === undefined) return undefined;
  // A link to a folder has the name: a folder cannot be given it.
  if (!found.isDirectory()) return "unreadable-folder";
  try {
    return readdirSync(folder).length === 0 ? undefined : "not-empty";
  } catch {
    return "unreadable-folder";
  }
};

const unfinished = (folder: string): string => `${folder}.part`;

/** Whether a file of the export that is being written there is written already. */
export const isWrittenTo =
  (folder: string) =>
  (file: string): boolean =>
    existsSync(join(unfinished(folder), file));

export type Broken = Exclude<ExportPiece, ExportPart>;

/** Looks at the folder before it has its name; what it finds broken is not renamed. */
export type Look = (part: string) => Promise<Broken | undefined>;
const AS_IT_IS: Look = async () => undefined;

/** What was exported; or the piece that says why it could not be, and nothing is left then. */
export const writeExport = async (
  folder: string,
  pieces: AsyncIterable<ExportPiece>,
  look: Look = AS_IT_IS,
): Promise<Exported | Broken> => {
  const part = unfinished(folder);
  makeOwnFolder(dirname(folder));
  makeNewFolder(part);
  try {
    const written = await writeTo(part, pieces);
    const broken = "kind" in written ? written : await look(part);
    if (broken !== undefined) {
      rmSync(part, { recursive: true });
      return broken;
    }
    renameSync(part, folder);
    syncFolder(dirname(folder));
    return written;
  } catch (error) {
    rmSync(part, { force: true, recursive: true });
    throw error;
  }
};

const writeTo = async (part: string, pieces: AsyncIterable<ExportPiece>): Promise<Exported | Broken> => {
  const folders = new Set([part, join(part, BLOBS_FOLDER)]);
  makeOwnFolder(join(part, BLOBS_FOLDER));
  const lines = openOwn(join(part, LINES_FILE), "wx");
  try {
    for await (const piece of pieces) {
      if (piece.kind === "broken") return piece;
      if (piece.kind === "end") {
        fsyncSync(lines);
        for (const folder of folders) syncFolder(folder);
        const { kind: _, ...exported } = piece;
        return exported;
      }
      if (piece.file === LINES_FILE) writeAll(lines, piece.bytes);
      else {
        const path = join(part, piece.file);
        writeFile(path, piece.bytes);
        for (let above = dirname(path); above !== part; above = dirname(above)) folders.add(above);
      }
    }
  } finally {
    closeSync(lines);
  }
  throw new Error("an export has an end, or says why not");
};

const writeAll = (file: number, bytes: Uint8Array): void => {
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
};

const writeFile = (path: string, bytes: Uint8Array): void => {
  makeOwnFolder(dirname(path));
  const file = openOwn(path, "wx");
  try {
    writeAll(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};
