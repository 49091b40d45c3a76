// A ledger opened for the service: key, the ledger held against its anchor, and the anchor itself where it may be
// written.
//
// What must be writable is tested here, before anything is recorded. A brake (what stops a call) is taken also while
// the anchor cannot be written. Not here: opening an engine (the ports), who acts in it (callers.ts).

import { resolve } from "node:path";
import type { State } from "../../kernel/state/state.ts";
import { readGrownPart } from "../../ledger/anchor/anchor-fit.ts";
import { type AnchoredNotes, anchoredNotes } from "../../ledger/anchor/anchored-notes.ts";
import type { SavedStateRemark } from "../../ledger/failure.ts";
import type { Ledger, OpenMode } from "../../ledger/open.ts";
import { readKeyFile } from "../../ledger/tree/key-file.ts";
import { type Signer, signerOf } from "../../ledger/tree/signer.ts";
import type { AnchorPart } from "../../ledger/verify/chain-state.ts";
import type { SavedStateLocation } from "../../ledger/write/save-state.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { failureUnder } from "../../spine/words/cause.ts";
import { type RefusedAnswer, refusedBy, unreadable } from "../answer.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import {
  type HeldAnchor,
  holdAnchor,
  type OpenedAnchor,
  openAnchorFile,
  type UnwritableAnchor,
} from "./anchor-file.ts";
import type { MetCheckpoints } from "./met-checkpoints.ts";

export type OpenDesk = Configuration & {
  /** For whoever may write; it was found to be writable before anything but a brake was recorded. */
  readonly anchor?: HeldAnchor;
  /**
   * Checkpoints that the ledger fits and the anchor holds, also what this process appended. A saved state must know
   * them all: those that the last one has, it takes from there.
   */
  readonly met: MetCheckpoints;
  /** All that the anchor holds, for whoever lists them. */
  readonly notes: AnchoredNotes;
  readonly ports: Ports;
  readonly signer: Signer;
};
export type LedgerAtDesk = { readonly kind: "open"; readonly desk: OpenDesk; readonly ledger: Ledger };

/** What is opened, and what for. */
export type Opening = {
  readonly configuration: Configuration;
  readonly isBrake?: boolean;
  readonly mode: OpenMode;
  readonly ports: Ports;
  readonly watch?: Watch;
};

export const readSigner = ({ config, home }: Configuration): Signer | Refusal => {
  const path = resolve(home, config.signingKey);
  const read = readKeyFile(path);
  if (read.kind === "ok") return signerOf(read.keys);
  const facts = { file: config.signingKey };
  return read.cause === "open-to-others"
    ? refuse("secret-open", { facts: { file: path } })
    : refuse("key-unusable", { cause: read.cause, facts });
};

export const openDesk = async ({
  configuration,
  isBrake = false,
  mode,
  ports,
  watch,
}: Opening): Promise<LedgerAtDesk | RefusedAnswer> => {
  const { config, home } = configuration;
  const signer = readSigner(configuration);
  if ("kind" in signer) return refusedBy(signer);
  watch?.({ at: "opening" });
  const opened = await ports.ledger.open(config, home, {
    mode,
    onProgress: (records) => watch?.({ at: "checking", records }),
    vkey: signer.vkey,
  });
  if (opened.kind === "refused") return refusedBy(opened.refusal);
  const { ledger } = opened;
  const { note } = ports.hears;
  for (const remark of ledger.remarks) await note(failureUnder("saved-state-", remark));
  if (ledger.loss !== undefined && mode === "view") await note({ cause: "ledger-unproven", refusal: ledger.loss });
  const met = ledger.notes.map(({ checkpoint }) => checkpoint);
  const notes = anchoredNotes(resolve(home, config.anchor));
  const desk = { ...configuration, met, notes, ports, signer };
  if (!WRITING.has(mode)) return { desk, kind: "open", ledger };
  const anchored = writtenAnchor(ledger, openAnchorFile(ledger, configuration, signer), isBrake);
  if ("code" in anchored) {
    await ledger.engine.close();
    return refusedBy(anchored);
  }
  return { desk: { ...desk, anchor: holdAnchor(anchored) }, kind: "open", ledger };
};

const writtenAnchor = (
  { anchorClaim }: Ledger,
  opened: OpenedAnchor | Refusal,
  isBrake: boolean,
): OpenedAnchor | UnwritableAnchor | Refusal =>
  "code" in opened && isBrake && anchorClaim !== undefined ? { anchorClaim, refusal: opened } : opened;

/** Those that sign a checkpoint into the anchor that is there. */
const WRITING: ReadonlySet<OpenMode> = new Set(["copy", "unlock", "unseal", "write"]);

/** Where the kernel's saved state is, what it may know, and who hears of it. */
export const savedStateAt = (
  { isSavedStateLacking: isLacking }: Ledger,
  {
    anchor,
    config,
    home,
    met,
    ports,
    signer,
  }: Pick<OpenDesk, "anchor" | "config" | "home" | "met" | "signer"> & {
    readonly ports: Pick<Ports, "hears" | "ledger">;
  },
): Omit<SavedStateLocation<State>, "codec"> => {
  const location = {
    isLacking,
    met,
    onNote: (remark: SavedStateRemark): void => void ports.hears.note(failureUnder("saved-state-", remark)),
    path: ports.ledger.savedState(config.ledger, home),
    signer,
  };
  if (anchor === undefined) return location;
  // Asked when one is written: the notes of this very session are in it then.
  const grown = (): AnchorPart => {
    const [file, found] = [anchor.file(), anchor.claim()];
    return readGrownPart(resolve(home, config.anchor), signer.vkey, found, "code" in file ? found.bytes : file.end());
  };
  return { ...location, anchor: grown };
};

/** What was done is done, whether or not its files close. */
export const closeDesk = async ({ desk, ledger }: Pick<LedgerAtDesk, "desk" | "ledger">): Promise<void> => {
  desk.anchor?.close();
  await ledger.engine
    .close()
    .catch((error: unknown) => desk.ports.hears.note({ cause: "ledger-not-closed", facts: { said: String(error) } }));
};

/** Opens, works, closes, whatever happens in between. */
export const withLedger = async <T extends object | undefined>(
  opening: Opening,
  work: (ledger: Ledger, desk: OpenDesk) => Promise<T>,
): Promise<T | RefusedAnswer> => {
  const opened = await openDesk(opening);
  if (opened.kind === "refused") return opened;
  try {
    return await work(opened.ledger, opened.desk);
  } catch (error) {
    return unreadable(error);
  } finally {
    await closeDesk(opened);
  }
};
