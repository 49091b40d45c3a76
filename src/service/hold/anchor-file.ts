// The anchor as a writer has it: opened for appending before anything is recorded, and begun where there is no record yet.
//
// What cannot be written is found here, and nothing was done then. Not here: what is missing of it (ledger/anchor/anchor-loss.ts).

import { dirname, resolve } from "node:path";
import { type AnchorFile, AnchorUnfit, appendNote, openAnchor } from "../../ledger/anchor/anchor.ts";
import { type AnchorClaim, claimOf } from "../../ledger/anchor/anchor-claim.ts";
import { fullDisk, reasonOf } from "../../ledger/files/writable.ts";
import type { Ledger } from "../../ledger/open.ts";
import { EMPTY_ROOT } from "../../ledger/tree/merkle.ts";
import type { Signer } from "../../ledger/tree/signer.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Configuration } from "../ports.ts";

export type OpenedAnchor = { readonly anchor: AnchorFile; readonly anchorClaim: AnchorClaim };

/** The first note covers nothing and is there before the first record: so no ledger with records is without an anchor. */
export const openedAnchor = (
  { anchorClaim: found }: Pick<Ledger, "anchorClaim">,
  { config, home }: Configuration,
  signer: Signer,
): OpenedAnchor | Refusal => {
  const path = resolve(home, config.anchor);
  try {
    const anchorClaim = found ?? begunAnchor(path, signer);
    const full = fullDisk(dirname(path));
    if (full !== undefined) return unwritableAnchor(config.anchor, full);
    return { anchor: openAnchor(path, anchorClaim.bytes), anchorClaim };
  } catch (error) {
    return unwritableAnchor(config.anchor, error);
  }
};

const begunAnchor = (path: string, signer: Signer): AnchorClaim => {
  const note = signer.sign({ root: EMPTY_ROOT, size: 0 });
  appendNote(path, note);
  return claimOf(note);
};

/** Anything but the system's or the file's own fault is a bug, and rises. */
export const unwritableAnchor = (name: string, error: unknown): Refusal => {
  if (!(error instanceof AnchorUnfit) && !("syscall" in Object(error))) throw error;
  return refuse("anchor-unwritable", { because: `${name}: ${anchorReason(error)}` });
};

/** What stands where the anchor's folder belongs is told by the same code as a file that is there already. */
export const anchorReason = (error: unknown): string => {
  if (error instanceof AnchorUnfit) return error.message;
  return (error as NodeJS.ErrnoException).code === "EEXIST" ? "a part of its path is not a folder" : reasonOf(error);
};
