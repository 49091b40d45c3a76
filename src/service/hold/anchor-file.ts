// The anchor as a writer has it: opened for appending before anything is recorded, and begun where there is no record
// yet.
//
// What cannot be written is found here, and nothing was done then. Whoever holds it long asks before each request
// whether it is still the file that was opened. Not here: what is missing of it (ledger/anchor/anchor-loss.ts).

import { dirname, resolve } from "node:path";
import { type AnchorFile, AnchorUnfit, appendNote, openAnchor } from "../../ledger/anchor/anchor.ts";
import { type AnchorClaim, anchorClaimOf } from "../../ledger/anchor/anchor-claim.ts";
import { type FileCause, fileCause } from "../../ledger/files/file-cause.ts";
import { probeDisk } from "../../ledger/files/writable.ts";
import type { Ledger } from "../../ledger/open.ts";
import { EMPTY_ROOT } from "../../ledger/tree/merkle.ts";
import type { Signer } from "../../ledger/tree/signer.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type FailureIn, withFacts } from "../../spine/words/cause.ts";
import type { ANCHOR_FAILED_WORDS } from "../../spine/words/causes/engine-words.ts";
import type { Configuration } from "../ports.ts";

type AnchorFailure = FailureIn<typeof ANCHOR_FAILED_WORDS>;
export type OpenedAnchor = { readonly anchorClaim: AnchorClaim; readonly file: AnchorFile };
/** Nothing can be appended to it, and a brake is recorded all the same: what stops a call never waits for a disk. */
export type UnwritableAnchor = { readonly anchorClaim: AnchorClaim; readonly refusal: Refusal };

/** The one anchor of all sessions at a writer. */
export type HeldAnchor = {
  /** The anchor as this process found it last, or began it. */
  readonly claim: () => AnchorClaim;
  readonly close: () => void;
  /** Open for appending, or why it is not. */
  readonly file: () => AnchorFile | Refusal;
  /** Whether it can be appended to, and is still what it was. */
  readonly isInPlace: () => boolean;
  /** Goes on with this one. */
  readonly replaceBy: (opened: OpenedAnchor) => void;
};

export const holdAnchor = (first: OpenedAnchor | UnwritableAnchor): HeldAnchor => {
  let now = first;
  const close = (): void => {
    if ("file" in now) now.file.close();
  };
  return {
    claim: () => now.anchorClaim,
    close,
    file: () => ("file" in now ? now.file : now.refusal),
    isInPlace: () => "file" in now && now.file.isInPlace(),
    replaceBy: (opened) => {
      close();
      now = opened;
    },
  };
};

/**
 * The first note covers nothing and is there before the first record: so no ledger with records is without an anchor.
 */
export const openAnchorFile = (
  { anchorClaim: found }: Pick<Ledger, "anchorClaim">,
  { config, home }: Configuration,
  signer: Signer,
): OpenedAnchor | Refusal => {
  const path = resolve(home, config.anchor);
  try {
    const anchorClaim = found ?? begunAnchor(path, signer);
    const full = probeDisk(dirname(path));
    if (full !== undefined) return unwritableAnchor(config.anchor, full);
    return { anchorClaim, file: openAnchor(path, anchorClaim.bytes) };
  } catch (error) {
    return unwritableAnchor(config.anchor, error);
  }
};

const begunAnchor = (path: string, signer: Signer): AnchorClaim => {
  const note = signer.sign({ root: EMPTY_ROOT, size: 0 });
  appendNote(path, note);
  return anchorClaimOf(note, signer.vkey);
};

/** Anything but the system's or the file's own fault is a bug, and rises. */
export const unwritableAnchor = (name: string, error: unknown): Refusal => {
  if (!(error instanceof AnchorUnfit) && !("syscall" in Object(error))) throw error;
  return error instanceof AnchorUnfit
    ? refuse("anchor-unwritable", withFacts(error.failure, { name }))
    : refuse("anchor-unwritable", { cause: systemCause(error), facts: { name } });
};

/** What stands where the anchor's folder belongs is told by the same code as a file that is there already. */
const systemCause = (error: unknown): FileCause => {
  const cause = fileCause(error);
  return cause === "EEXIST" ? "ENOTDIR" : cause;
};

/** The failure alone, where the refusal is of something else. */
export const anchorFailure = (error: unknown): AnchorFailure =>
  error instanceof AnchorUnfit ? error.failure : { cause: systemCause(error), facts: {} };
