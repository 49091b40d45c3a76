// A ledger opened for the service: key, the ledger held against its anchor, and the anchor itself where it may be written.
//
// What must be writable is tested here, before anything is recorded. A brake (what stops a call) is taken also while the
// anchor cannot be written. Not here: opening an engine (the ports), who acts in it (callers.ts).

import { resolve } from "node:path";
import type { State } from "../../kernel/state/state.ts";
import type { AnchorFile } from "../../ledger/anchor/anchor.ts";
import type { AnchorClaim } from "../../ledger/anchor/anchor-claim.ts";
import { grownPart } from "../../ledger/anchor/anchor-fit.ts";
import type { SnapshotRemark } from "../../ledger/failure.ts";
import type { Ledger, OpenMode } from "../../ledger/open.ts";
import type { Checkpoint } from "../../ledger/tree/checkpoint.ts";
import { readKeyFile } from "../../ledger/tree/key-file.ts";
import { type Signer, signerOf } from "../../ledger/tree/signer.ts";
import type { SnapshotLocation } from "../../ledger/write/save-state.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { SNAPSHOT_WORDS } from "../../spine/words/engine-words.ts";
import { failureText, failureUnder, withFacts } from "../../spine/words/failure.ts";
import { type RefusedAnswer, refusedBeside, refusedBy, unreadable } from "../answer.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { Watch } from "../progress.ts";
import { anchorFailure, type OpenedAnchor, openAnchorFile } from "./anchor-file.ts";

export type OpenDesk = Configuration & {
  /** Open for appending, for whoever may write; it was found to be writable before anything was recorded. */
  readonly anchor?: AnchorFile;
  /** The anchor as this process found it, or began it. */
  readonly anchorClaim?: AnchorClaim;
  /** Why nothing can be appended to it, where a brake is recorded all the same: what stops a call never waits for a disk. */
  readonly unanchored?: Refusal;
  /** Checkpoints that the ledger fits: the anchor's, and what this process signs. A saved state must know them all. */
  readonly met: Checkpoint[];
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
  const read = readKeyFile(resolve(home, config.signingKey));
  if (read.kind === "ok") return signerOf(read.keys);
  const facts = { file: config.signingKey };
  return read.cause === "open-to-others"
    ? refuse("secret-open", { facts })
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
  for (const remark of ledger.remarks) note(failureText(SNAPSHOT_WORDS, remark));
  if (ledger.loss !== undefined && mode === "view") for (const line of await lossLines(ledger.loss)) note(line);
  const anchored: OpenedAnchor | Refusal | Record<never, never> = WRITING.has(mode)
    ? openAnchorFile(ledger, configuration, signer)
    : {};
  const { anchorClaim } = ledger;
  const isTolerated = isBrake && anchorClaim !== undefined;
  if ("code" in anchored && !isTolerated) {
    await ledger.engine.close();
    return refusedBy(anchored);
  }
  const met = ledger.notes.map(({ checkpoint }) => checkpoint);
  const anchor = "code" in anchored && isTolerated ? { anchorClaim, unanchored: anchored } : anchored;
  return { desk: { ...configuration, ...anchor, met, ports, signer }, kind: "open", ledger };
};

/** The words of refusals are loaded where there is one: hardly ever, for whoever reads. */
const lossLines = async (loss: NonNullable<Ledger["loss"]>): Promise<readonly string[]> => {
  const { inWords } = await import("../../spine/words/refusal-words.ts");
  const { because, next } = inWords(loss);
  return [`${loss.code}: ${because}. Nothing proves that this ledger is whole.`, next];
};

/** Those that sign a checkpoint into the anchor that is there. */
const WRITING: ReadonlySet<OpenMode> = new Set(["copy", "unlock", "unseal", "write"]);

/** Where the kernel's saved state is, what it may know, and who hears of it. */
export const savedStateAt = (
  { isSnapshotLacking: isLacking }: Ledger,
  {
    anchor: file,
    anchorClaim: found,
    config,
    home,
    met,
    ports,
    signer,
  }: Pick<OpenDesk, "anchor" | "anchorClaim" | "config" | "home" | "met" | "signer"> & {
    readonly ports: Pick<Ports, "hears" | "ledger">;
  },
): Omit<SnapshotLocation<State>, "codec"> => {
  const location = {
    isLacking,
    met,
    onNote: (remark: SnapshotRemark): void => ports.hears.note(failureText(SNAPSHOT_WORDS, remark)),
    path: ports.ledger.savedState(config.ledger, home),
    signer,
  };
  if (file === undefined || found === undefined) return location;
  // Asked when one is written: the notes of this very session are in it then.
  return { ...location, anchor: () => grownPart(resolve(home, config.anchor), signer.vkey, found, file.end()) };
};

/** What was done is done, whether or not its files close. */
export const closeDesk = async ({ desk, ledger }: Pick<LedgerAtDesk, "desk" | "ledger">): Promise<void> => {
  desk.anchor?.close();
  await ledger.engine
    .close()
    .catch((error: unknown) => desk.ports.hears.note(`the ledger did not close: ${String(error)}`));
};

/** Opens, works, closes, whatever happens in between. */
export const withLedger = async <T extends object>(
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

/** Appends a note to the anchor; why it could not, when the ledger holds what the note is about and the anchor does not. */
export const appendToAnchor = ({ anchor, config, unanchored }: OpenDesk, note: string): RefusedAnswer | undefined => {
  if (unanchored !== undefined) return refusedBeside(unanchored);
  if (anchor === undefined) throw new Error("nothing is signed for a ledger that is not opened for writing");
  try {
    anchor.append(note);
    return undefined;
  } catch (error) {
    const failure = withFacts(anchorFailure(error), { file: config.anchor });
    return refusedBeside(refuse("file-unwritable", failureUnder("anchor-", failure)));
  }
};
