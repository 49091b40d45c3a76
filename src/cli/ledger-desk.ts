// What every command on the ledger needs first: configuration, key, the opened ledger; and who acts in it.
//
// A refusal of the ledger becomes an outcome here, by one table of exit codes. Not here: opening itself (wire.ts).

import type { State } from "../kernel/state.ts";
import { appendNote } from "../ledger/anchor.ts";
import { readKeyFile } from "../ledger/key-file.ts";
import { type Ledger, type OpenMode, readRefusal } from "../ledger/open.ts";
import { type Signer, signerOf } from "../ledger/signer.ts";
import type { SnapshotPlace } from "../ledger/snapshots.ts";
import type { Refusal } from "../spine/model.ts";
import { type RefusalCode, refuse } from "../spine/refusals.ts";
import { openLedger, snapshotFile } from "../wire.ts";
import type { Arguments } from "./command.ts";
import { type Configured, readConfig } from "./config-file.ts";
import type { Exit } from "./exit-codes.ts";
import { badInput, failed } from "./failure.ts";
import { pathIn, reasonOf } from "./files.ts";
import { type Io, notesTo, progress } from "./io.ts";
import type { Outcome } from "./outcome.ts";

/** `note` says a text to whoever runs the command, once. */
export type Desk = Configured & { readonly note: (text: string) => void; readonly signer: Signer };
export type DeskOpened =
  | { readonly kind: "open"; readonly desk: Desk; readonly ledger: Ledger }
  | { readonly kind: "bad"; readonly outcome: Outcome };

const EXITS: Partial<Readonly<Record<RefusalCode, Exit>>> = {
  "anchor-unverified": "verification",
  "engine-unavailable": "input",
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
  if (read.because.includes("by others"))
    return refuse("secret-open", { because: read.because, next: `Run: chmod 600 ${config.signingKey}` });
  return refuse("key-unusable", { because: `${config.signingKey}: ${read.because}` });
};

export const openDesk = async (given: Arguments, io: Io, mode: OpenMode): Promise<DeskOpened> => {
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
  const note = notesTo(io);
  for (const remark of opened.ledger.remarks) note(remark);
  return { desk: { ...configured.value, note, signer }, kind: "open", ledger: opened.ledger };
};

/** Where the kernel's snapshot is, what it may know, and who hears of it. */
export const snapshotAt = (
  { anchorPart: anchor, isSnapshotLacking: isLacking, notes }: Ledger,
  { config, home, note: onNote, signer }: Desk,
): Omit<SnapshotPlace<State>, "codec"> => {
  const met = notes.map(({ checkpoint }) => checkpoint);
  return { anchor, isLacking, met, onNote, path: snapshotFile(config.ledger, home), signer };
};

/** Opens, works, closes, whatever happens in between. */
export const atLedger = async (
  given: Arguments,
  io: Io,
  mode: OpenMode,
  work: (ledger: Ledger, desk: Desk) => Promise<Outcome>,
): Promise<Outcome> => {
  const opened = await openDesk(given, io, mode);
  if (opened.kind === "bad") return opened.outcome;
  try {
    return await work(opened.ledger, opened.desk);
  } catch (error) {
    return ledgerFailed(readRefusal(error));
  } finally {
    // What was done is done, whether or not its files close.
    await opened.ledger.engine
      .close()
      .catch((error: unknown) => opened.desk.note(`the ledger did not close: ${String(error)}`));
  }
};

/** Appends a note to the anchor; why it could not, when the ledger holds what the note is about and the anchor does not. */
export const anchorFailed = ({ config, home }: Configured, note: string): Outcome | undefined => {
  try {
    appendNote(pathIn(home, config.anchor), note);
    return undefined;
  } catch (error) {
    const because = `${config.anchor}: ${anchorReason(error)}; the record is in the ledger, its checkpoint not in the anchor`;
    return failed("input", "input", [refuse("file-unwritable", { because })], "executed");
  }
};

/** What stands where the anchor's folder belongs is told by the same code as a file that is there already. */
const anchorReason = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code === "EEXIST" ? "a part of its path is not a folder" : reasonOf(error);
