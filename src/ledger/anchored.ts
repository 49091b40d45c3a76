// Whether an anchor can be believed, and whether a ledger fits it.
//
// Every note must carry a signature of our key, and the ledger must have every root that was signed. A ledger that was
// cut or written anew is found here and nowhere else. A signature costs as much as many records, and there is one for
// every session: those of a beginning that is known by its digest are not verified again. Not here: the file (anchor.ts),
// the walk (verify.ts), what is known without a walk (snapshot.ts).

import { hash } from "node:crypto";
import { isSha256 } from "../spine/hash.ts";
import { anchorBytes, isTornNote, noteBytes, notesIn } from "./anchor.ts";
import { type Checkpoint, parseNote, readCheckpoint } from "./checkpoint.ts";
import type { Engine } from "./engine.ts";
import { rootOf } from "./merkle.ts";
import { type AnchorPart, type Known, NOTHING_KNOWN } from "./standing.ts";
import { verifyLines } from "./verify.ts";

export type SignedNote = { readonly checkpoint: Checkpoint; readonly note: string };

export type AnchorRead =
  | {
      readonly kind: "anchor";
      readonly notes: readonly SignedNote[];
      /** All of it but a torn note at its end. */
      readonly part: AnchorPart;
    }
  /** `at` counts notes from 1. */
  | { readonly kind: "bad"; readonly at: number; readonly because: string };

/** `held` is a beginning whose notes carried their signatures; nothing is skipped unless its bytes are the same. */
export const readAnchor = (path: string, vkey: string, held?: AnchorPart): AnchorRead => {
  const { bytes, notes, torn } = fileAt(path);
  const heldBytes = held !== undefined && partOf(bytes, held.bytes).digest === held.digest ? held.bytes : 0;
  const read: SignedNote[] = [];
  let end = 0;
  for (const note of notes) {
    end += noteBytes(note);
    const one = end <= heldBytes ? parseNote(note) : readCheckpoint(note, vkey);
    if (one.kind === "bad") return { at: read.length + 1, because: one.because, kind: "bad" };
    read.push({ checkpoint: one.checkpoint, note });
  }
  if (!isTornNote(torn))
    return { at: read.length + 1, because: "it ends with what is no note and no beginning of one", kind: "bad" };
  return { kind: "anchor", notes: read, part: partOf(bytes, end) };
};

const partOf = (file: Buffer, bytes: number): AnchorPart => {
  const digest = hash("sha256", file.subarray(0, bytes), "hex");
  if (!isSha256(digest)) throw new TypeError("a digest is a SHA-256");
  return { bytes, digest };
};

/** A file that may not be read is no anchor that can be believed. */
const fileAt = (path: string): { readonly bytes: Buffer } & ReturnType<typeof notesIn> => {
  try {
    const bytes = anchorBytes(path);
    return { bytes, ...notesIn(bytes) };
  } catch (error) {
    return { bytes: Buffer.alloc(0), notes: [], torn: `it cannot be read\n${String(error)}` };
  }
};

export type Misfit = {
  readonly code: "ledger-cut-short" | "ledger-rewritten";
  readonly because: string;
  readonly seq: number;
};

/**
 * Undefined when the ledger has every signed root. Reads it up to the largest signed size, from the first line or from
 * where it is known to stand; what is known must then have every smaller signed root, or the walk is of all lines.
 */
export const misfitOf = async (
  engine: Engine,
  checkpoints: readonly Checkpoint[],
  onProgress: (records: number) => void,
  known: Known = NOTHING_KNOWN,
): Promise<Misfit | undefined> => {
  const largest = checkpoints.reduce((most, { size }) => Math.max(most, size), 0);
  const { size } = await engine.head();
  if (size < largest) {
    const because = `a signed checkpoint covers ${largest} records, and the ledger has ${size}`;
    return { because, code: "ledger-cut-short", seq: size };
  }
  const from = hasRoots(known, checkpoints) ? known : NOTHING_KNOWN;
  if (largest <= from.tree.size) return undefined;
  const { findings } = await verifyLines(engine.read(from.tree.size, largest), {
    checkpoints,
    from,
    mode: "raw",
    onProgress,
  });
  const [first] = findings;
  return first === undefined
    ? undefined
    : { because: `at record ${first.seq}: ${first.because}`, code: "ledger-rewritten", seq: first.seq };
};

/** Whether what is known tells every signed root up to where the ledger stood. */
export const hasRoots = ({ roots, tree }: Known, checkpoints: readonly Checkpoint[]): boolean => {
  const known = new Map(roots.map(({ root, size }) => [size, root]));
  known.set(tree.size, rootOf(tree));
  return checkpoints.every(({ root, size }) => size > tree.size || known.get(size) === root);
};
