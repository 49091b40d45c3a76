// Whether an anchor can be believed, and whether a ledger fits it.
//
// Every note must carry a signature of our key, and the ledger must have every root that was signed. A ledger that was
// cut or written anew is found here and nowhere else. A signature costs as much as many records, and there is one for
// every session: those of a beginning that is known by its digest are not verified again. Not here: the file (anchor.ts),
// the walk (verify.ts), what is known without a walk (write/saved-state.ts).

import { hash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import type { Engine } from "../engine.ts";
import { type Checkpoint, parseNote, parseVkey, readCheckpoint } from "../tree/checkpoint.ts";
import { EMPTY_ROOT, rootOf } from "../tree/merkle.ts";
import { type AnchorPart, type Known, NOTHING_KNOWN } from "../verify/standing.ts";
import { verifyLines } from "../verify/verify.ts";
import { AnchorUnfit, isTornNote, noteBytes, notesIn } from "./anchor.ts";
import type { AnchorClaim } from "./anchor-claim.ts";

export type SignedNote = { readonly checkpoint: Checkpoint; readonly note: string };

export type AnchorRead = {
  /** Those whose signatures hold, also of an anchor that is bad as a whole. */
  readonly notes: readonly SignedNote[];
} & (
  | {
      readonly kind: "anchor";
      /** All of it but a torn note at its end. */
      readonly claim: AnchorClaim;
      /** Whether the file begins with these bytes. */
      readonly holds: (part: AnchorPart) => boolean;
    }
  /** Nothing wrong where there is no record yet. */
  | {
      readonly kind: "none";
      readonly code: "anchor-absent" | "anchor-unmounted" | "anchor-empty";
      readonly because: string;
    }
  | { readonly kind: "bad"; readonly code: "anchor-unreadable" | "anchor-unverified"; readonly because: string }
);

/** `held` is a beginning whose notes carried their signatures; nothing is skipped unless its bytes are the same. */
export const readAnchor = (path: string, vkey: string, held?: AnchorPart): AnchorRead => {
  const file = fileAt(path);
  if (!Buffer.isBuffer(file)) return { ...file, notes: [] };
  const heldBytes = held !== undefined && isPart(file, held) ? held.bytes : 0;
  const { notes, torn } = notesIn(file);
  const read: SignedNote[] = [];
  let wrong: string | undefined;
  let end = 0;
  for (const [at, note] of notes.entries()) {
    end += noteBytes(note);
    const one = end <= heldBytes ? parseNote(note) : readCheckpoint(note, vkey);
    if (one.kind === "bad") wrong ??= `note ${at + 1} of the anchor: ${one.because}`;
    else read.push({ checkpoint: one.checkpoint, note });
  }
  if (!isTornNote(torn, nameIn(vkey)))
    wrong ??= `note ${notes.length + 1} of the anchor: it ends with what is no note and no beginning of one`;
  if (wrong !== undefined) return { because: wrong, code: "anchor-unverified", kind: "bad", notes: read };
  const [first] = notes;
  if (first === undefined) return { because: "it holds no checkpoint", code: "anchor-empty", kind: "none", notes: [] };
  const claim = { ...partOf(file, end), first: sha256(first) };
  return { claim, holds: (part) => isPart(file, part), kind: "anchor", notes: read };
};

/**
 * The anchor now, with what was appended since it was found; throws when not all of that is in it any more. Others may
 * have written between: their signatures are verified too.
 */
export const grownPart = (path: string, vkey: string, found: AnchorPart, end: number): AnchorPart => {
  const read = readAnchor(path, vkey, found);
  if (read.kind !== "anchor") throw new AnchorUnfit(read.because);
  const { bytes, digest } = read.claim;
  if (bytes < end || !read.holds(found)) throw new AnchorUnfit("the anchor lost notes while it was in use");
  return { bytes, digest };
};

const partOf = (file: Buffer, bytes: number): AnchorPart => {
  const digest = hash("sha256", file.subarray(0, bytes), "hex");
  if (!isSha256(digest)) throw new TypeError("a digest is a SHA-256");
  return { bytes, digest };
};

const isPart = (file: Buffer, { bytes, digest }: AnchorPart): boolean =>
  bytes <= file.length && partOf(file, bytes).digest === digest;

const nameIn = (vkey: string): string => {
  const parsed = parseVkey(vkey);
  return parsed.kind === "verifier" ? parsed.verifier.name : "";
};

type NoFile =
  | { readonly kind: "none"; readonly code: "anchor-absent" | "anchor-unmounted"; readonly because: string }
  | { readonly kind: "bad"; readonly code: "anchor-unreadable"; readonly because: string };

/** What is no plain file is not read: a pipe would never end. */
const fileAt = (path: string): Buffer | NoFile => {
  try {
    if (!existsSync(path)) return nothingAt(path);
    if (!statSync(path).isFile()) return unreadable("it is not a plain file");
    return readFileSync(path);
  } catch (error) {
    return unreadable(`it cannot be read: ${(error as NodeJS.ErrnoException).code ?? "the system would not give it"}`);
  }
};

const unreadable = (because: string): NoFile => ({ because, code: "anchor-unreadable", kind: "bad" });

const nothingAt = (path: string): NoFile => {
  const folder = dirname(path);
  if (!existsSync(folder)) return { because: "its folder is not there", code: "anchor-unmounted", kind: "none" };
  if (!statSync(folder).isDirectory()) return unreadable("a part of its path is not a folder");
  return { because: "there is no such file", code: "anchor-absent", kind: "none" };
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
  onLine: (line: Uint8Array) => void = () => undefined,
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
    onLine,
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
  known.set(0, EMPTY_ROOT);
  known.set(tree.size, rootOf(tree));
  return checkpoints.every(({ root, size }) => size > tree.size || known.get(size) === root);
};
