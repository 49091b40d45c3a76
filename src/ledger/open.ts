// Opening a ledger as everybody must: the engine's own refusal in our words, then the anchor, then the read-only mark
// and the seal.
//
// Nothing is read from or written to a ledger that does not fit its anchor. keeps N7: what was cut or rewritten is not
// believed; and one that has records goes on with no anchor but its own, whole: what is missing of it is named, and
// only an operator's recorded act makes another. A copy that is not finished is no ledger to anybody. A saved state
// that fits spares the walk over what it stands on: lines before it are then held by its signature and the chain, and
// one that was changed in its place is found by ledger verify alone (docs/RECORDS.md).
// Not here: which engine it is (wire.ts), the walk itself (anchor-fit.ts).

import { statSync } from "node:fs";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { withFacts } from "../spine/words/cause.ts";
import { readNotes } from "./anchor/anchor.ts";
import { type AnchorClaim, type Claims, claimsReader, keyDigest } from "./anchor/anchor-claim.ts";
import { type AnchorMisfit, findMisfit, hasRoots, readAnchor } from "./anchor/anchor-fit.ts";
import { type AnchorLoss, anchorLoss } from "./anchor/anchor-loss.ts";
import type { Engine, Opened } from "./engine.ts";
import { LedgerUnread, type ReadOnlyFailure, type SavedStateRemark } from "./failure.ts";
import { type CopyMarks, readCopyMarks } from "./record/copy-marks.ts";
import type { LedgerRecord } from "./record/record.ts";
import { type Checkpoint, parseNote, type SignedNote } from "./tree/checkpoint.ts";
import { type KnownChain, NOTHING_KNOWN } from "./verify/chain-state.ts";
import { LedgerDamage, LedgerOfAnotherTime } from "./verify/damage.ts";
import { type NoSavedState, readKnown } from "./write/saved-state.ts";
import { heedful, readSeal } from "./write/sealed.ts";

/**
 * unlock opens a read-only ledger, copy a sealed one too, unseal only a sealed one; write opens neither. view shows a
 * ledger whose anchor is lost, and says so; re-anchor opens no other. Nothing is signed for a ledger that was opened
 * for viewing.
 */
export type OpenMode = "read" | "view" | "write" | "unlock" | "copy" | "unseal" | "re-anchor" | "join";
const READING: ReadonlySet<OpenMode> = new Set(["read", "view"]);

export type Ledger = {
  /** The anchor as it was found; nothing where there is none yet, or it is lost. */
  readonly anchorClaim: AnchorClaim | undefined;
  readonly engine: Engine;
  /** Where it stood when its saved state was written; nothing when there is none that fits. Walks may begin there. */
  readonly known: KnownChain;
  /** Whether the saved state fits and does not know a checkpoint of the anchor, so that every line had to be walked. */
  readonly isSavedStateLacking: boolean;
  /** What is wrong with the anchor; set only in a mode that opens such a ledger. */
  readonly loss: AnchorLoss | undefined;
  /** What an operator may want to hear, such as why a saved state was not used. */
  readonly remarks: readonly SavedStateRemark[];
  /** Those of the anchor that can be believed, in its order; the ledger fits them. */
  readonly notes: readonly SignedNote[];
  readonly marks: CopyMarks;
  readonly seal: LedgerRecord | undefined;
};

export type LedgerOpened =
  | { readonly kind: "open"; readonly ledger: Ledger }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type Expected = {
  readonly anchor: string;
  readonly mode: OpenMode;
  readonly onProgress: (records: number) => void;
  /** The file of the saved state, if there is to be one. */
  readonly savedState?: string;
  readonly vkey: string;
};

const refused = (refusal: Refusal): LedgerOpened => ({ kind: "refused", refusal });

export const openChecked = async (opened: Opened, expected: Expected): Promise<LedgerOpened> => {
  if (opened.kind === "refused") return refused(gone(opened.refusal, expected) ?? opened.refusal);
  const { engine } = opened;
  const result = await checkOpened(engine, expected).catch((error: unknown) => refused(readRefusal(error)));
  if (result.kind === "refused") await engine.close();
  return result;
};

/** A ledger that is not there, while its anchor says that there was one. */
const gone = ({ code, facts }: Refusal, { anchor, vkey }: Expected): Refusal | undefined => {
  if (code !== "ledger-absent") return undefined;
  const read = readAnchor(anchor, vkey);
  const most = largestOf(read.notes.map(({ checkpoint }) => checkpoint));
  if (most > 0)
    return refuse("ledger-cut-short", { cause: "absent", facts: { covered: most, name: String(facts["name"]) } });
  return read.kind === "bad" ? read.loss : undefined;
};

/** Longer than the note that every anchor begins with. */
const UNUSED_BYTES_MAX = 1_024;

/**
 * Whether no record is covered by it: it is not there, or holds only the note that is written before the first record.
 */
export const isAnchorUnused = (path: string): boolean => {
  try {
    const file = statSync(path);
    if (!file.isFile() || file.size > UNUSED_BYTES_MAX) return false;
    return readNotes(path).notes.every((note) => {
      const read = parseNote(note);
      return read.kind !== "bad" && read.checkpoint.size === 0;
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
};

const checkOpened = async (
  engine: Engine,
  { anchor, mode, onProgress, savedState, vkey }: Expected,
): Promise<LedgerOpened> => {
  const marks = await readCopyMarks(engine);
  if (marks.begun !== undefined && marks.finishedAt === undefined)
    return refused(refuse("copy-unfinished", { facts: { name: engine.name } }));
  const found = savedState === undefined ? NO_SAVED_STATE : await readKnown(savedState, vkey, engine);
  const known = found.kind === "none" ? NOTHING_KNOWN : found.known;
  const { remark, signed } = found.kind === "none" ? found : NO_SAVED_STATE;
  const read = readAnchor(anchor, vkey, known.anchor);
  const checkpoints = read.notes.map(({ checkpoint }) => checkpoint);
  const reader = claimsReader();
  const misfit =
    (await findMisfit(engine, checkpoints, onProgress, known, reader.take)) ??
    (await findSavedStateMisfit(engine, signed));
  const seal = await readSeal(engine, marks);
  if (misfit !== undefined) {
    const { seq } = misfit;
    // A sealed ledger falls behind its anchor as soon as its copy goes on; that is no riddle to its operator.
    if (misfit.code === "ledger-cut-short") {
      if (seal !== undefined)
        return refused(mode === "unseal" ? refuse("copy-alive", misfit.flaw) : sealedRefusal(engine.name, seal));
      return refused(refuse("ledger-cut-short", withFacts(misfit.flaw, { name: engine.name, seq })));
    }
    return refused(refuse("ledger-rewritten", withFacts(misfit.flaw, { name: engine.name, seq })));
  }
  const walkedFrom = hasRoots(known, checkpoints) ? known.tree.size : 0;
  const { size } = await engine.head();
  const claims = await claimsTo(engine, reader, Math.max(walkedFrom, largestOf(checkpoints)), size).catch(
    (error: unknown) => {
      // Whoever only views is shown what there is, up to the damage, which is named where it is met.
      if (mode === "view" && error instanceof LedgerDamage) return reader.claims();
      throw error;
    },
  );
  const loss = anchorLoss(read, {
    claims,
    isWhole: walkedFrom === 0,
    key: keyDigest(vkey),
    part: known.anchor,
    size,
  });
  if (loss !== undefined && !isOpenedTo(mode, loss)) return refused(loss);
  if (loss === undefined && (mode === "re-anchor" || mode === "join"))
    return refused(refuse("anchor-holds", { facts: { name: engine.name, size } }));
  const refusal = READING.has(mode) ? undefined : modeRefusal(engine.name, mode, seal, engine.readOnly());
  if (refusal !== undefined) return refused(refusal);
  const isSavedStateLacking = !hasRoots(known, checkpoints);
  const remarks = isSavedStateLacking ? [LACKING] : remark === undefined ? [] : [remark];
  const anchorClaim = read.kind === "anchor" ? read.claim : undefined;
  const ledger = { anchorClaim, isSavedStateLacking, known, loss, marks, notes: read.notes, remarks, seal };
  return { kind: "open", ledger: { ...ledger, engine: heedful(engine, marks, seal) } };
};

const largestOf = (checkpoints: readonly Checkpoint[]): number =>
  checkpoints.reduce((most, { size }) => Math.max(most, size), 0);

/** Whatever was not walked to hold it against a note is looked through for what it says of anchors. */
const claimsTo = async (
  engine: Engine,
  { claims, take }: ReturnType<typeof claimsReader>,
  from: number,
  size: number,
): Promise<Claims> => {
  if (from < size) for await (const line of engine.read(from, size)) take(line);
  return claims();
};

/** A saved state is written when its records are durable: a ledger that does not have them lost them. */
export const findSavedStateMisfit = async (
  engine: Engine,
  signed: KnownChain | undefined,
): Promise<AnchorMisfit | undefined> => {
  if (signed === undefined) return undefined;
  const [{ size }, had] = [await engine.head(), signed.tree.size];
  if (size < had) {
    const flaw = { cause: "behind-saved-state", facts: { covered: had, size } } as const;
    return { code: "ledger-cut-short", flaw, seq: size };
  }
  return { code: "ledger-rewritten", flaw: { cause: "saved-state-end-differs", facts: {} }, seq: had - 1 };
};

/**
 * What was altered is not shown as if it were only lost; what may not be read is not lost, and nothing begins in its
 * place.
 */
const isOpenedTo = (mode: OpenMode, { cause, code }: AnchorLoss): boolean => OPENED_TO[mode]?.(code, cause) ?? false;

const OPENED_TO: { readonly [M in OpenMode]?: (code: AnchorLoss["code"], cause: string | undefined) => boolean } = {
  join: (code) => code === "anchor-unjoined",
  "re-anchor": (code, cause) => !(code === "anchor-unreadable" && cause === "system-said"),
  view: (code) => code !== "anchor-unverified",
};

const NO_SAVED_STATE: NoSavedState = { kind: "none" };
const LACKING: SavedStateRemark = { cause: "checkpoint-unknown", facts: {} };

/** Why nobody may open it in this mode, though it fits its anchor. */
export const modeRefusal = (
  name: string,
  mode: OpenMode,
  seal: LedgerRecord | undefined,
  readOnly: ReadOnlyFailure | undefined,
): Refusal | undefined => {
  if (seal === undefined && mode === "unseal") return refuse("ledger-unsealed", { cause: "no-seal", facts: { name } });
  if (seal !== undefined && mode !== "copy" && mode !== "unseal") return sealedRefusal(name, seal);
  if (readOnly === undefined || mode === "unlock") return undefined;
  return refuse("ledger-read-only", readOnly);
};

const sealedRefusal = (name: string, { seq }: LedgerRecord): Refusal =>
  refuse("ledger-sealed", { cause: "sealed", facts: { name, seq } });

/**
 * What went wrong while a ledger was read: damage, or a server or disk that failed. Anything else is a bug, and rises.
 */
export const readRefusal = (error: unknown): Refusal => {
  const isTold = error instanceof LedgerDamage || error instanceof LedgerOfAnotherTime || error instanceof LedgerUnread;
  if (isTold) return error.refusal;
  throw error;
};
