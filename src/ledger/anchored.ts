// Whether an anchor can be believed, and whether a ledger fits it.
//
// Every note must carry a signature of our key, and the ledger must have every root that was signed. A ledger that was
// cut or written anew is found here and nowhere else. Not here: the file (anchor.ts), the walk (verify.ts), what is known
// without a walk (snapshot.ts).

import { isTornNote, readNotes } from "./anchor.ts";
import { type Checkpoint, readCheckpoint } from "./checkpoint.ts";
import type { Engine } from "./engine.ts";
import { rootOf } from "./merkle.ts";
import { type Known, NOTHING_KNOWN } from "./standing.ts";
import { verifyLines } from "./verify.ts";

export type SignedNote = { readonly checkpoint: Checkpoint; readonly note: string };

export type AnchorRead =
  | { readonly kind: "anchor"; readonly notes: readonly SignedNote[] }
  /** `at` counts notes from 1. */
  | { readonly kind: "bad"; readonly at: number; readonly because: string };

export const readAnchor = (path: string, vkey: string): AnchorRead => {
  const { notes, torn } = notesIn(path);
  const read: SignedNote[] = [];
  for (const note of notes) {
    const one = readCheckpoint(note, vkey);
    if (one.kind === "bad") return { at: read.length + 1, because: one.because, kind: "bad" };
    read.push({ checkpoint: one.checkpoint, note });
  }
  if (!isTornNote(torn))
    return { at: read.length + 1, because: "it ends with what is no note and no beginning of one", kind: "bad" };
  return { kind: "anchor", notes: read };
};

/** A file that may not be read is no anchor that can be believed. */
const notesIn = (path: string): ReturnType<typeof readNotes> => {
  try {
    return readNotes(path);
  } catch (error) {
    return { notes: [], torn: `it cannot be read\n${String(error)}` };
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

const hasRoots = ({ roots, tree }: Known, checkpoints: readonly Checkpoint[]): boolean => {
  const known = new Map(roots.map(({ root, size }) => [size, root]));
  known.set(tree.size, rootOf(tree));
  return checkpoints.every(({ root, size }) => size > tree.size || known.get(size) === root);
};
