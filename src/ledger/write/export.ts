// exportLedger(): a ledger as a folder that anybody can verify: lines, tiles, blobs, and a signed checkpoint over them.
//
// Everything is written into a folder beside the wanted one and renamed at the end, the checkpoint last: what was cut
// short does not look whole. The chain is checked on the way, and nothing is signed that does not hold.

import { hash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sha256 } from "../../spine/model.ts";
import type { Engine } from "../engine.ts";
import { makeOwnFolder, openOwn } from "../files/own-file.ts";
import { syncFolder } from "../files/sync-folder.ts";
import { rootOf } from "../tree/merkle.ts";
import type { Signer } from "../tree/signer.ts";
import { tiler } from "../tree/tiles.ts";
import { type ChainState, recordOf, START, stepped } from "../verify/chain-state.ts";
import { LedgerDamage } from "../verify/damage.ts";

export const LINES_FILE = "audit_export.jsonl";
export const CHECKPOINT_FILE = "checkpoint";
export const BLOBS_FOLDER = "blobs";

export type Exported = { readonly blobs: number; readonly note: string; readonly root: Sha256; readonly size: number };

/** What stands where an export would be written. */
export type ExportObstacle = "not-empty" | "unfinished" | "unreadable-folder";

/** Why nothing can be written there; undefined when it can. */
export const exportObstacle = (folder: string): ExportObstacle | undefined => {
  if (existsSync(partOf(folder))) return "unfinished";
  if (!existsSync(folder)) return undefined;
  try {
    return readdirSync(folder).length === 0 ? undefined : "not-empty";
  } catch {
    return "unreadable-folder";
  }
};

const partOf = (folder: string): string => `${folder}.part`;

export const exportLedger = async (
  engine: Engine,
  signer: Signer,
  folder: string,
  onProgress: (records: number, of: number) => void,
): Promise<Exported> => {
  const part = partOf(folder);
  makeOwnFolder(dirname(folder));
  makeOwnFolder(part);
  try {
    const exported = await written(engine, signer, part, onProgress);
    renameSync(part, folder);
    syncFolder(dirname(folder));
    return exported;
  } catch (error) {
    rmSync(part, { force: true, recursive: true });
    throw error;
  }
};

const LINE_FEED = Uint8Array.of(0x0a);
const LINES_AT_ONCE = 256;
const PROGRESS_EVERY = 1_024;

const written = async (
  engine: Engine,
  signer: Signer,
  part: string,
  onProgress: (records: number, of: number) => void,
): Promise<Exported> => {
  const { size } = await engine.head();
  makeOwnFolder(join(part, BLOBS_FOLDER));
  const tiles = tiler();
  const file = openOwn(join(part, LINES_FILE), "wx");
  const waiting: Uint8Array[] = [];
  let chain: ChainState = START;
  let blobs = 0;
  try {
    for await (const line of engine.read(0, size)) {
      const { blobs: named = [] } = recordOf(line, chain.tree.size);
      for (const digest of named) blobs += (await blobWritten(engine, part, digest, chain.tree.size)) ? 1 : 0;
      chain = stepped(chain, line);
      waiting.push(line, LINE_FEED);
      if (waiting.length >= LINES_AT_ONCE * 2) writeAll(file, Buffer.concat(waiting.splice(0)));
      for (const { bytes, path } of tiles.take(line)) writeFile(join(part, path), bytes);
      if (chain.tree.size % PROGRESS_EVERY === 0) onProgress(chain.tree.size, size);
    }
    writeAll(file, Buffer.concat(waiting));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  for (const { bytes, path } of tiles.end()) writeFile(join(part, path), bytes);
  if (chain.tree.size !== size) throw new LedgerDamage(chain.tree.size, { cause: "line-missing", facts: {} });
  const root = rootOf(chain.tree);
  const note = signer.sign({ root, size });
  writeFile(join(part, CHECKPOINT_FILE), Buffer.from(note));
  syncFolder(part);
  return { blobs, note, root, size };
};

/** False when it was written for an earlier record. */
const blobWritten = async (engine: Engine, part: string, digest: Sha256, seq: number): Promise<boolean> => {
  const path = join(part, BLOBS_FOLDER, digest);
  if (existsSync(path)) return false;
  const bytes = await engine.blob(digest);
  const facts = { digest };
  if (bytes === undefined) throw new LedgerDamage(seq, { cause: "blob-missing", facts });
  if (hash("sha256", bytes, "hex") !== digest) throw new LedgerDamage(seq, { cause: "blob-differs", facts });
  writeFile(path, bytes);
  return true;
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
