// chainWalk(): takes the lines of a ledger from its first on, and lists what does not hold: order, links, the form of
// every line, and the root at every checkpoint.
//
// After a finding it goes on from what is there, as our own verification does (ledger/verify/verify.ts), so that both
// name the same places. Not here: where lines come from (walk-service.ts), signatures (signed-note.ts).

import type { FlawSeen } from "../../boundary/contract/seen-flaw.ts";
import { objectEnd } from "./divide-records.ts";
import { grownTree } from "./grown-tree.ts";
import { type ChainLink, plainLineAfter } from "./plain-line.ts";
import { LINE_MAX, type LineFlaw, linkIn, utf8Text } from "./read-line.ts";
import { DIGEST_WORDS, hexOfWords, wordsHasher } from "./sha256-words.ts";

export const FINDINGS_MAX = 100;
const FIRST_PREV = "0".repeat(64);

export type ChainFinding = {
  /** The place in the chain; of a ledger that is too short, the first that is not there. */
  readonly seq: number;
  /** From here on nothing is shown to be what was written. */
  readonly unprovenFrom: number;
  readonly what: LineFlaw["what"] | "broken-link" | "checkpoint-differs" | "cut-short" | "out-of-order";
} & FlawSeen;

/** Size and root, the root in hexadecimal digits. */
export type RootAt = { readonly root: string; readonly size: number };

export type ChainSeen = {
  /** Of the checkpoints those whose root is that of the lines. */
  readonly checkpointsHeld: number;
  readonly checkpointsMet: number;
  readonly findings: readonly ChainFinding[];
  readonly findingsCount: number;
  readonly hash: string;
  /** The records under the largest checkpoint that held before anything was found. */
  readonly heldTo: number;
  readonly records: number;
  readonly root: string;
};

export type ChainWalk = {
  /** Of lines that are known to be all that there are, or not. */
  readonly end: (isWhole: boolean) => ChainSeen;
  readonly findingsCount: () => number;
  /** Of the line that was taken last. */
  readonly hash: () => string;
  readonly records: () => number;
  readonly take: (line: Uint8Array) => void;
  /** Takes the line of a page that begins there and gives the place after it; -1 when it does not end. */
  readonly takeFrom: (page: DecodedPage, start: number) => number;
};

/** A page, and where all of it is ASCII the same as a text: a place in one is that in the other. */
export type DecodedPage = { readonly bytes: Uint8Array; readonly text?: string };

export const decodedPage = (bytes: Uint8Array): DecodedPage => {
  const text = utf8Text(bytes);
  return text?.length === bytes.length ? { bytes, text } : { bytes };
};

export const chainWalk = (checkpoints: readonly RootAt[]): ChainWalk => {
  const waiting = checkpoints.toSorted((one, other) => one.size - other.size);
  const findings: ChainFinding[] = [];
  const tree = grownTree();
  const { leafInto } = wordsHasher();
  const leaf = new Int32Array(DIGEST_WORDS);
  let findingsCount = 0;
  let [hash, next] = [FIRST_PREV, 0];
  let [held, heldTo, met] = [0, 0, 0];

  const report = (what: ChainFinding["what"], flaw: FlawSeen, unprovenFrom = next): void => {
    if (findingsCount < FINDINGS_MAX) findings.push({ ...flaw, seq: next, unprovenFrom, what });
    findingsCount += 1;
  };
  const meet = (): void => {
    for (let one = waiting[met]; one?.size === tree.size(); one = waiting[met]) {
      const root = hexOfWords(tree.root());
      met += 1;
      if (root !== one.root) {
        const facts = { root, signed: one.root, size: one.size };
        // Whatever lies behind the last root that was right may be what is not.
        report("checkpoint-differs", { cause: "root-differs", facts }, heldTo);
        continue;
      }
      held += 1;
      if (findingsCount === 0) heldTo = one.size;
    }
  };
  const linked = ({ prev, seq }: ChainLink): void => {
    if (seq !== next) report("out-of-order", { cause: "out-of-order", facts: { seqThere: seq, size: next } });
    else if (prev !== hash && next === 0) report("broken-link", { cause: "first-link-broken", facts: { hash, prev } });
    else if (prev !== hash) {
      // Either of the two was altered, and neither says which.
      const before = next - 1;
      report("broken-link", { cause: "link-broken", facts: { before, hash, prev } }, before);
    }
  };
  const grow = (seq: number): void => {
    tree.add(leaf);
    meet();
    hash = hexOfWords(leaf);
    next = seq + 1;
  };
  const take = (line: Uint8Array): void => {
    leafInto(line, 0, line.length, leaf);
    const read = linkIn(line, { hash, next });
    const isFlawed = "flaw" in read;
    const link = isFlawed ? linkAtEnd(line) : read;
    if (isFlawed) report(read.what, read.flaw);
    if (link !== undefined) linked(link);
    grow(link?.seq ?? next);
  };
  meet();
  return {
    end: (isWhole) => {
      const records = tree.size();
      for (const { size: covered } of isWhole ? waiting.slice(met) : [])
        report("cut-short", { cause: "behind-checkpoint", facts: { covered, size: records } });
      const root = hexOfWords(tree.root());
      return { checkpointsHeld: held, checkpointsMet: met, findings, findingsCount, hash, heldTo, records, root };
    },
    findingsCount: () => findingsCount,
    hash: () => hash,
    records: () => tree.size(),
    take,
    takeFrom: ({ bytes, text }, start) => {
      const plain = text === undefined ? -1 : plainLineAfter(text, start, { hash, next });
      if (plain >= 0 && plain - start <= LINE_MAX) {
        leafInto(bytes, start, plain, leaf);
        grow(next);
        return plain;
      }
      const end = objectEnd(bytes, start);
      if (end >= 0) take(bytes.subarray(start, end));
      return end;
    },
  };
};

const LINK = /,"prev":"([\s\S]{64})","processTime":"[\s\S]{24}","seq":(0|[1-9]\d*),"v":1\}$/;

/** Keys ascend, so that both stand at the end of a line whatever is wrong before it. */
const linkAtEnd = (line: Uint8Array): ChainLink | undefined => {
  const [, prev, seq] = LINK.exec(new TextDecoder("latin1").decode(line.subarray(-256))) ?? [];
  return prev === undefined || !Number.isSafeInteger(Number(seq)) ? undefined : { prev, seq: Number(seq) };
};
