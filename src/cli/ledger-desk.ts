// What every command on the ledger needs first: configuration, key, the opened ledger, and its anchor where it may write.
//
// A refusal of the ledger becomes an outcome here, by one table of exit codes. Not here: opening itself (wire.ts), who
// acts in it (callers.ts).

import type { State } from "../kernel/state/state.ts";
import type { AnchorFile } from "../ledger/anchor/anchor.ts";
import type { AnchorClaim } from "../ledger/anchor/anchor-claim.ts";
import { grownPart } from "../ledger/anchor/anchor-fit.ts";
import type { SnapshotRemark } from "../ledger/failure.ts";
import { type Ledger, type OpenMode, readRefusal } from "../ledger/open.ts";
import type { Checkpoint } from "../ledger/tree/checkpoint.ts";
import { readKeyFile } from "../ledger/tree/key-file.ts";
import { type Signer, signerOf } from "../ledger/tree/signer.ts";
import type { SnapshotPlace } from "../ledger/write/save-state.ts";
import type { Refusal } from "../spine/model.ts";
import { type RefusalCode, refuse } from "../spine/rules/refusals.ts";
import { SNAPSHOT_WORDS } from "../spine/words/engine-words.ts";
import { failureText } from "../spine/words/failure.ts";
import { inWords } from "../spine/words/refusal-words.ts";
import { openLedger, snapshotFile } from "../wire.ts";
import { anchorReason, type OpenedAnchor, openedAnchor } from "./anchor-desk.ts";
import type { Arguments } from "./command.ts";
import type { Exit } from "./exit-codes.ts";
import { badInput, failed } from "./failure.ts";
import { pathIn } from "./files.ts";
import { type Configured, readConfig } from "./find-config.ts";
import { type Io, notesTo, progress } from "./io.ts";
import type { Outcome } from "./outcome.ts";

/** `note` says a text to whoever runs the command, once. */
export type Desk = Configured & {
  /** Open for appending, for whoever may write; it was found to be writable before anything was recorded. */
  readonly anchor?: AnchorFile;
  /** The anchor as this process found it, or began it. */
  readonly anchorClaim?: AnchorClaim;
  /** Why nothing can be appended to it, where a brake is recorded all the same: what stops a call never waits for a disk. */
  readonly unanchored?: Refusal;
  /** Checkpoints that the ledger fits: the anchor's, and what this process signs. A snapshot must know them all. */
  readonly met: Checkpoint[];
  readonly note: (text: string) => void;
  readonly signer: Signer;
};
export type DeskOpened =
  | { readonly kind: "open"; readonly desk: Desk; readonly ledger: Ledger }
  | { readonly kind: "bad"; readonly outcome: Outcome };

const EXITS: Partial<Readonly<Record<RefusalCode, Exit>>> = {
  "anchor-absent": "verification",
  "anchor-empty": "verification",
  "anchor-shortened": "verification",
  "anchor-unmounted": "verification",
  "anchor-unreadable": "verification",
  "anchor-unverified": "verification",
  "anchor-unwritable": "input",
  "export-unverified": "verification",
  "key-unusable": "input",
  "ledger-absent": "input",
  "ledger-broken": "verification",
  "ledger-cut-short": "verification",
  "ledger-rewritten": "verification",
  "ledger-unreachable": "unreachable",
  "ledger-untrusted": "verification",
  "place-unreachable": "unreachable",
  "place-untrusted": "verification",
  "proof-broken": "verification",
  "record-doubtful": "outcome",
  "replay-differs": "verification",
  "secret-absent": "input",
  "secret-open": "input",
};
const DOMAINS = { input: "input", outcome: "transport", unreachable: "transport", verification: "validation" } as const;

export const exitOfRefusal = (code: RefusalCode): Exit => EXITS[code] ?? "refused";

export const ledgerFailed = (refusal: Refusal): Outcome => {
  const exit = exitOfRefusal(refusal.code);
  const domain = exit in DOMAINS ? DOMAINS[exit as keyof typeof DOMAINS] : "kernel";
  return failed(exit, domain, [refusal], refusal.code === "record-doubtful" ? "unknown" : "not_executed");
};

export const readSigner = ({ config, home }: Configured): Signer | Refusal => {
  const read = readKeyFile(pathIn(home, config.signingKey));
  if (read.kind === "ok") return signerOf(read.keys);
  const facts = { file: config.signingKey };
  return read.cause === "open-to-others"
    ? refuse("secret-open", { facts })
    : refuse("key-unusable", { cause: read.cause, facts });
};

export const openDesk = async (given: Arguments, io: Io, mode: OpenMode, isBrake = false): Promise<DeskOpened> => {
  const configured = readConfig(given, io);
  if (configured.kind === "bad") return { kind: "bad", outcome: badInput(configured.problems) };
  const { config, home } = configured.value;
  const signer = readSigner(configured.value);
  if ("kind" in signer) return { kind: "bad", outcome: ledgerFailed(signer) };
  progress(io, "opening the ledger");
  const opened = await openLedger(config, home, {
    mode,
    onProgress: (records) => progress(io, `checking against the anchor: ${records} records`),
    vkey: signer.vkey,
  });
  if (opened.kind === "refused") return { kind: "bad", outcome: ledgerFailed(opened.refusal) };
  const { ledger } = opened;
  const note = notesTo(io);
  for (const remark of ledger.remarks) note(failureText(SNAPSHOT_WORDS, remark));
  if (ledger.loss !== undefined && mode === "view") for (const line of lossLines(ledger.loss)) note(line);
  const anchored: OpenedAnchor | Refusal | Record<never, never> = WRITING.has(mode)
    ? openedAnchor(ledger, configured.value, signer)
    : {};
  const { anchorClaim } = ledger;
  const isTolerated = isBrake && anchorClaim !== undefined;
  if ("code" in anchored && !isTolerated) {
    await ledger.engine.close();
    return { kind: "bad", outcome: ledgerFailed(anchored) };
  }
  const met = ledger.notes.map(({ checkpoint }) => checkpoint);
  const anchor = "code" in anchored && isTolerated ? { anchorClaim, unanchored: anchored } : anchored;
  return { desk: { ...configured.value, ...anchor, met, note, signer }, kind: "open", ledger };
};

const lossLines = (loss: NonNullable<Ledger["loss"]>): readonly string[] => {
  const { because, next } = inWords(loss);
  return [`${loss.code}: ${because}. Nothing proves that this ledger is whole.`, next];
};

/** Those that sign a checkpoint into the anchor that is there. */
const WRITING: ReadonlySet<OpenMode> = new Set(["copy", "rearm", "unseal", "write"]);

/** Where the kernel's snapshot is, what it may know, and who hears of it. */
export const snapshotAt = (
  { isSnapshotLacking: isLacking }: Ledger,
  { anchor: file, anchorClaim: found, config, home, met, note, signer }: Desk,
): Omit<SnapshotPlace<State>, "codec"> => {
  const onNote = (remark: SnapshotRemark): void => note(failureText(SNAPSHOT_WORDS, remark));
  const place = { isLacking, met, onNote, path: snapshotFile(config.ledger, home), signer };
  if (file === undefined || found === undefined) return place;
  // Asked when one is written: the notes of this very session are in it then.
  return { ...place, anchor: () => grownPart(pathIn(home, config.anchor), signer.vkey, found, file.end()) };
};

/** Opens, works, closes, whatever happens in between. */
export const atLedger = async (
  given: Arguments,
  io: Io,
  mode: OpenMode,
  work: (ledger: Ledger, desk: Desk) => Promise<Outcome>,
  isBrake = false,
): Promise<Outcome> => {
  const opened = await openDesk(given, io, mode, isBrake);
  if (opened.kind === "bad") return opened.outcome;
  try {
    return await work(opened.ledger, opened.desk);
  } catch (error) {
    return ledgerFailed(readRefusal(error));
  } finally {
    // What was done is done, whether or not its files close.
    opened.desk.anchor?.close();
    await opened.ledger.engine
      .close()
      .catch((error: unknown) => opened.desk.note(`the ledger did not close: ${String(error)}`));
  }
};

/** Appends a note to the anchor; why it could not, when the ledger holds what the note is about and the anchor does not. */
export const anchorFailed = ({ anchor, config, unanchored }: Desk, note: string): Outcome | undefined => {
  if (unanchored !== undefined) return failed("input", "input", [unanchored], "executed");
  if (anchor === undefined) throw new Error("nothing is signed for a ledger that is not opened for writing");
  try {
    anchor.append(note);
    return undefined;
  } catch (error) {
    const facts = { file: config.anchor, reason: anchorReason(error) };
    return failed("input", "input", [refuse("file-unwritable", { cause: "anchor-behind", facts })], "executed");
  }
};
