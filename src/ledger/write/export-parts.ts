// exportParts(): a ledger as files that anybody can verify, as they come: lines, tiles, blobs, and a signed checkpoint
// over them.
//
// The checkpoint comes last, and `end` after it: what was cut short does not observation whole. The chain is checked on
// the way, and nothing is signed that does not hold. Memory stays small where the receiver says what it has. Not here:
// a folder of them (export-folder.ts).

import { hash } from "node:crypto";
import type { Refusal, Sha256 } from "../../spine/model.ts";
import type { Engine } from "../engine.ts";
import { BLOBS_FOLDER, CHECKPOINT_FILE, LINES_FILE } from "../files/export-names.ts";
import { rootOf } from "../tree/merkle.ts";
import type { Signer } from "../tree/signer.ts";
import { tiler } from "../tree/tiles.ts";
import { type ChainState, recordOf, START, stepped } from "../verify/chain-state.ts";
import { LedgerDamage } from "../verify/damage.ts";

/** `blobs`: how many its records name, as a verification counts them. */
export type Exported = { readonly blobs: number; readonly note: string; readonly root: Sha256; readonly size: number };

/** Bytes of a file; those of the lines come in several parts, to be appended, and every other file is one part. */
export type ExportPart =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly file: string }
  | ({ readonly kind: "end" } & Exported);

/** `broken` is the last piece, where the ledger turned out to be: then there is no end. */
export type ExportPiece = ExportPart | { readonly kind: "broken"; readonly refusal: Refusal };

export type Exporting = {
  /** Whether the receiver has this file already: a blob that several records name is sent once. */
  readonly isKept: (file: string) => boolean;
  readonly onProgress: (records: number, of: number) => void;
  /** So many records, from the first on. */
  readonly size: number;
};

const LINE_FEED = Uint8Array.of(0x0a);
const LINES_AT_ONCE = 256;
const PROGRESS_EVERY = 1_024;

export async function* exportParts(
  engine: Engine,
  signer: Signer,
  { isKept, onProgress, size }: Exporting,
): AsyncGenerator<ExportPart> {
  const tiles = tiler();
  const waiting: Uint8Array[] = [];
  const lines = (): ExportPart => partOf(LINES_FILE, Buffer.concat(waiting.splice(0)));
  let chain: ChainState = START;
  let blobs = 0;
  for await (const line of engine.read(0, size)) {
    const { blobs: named = [] } = recordOf(line, chain.tree.size);
    for (const digest of named) {
      blobs += 1;
      const file = `${BLOBS_FOLDER}/${digest}`;
      if (!isKept(file)) yield partOf(file, await blobOf(engine, digest, chain.tree.size));
    }
    chain = stepped(chain, line);
    waiting.push(line, LINE_FEED);
    if (waiting.length >= LINES_AT_ONCE * 2) yield lines();
    for (const { bytes, path } of tiles.take(line)) yield partOf(path, bytes);
    if (chain.tree.size % PROGRESS_EVERY === 0) onProgress(chain.tree.size, size);
  }
  yield lines();
  for (const { bytes, path } of tiles.end()) yield partOf(path, bytes);
  if (chain.tree.size !== size) throw new LedgerDamage(chain.tree.size, { cause: "line-missing", facts: {} });
  const root = rootOf(chain.tree);
  const note = signer.sign({ root, size });
  yield partOf(CHECKPOINT_FILE, Buffer.from(note));
  yield { blobs, kind: "end", note, root, size };
}

const partOf = (file: string, bytes: Uint8Array): ExportPart => ({ bytes, file, kind: "bytes" });

const blobOf = async (engine: Engine, digest: Sha256, seq: number): Promise<Uint8Array> => {
  const bytes = await engine.blob(digest);
  const facts = { digest };
  if (bytes === undefined) throw new LedgerDamage(seq, { cause: "blob-missing", facts });
  if (hash("sha256", bytes, "hex") !== digest) throw new LedgerDamage(seq, { cause: "blob-differs", facts });
  return bytes;
};
