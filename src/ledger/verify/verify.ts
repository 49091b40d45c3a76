// verifyLines() and verifyExport(): walk a ledger from its first line and list what does not hold.
//
// Constant memory, one pass: order, links, hashes, the tree's root at every checkpoint, and in full mode every byte of
// every line. Bad data is a finding with its exact seq, never an exception. After a finding the walk goes on from what
// is there, so one broken place gives few findings and the first of them names it.
// Not here: signatures of checkpoints (checkpoint.ts); reading files; the anchor (anchor.ts).

import type { Sha256 } from "../../spine/model.ts";
import type { Head } from "../engine.ts";
import type { RecordFlaw } from "../failure.ts";
import { linkOf, linksTo } from "../record/fast/link-of-line.ts";
import { isPlainRecord } from "../record/fast/plain-record.ts";
import { leafHash } from "../record/leaf.ts";
import { type ReadFlaw, readRecord } from "../record/read-record.ts";
import { GENESIS, LINE_BYTES_MAX } from "../record/record.ts";
import { type LinkFlaw, linkFlaw } from "../record/seal.ts";
import type { Checkpoint } from "../tree/checkpoint.ts";
import { growingTree } from "../tree/growing-tree.ts";
import { EMPTY_FRONTIER, type Frontier, rootOf } from "../tree/merkle.ts";

export type VerifyFinding = {
  /** The place in the chain; for a ledger that is too short, the first seq that is not there. */
  readonly seq: number;
  readonly what: LinkFlaw["what"] | ReadFlaw["what"] | "torn" | "checkpoint-differs" | "cut-short";
} & RecordFlaw;

export type Verification = {
  readonly records: number;
  readonly head: Head;
  readonly root: Sha256;
  /** In the order of the walk, so that the first one names the first broken place; at most FINDINGS_LISTED_MAX. */
  readonly findings: readonly VerifyFinding[];
  /** All of them, those beyond the list too. A ledger holds when this is 0. */
  readonly findingsCount: number;
  readonly checkpointsMet: number;
};

export type VerifyOptions = {
  /**
   * raw: order, links, hashes and roots, on the bytes as they are. full: also that every line is a canonical record.
   */
  readonly mode: "raw" | "full";
  /** Their signatures are already verified. */
  readonly checkpoints: readonly Checkpoint[];
  /** Where the walk begins, when it does not begin at the first line; smaller checkpoints are then not met. */
  readonly from?: { readonly hash: Sha256; readonly tree: Frontier };
  readonly onProgress?: (records: number) => void;
  /** Every line as it comes, with its hash; its bytes may be used again after the call. */
  readonly onLine?: (line: Uint8Array, hash: Sha256) => void;
};

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export const FINDINGS_LISTED_MAX = 100;
const PROGRESS_EVERY = 8_192;

/** Lines without their line feed, as an engine gives them. */
export const verifyLines = async (lines: Bytes, options: VerifyOptions): Promise<Verification> => {
  const walk = walkOf(options);
  if (Symbol.iterator in lines) for (const line of lines) walk.take(line);
  else for await (const line of lines) walk.take(line);
  return walk.end();
};

const LINE_FEED = 0x0a;
/** What is kept of a line that does not end; more of it would not make it a record. */
const HELD_BYTES_MAX = 2 * LINE_BYTES_MAX;

/** The bytes of audit_export.jsonl in pieces of any length: every line ends with a line feed, the last one too. */
export const verifyExport = async (pieces: Bytes, options: VerifyOptions): Promise<Verification> => {
  const walk = walkOf(options);
  let held: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces) {
    let from = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, from)) {
      const line = piece.subarray(from, end);
      walk.take(held.length === 0 ? line : joined(held, line));
      if (held.length > 0) held = held.subarray(0, 0);
      from = end + 1;
    }
    if (from < piece.length) held = joined(held, piece.subarray(from));
  }
  if (held.length > 0) walk.tear(held);
  return walk.end();
};

const joined = (held: Uint8Array, more: Uint8Array): Uint8Array =>
  held.length > HELD_BYTES_MAX ? held : Buffer.concat([held, more]).subarray(0, HELD_BYTES_MAX + 1);

type Walk = {
  readonly take: (line: Uint8Array) => void;
  /** A last line without its line feed. */
  readonly tear: (line: Uint8Array) => void;
  readonly end: () => Verification;
};

const FIRST: NonNullable<VerifyOptions["from"]> = { hash: GENESIS, tree: EMPTY_FRONTIER };

const walkOf = ({ checkpoints, from = FIRST, mode, onLine, onProgress }: VerifyOptions): Walk => {
  const flawOf = mode === "full" ? fullFlaw : rawFlaw;
  const waiting = checkpoints.filter(({ size }) => size >= from.tree.size).sort((a, b) => a.size - b.size);
  const findings: VerifyFinding[] = [];
  let findingsCount = 0;
  let tail: Head = { hash: from.hash, size: from.tree.size };
  const tree = growingTree(from.tree);
  let met = 0;

  const report = (what: VerifyFinding["what"], flaw: RecordFlaw): void => {
    if (findingsCount < FINDINGS_LISTED_MAX) findings.push({ ...flaw, seq: tail.size, what });
    findingsCount += 1;
  };
  /** Called before the walk steps past the record, so that a finding names the last record the checkpoint covers. */
  const meet = (): void => {
    for (let next = waiting[met]; next !== undefined && next.size === tree.size(); next = waiting[met]) {
      const root = rootOf(tree.frontier());
      if (root !== next.root) {
        const facts = { root, signed: next.root, size: next.size };
        report("checkpoint-differs", { cause: "root-differs", facts });
      }
      met += 1;
    }
  };
  const take = (line: Uint8Array): void => {
    const hash = leafHash(line);
    onLine?.(line, hash);
    const isNext = linksTo(tail, line);
    const link = isNext ? undefined : linkOf(line);
    const flaw = flawOf(line, isNext || link !== undefined);
    if (flaw !== undefined) report(flaw.what, flaw.flaw);
    const broken = link === undefined ? undefined : linkFlaw(tail, link);
    if (broken !== undefined) report(broken.what, broken.flaw);
    tree.add(hash);
    meet();
    tail = { hash, size: (link?.seq ?? tail.size) + 1 };
    if (tree.size() % PROGRESS_EVERY === 0) onProgress?.(tree.size());
  };
  meet();
  return {
    end: () => {
      const records = tree.size();
      for (const { size } of waiting.slice(met)) {
        report("cut-short", { cause: "behind-checkpoint", facts: { covered: size, size: records } });
      }
      onProgress?.(records);
      return { checkpointsMet: met, findings, findingsCount, head: tail, records, root: rootOf(tree.frontier()) };
    },
    take,
    tear: (line) => {
      report("torn", { cause: "torn", facts: { bytes: line.length } });
      take(line);
    },
  };
};

type Flaw = Pick<ReadFlaw, "flaw" | "what">;

const fullFlaw = (line: Uint8Array, isLinked: boolean): Flaw | undefined => {
  if (isLinked && isPlainRecord(line)) return undefined;
  const read = readRecord(line);
  if (read.kind === "finding") return read;
  return isLinked ? undefined : { flaw: { cause: "not-ended", facts: {} }, what: "not-a-record" };
};

/** A line whose end cannot be read is looked at in full, to say what it is. */
const rawFlaw = (line: Uint8Array, isLinked: boolean): Flaw | undefined =>
  isLinked && line.length <= LINE_BYTES_MAX ? undefined : fullFlaw(line, isLinked);
