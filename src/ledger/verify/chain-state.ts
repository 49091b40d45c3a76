// Where a ledger stands: its size, tree, last hash and last process time, read from its lines and checked link by link.
//
// What an act needs to know before it is recorded. Not here: the findings of a whole verification (verify.ts).

import type { Instant, Sha256 } from "../../spine/model.ts";
import type { Engine } from "../engine.ts";
import type { RecordFlaw } from "../failure.ts";
import { linkOf } from "../record/fast/link-of-line.ts";
import { type ReadRecord, readRecord } from "../record/read-record.ts";
import { GENESIS, type LedgerRecord } from "../record/record.ts";
import { linkFlaw, recordHash } from "../record/seal.ts";
import { EMPTY_FRONTIER, type Frontier, grown } from "../tree/merkle.ts";
import { LedgerDamage } from "./damage.ts";

export type ChainState = {
  /** The process time of the last record; nothing is stamped earlier, but for an accepted clock (floor.ts). */
  readonly floor: Instant | undefined;
  readonly hash: Sha256;
  readonly tree: Frontier;
};

export const START: ChainState = { floor: undefined, hash: GENESIS, tree: EMPTY_FRONTIER };

/** Where a ledger stood, and roots of sizes before that: what is known of it without walking it. */
export type KnownChain = ChainState & {
  /** The beginning of the anchor, whose notes were all found to carry their signatures. */
  readonly anchor?: AnchorPart;
  readonly roots: readonly Root[];
};
export type AnchorPart = { readonly bytes: number; readonly digest: Sha256 };
export type Root = { readonly root: Sha256; readonly size: number };

export const NOTHING_KNOWN: KnownChain = { ...START, roots: [] };

/** The record of a line that must be one. */
export const recordOf = (line: Uint8Array, seq: number): LedgerRecord => recordIn(readRecord(line), seq);

export const recordIn = (read: ReadRecord, seq: number): LedgerRecord => {
  if (read.kind === "finding") throw new LedgerDamage(seq, read.flaw);
  return read.record;
};

export const stepped = ({ hash, tree }: ChainState, line: Uint8Array): ChainState => {
  const link = linkOf(line);
  if (link === undefined) throw new LedgerDamage(tree.size, unlinkedFlaw(line));
  const flaw = linkFlaw({ hash, size: tree.size }, link);
  if (flaw !== undefined) throw new LedgerDamage(tree.size, flaw.flaw);
  const next = recordHash(line);
  return { floor: undefined, hash: next, tree: grown(tree, next) };
};

/** One in a format of later ends otherwise. */
const unlinkedFlaw = (line: Uint8Array): RecordFlaw => {
  const read = readRecord(line);
  return read.kind === "finding" && read.what === "newer-format" ? read.flaw : { cause: "not-ended", facts: {} };
};

/** Goes on from what is known to the end of the ledger, or to a size before it. */
export const readChainState = async (
  engine: Engine,
  from: ChainState = START,
  to = Number.MAX_SAFE_INTEGER,
): Promise<ChainState> => {
  const size = Math.min(to, (await engine.head()).size);
  let chain = from;
  let last: Uint8Array | undefined;
  for await (const line of engine.read(from.tree.size, size)) {
    chain = stepped(chain, line);
    last = line;
  }
  return last === undefined ? chain : { ...chain, floor: recordOf(last, chain.tree.size - 1).processTime };
};
