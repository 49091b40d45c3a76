// Whether an anchor can be believed, and whether a ledger fits it.
//
// Every note must carry a signature of our key, and the ledger must have every root that was signed. A ledger that was
// cut or written anew is found here and nowhere else. A signature costs as much as many records, and there is one for
// every session: those of a beginning that is known by its digest are not verified again. Not here: the file
// (anchor.ts), the walk (verify.ts), what is known without a walk (write/saved-state.ts).

import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type About, refuse } from "../../spine/rules/refusals.ts";
import { isSha256, sha256 } from "../../spine/values/hash.ts";
import { withFacts } from "../../spine/words/cause.ts";
import type { Engine } from "../engine.ts";
import type { RecordFlaw } from "../failure.ts";
import { statFile } from "../files/file-stats.ts";
import { type Checkpoint, parseNote, parseVkey, readCheckpoint, type SignedNote } from "../tree/checkpoint.ts";
import { EMPTY_ROOT, rootOf } from "../tree/merkle.ts";
import { type AnchorPart, type KnownChain, NOTHING_KNOWN } from "../verify/chain-state.ts";
import { verifyLines } from "../verify/verify.ts";
import { AnchorUnfit, isTornNote, noteBytes, notesIn } from "./anchor.ts";
import { type AnchorClaim, keyDigest } from "./anchor-claim.ts";
import type { AnchorLoss } from "./anchor-loss.ts";

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
  | { readonly kind: "none"; readonly code: "anchor-absent" | "anchor-unmounted" | "anchor-empty" }
  | { readonly kind: "bad"; readonly loss: AnchorLoss }
);

/** `held` is a beginning whose notes carried their signatures; nothing is skipped unless its bytes are the same. */
export const readAnchor = (path: string, vkey: string, held?: AnchorPart): AnchorRead => {
  const file = fileAt(path);
  if (!Buffer.isBuffer(file)) return { ...file, notes: [] };
  const heldBytes = held !== undefined && isPart(file, held) ? held.bytes : 0;
  const { notes, torn } = notesIn(file);
  const read: SignedNote[] = [];
  let wrong: AnchorLoss | undefined;
  let end = 0;
  for (const [at, note] of notes.entries()) {
    end += noteBytes(note);
    const one = end <= heldBytes ? parseNote(note) : readCheckpoint(note, vkey);
    if (one.kind === "bad") wrong ??= refuse("anchor-unverified", withFacts(one.failure, { note: at + 1 }));
    else read.push({ checkpoint: one.checkpoint, note });
  }
  if (!isTornNote(torn, nameIn(vkey)))
    wrong ??= refuse("anchor-unverified", { cause: "end-foreign", facts: { note: notes.length + 1 } });
  if (wrong !== undefined) return { kind: "bad", loss: wrong, notes: read };
  const [first] = notes;
  if (first === undefined) return { code: "anchor-empty", kind: "none", notes: [] };
  const claim = { ...partOf(file, end), first: sha256(first), key: keyDigest(vkey) };
  return { claim, holds: (part) => isPart(file, part), kind: "anchor", notes: read };
};

/**
 * The anchor now, with what was appended since it was found; throws when not all of that is in it any more. Others may
 * have written between: their signatures are verified too.
 */
export const readGrownPart = (path: string, vkey: string, found: AnchorPart, end: number): AnchorPart => {
  const read = readAnchor(path, vkey, found);
  if (read.kind !== "anchor") {
    const { code } = read.kind === "bad" ? read.loss : read;
    throw new AnchorUnfit({ cause: "lost", facts: { code } });
  }
  const { bytes, digest } = read.claim;
  if (bytes < end || !read.holds(found)) throw new AnchorUnfit({ cause: "notes-lost", facts: {} });
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
  | { readonly kind: "none"; readonly code: "anchor-absent" | "anchor-unmounted" }
  | { readonly kind: "bad"; readonly loss: AnchorLoss };

/** What is no plain file is not read: a pipe would never end. Only what the system says is not there is absent. */
const fileAt = (path: string): Buffer | NoFile => {
  try {
    const found = statFile(path);
    if (found === undefined) return nothingAt(path);
    return found.isFile() ? readFileSync(path) : unreadable({ cause: "not-plain" });
  } catch (error) {
    const said = (error as NodeJS.ErrnoException).code ?? String(error);
    return unreadable(said === "ENOTDIR" ? { cause: "not-a-folder" } : { cause: "system-said", facts: { said } });
  }
};

const unreadable = (about: About<"anchor-unreadable">): NoFile => ({
  kind: "bad",
  loss: refuse("anchor-unreadable", about),
});

const nothingAt = (path: string): NoFile => ({
  code: statFile(dirname(path)) === undefined ? "anchor-unmounted" : "anchor-absent",
  kind: "none",
});

/** `seq` is the first record that is not there, or not the one that was signed. */
export type AnchorMisfit = { readonly seq: number } & (
  | { readonly code: "ledger-cut-short"; readonly flaw: Behind }
  | { readonly code: "ledger-rewritten"; readonly flaw: RecordFlaw }
);
export type Behind = Extract<RecordFlaw, { readonly cause: `behind-${string}` }>;

/**
 * Undefined when the ledger has every signed root. Reads it up to the largest signed size, from the first line or from
 * where it is known to stand; what is known must then have every smaller signed root, or the walk is of all lines.
 */
export const findMisfit = async (
  engine: Engine,
  checkpoints: readonly Checkpoint[],
  onProgress: (records: number) => void,
  known: KnownChain = NOTHING_KNOWN,
  onLine: (line: Uint8Array) => void = () => undefined,
): Promise<AnchorMisfit | undefined> => {
  const largest = checkpoints.reduce((most, { size }) => Math.max(most, size), 0);
  const { size } = await engine.head();
  if (size < largest) {
    const flaw = { cause: "behind-checkpoint", facts: { covered: largest, size } } as const;
    return { code: "ledger-cut-short", flaw, seq: size };
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
  return first === undefined ? undefined : { code: "ledger-rewritten", flaw: first, seq: first.seq };
};

/** Whether what is known tells every signed root up to where the ledger stood. */
export const hasRoots = ({ roots, tree }: KnownChain, checkpoints: readonly Checkpoint[]): boolean => {
  const known = new Map(roots.map(({ root, size }) => [size, root]));
  known.set(0, EMPTY_ROOT);
  known.set(tree.size, rootOf(tree));
  return checkpoints.every(({ root, size }) => size > tree.size || known.get(size) === root);
};
