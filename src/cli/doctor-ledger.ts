// What doctor says of key, anchor and ledger, and whether the ledger would take a record. It opens it for reading and makes
// nothing.

import { stateOn } from "../kernel/reader.ts";
import type { ReAnchored } from "../kernel/state.ts";
import { openAnchor } from "../ledger/anchor.ts";
import { readAnchor } from "../ledger/anchored.ts";
import { type LedgerOpened, lossRefusal, unwritable } from "../ledger/open.ts";
import type { Signer } from "../ledger/signer.ts";
import type { Refusal } from "../spine/model.ts";
import { latchAt, ledgerPlace, openLedger } from "../wire.ts";
import { unwritableAnchor } from "./anchor-desk.ts";
import type { Configured } from "./config-file.ts";
import { pathIn } from "./files.ts";
import { readSigner, snapshotAt } from "./ledger-desk.ts";
import { reAnchoredText } from "./view-re-anchored.ts";

/** `commands` are what somebody could run to mend it, in order. */
export type Finding = {
  readonly check: string;
  readonly commands?: readonly string[];
  readonly found: string;
  readonly refusals: readonly Refusal[];
};

export const ledgerFindings = async (configured: Configured): Promise<readonly Finding[]> => {
  const { signingKey } = configured.config;
  const signer = readSigner(configured);
  if (!("kind" in signer)) {
    const found = `${signingKey}, public half ${signer.vkey}`;
    const { config, home } = configured;
    const opened = await openLedger(config, home, { mode: "view", onProgress: () => undefined, vkey: signer.vkey });
    return [
      { check: "signing key", found, refusals: [] },
      anchorFinding(configured, signer, opened),
      await ledgerFinding(configured, signer, opened),
    ];
  }
  // A file that is open to others is named among the secret files.
  const refusals = signer.code === "secret-open" ? [] : [signer];
  const unchecked = "not looked at: without the key nothing can be checked";
  return [
    { check: "signing key", found: signingKey, refusals },
    { check: "anchor and ledger", found: unchecked, refusals: [] },
  ];
};

/** What is missing of it is known to whoever has opened the ledger: without a record it need not be there. */
const anchorFinding = ({ config, home }: Configured, { vkey }: Signer, opened: LedgerOpened): Finding => {
  const path = pathIn(home, config.anchor);
  const read = readAnchor(path, vkey);
  const check = "anchor";
  const loss = opened.kind === "open" ? opened.ledger.loss : read.kind === "bad" ? read : undefined;
  if (loss !== undefined) return { check, found: config.anchor, refusals: [lossRefusal(loss)] };
  const covering = read.notes.filter(({ checkpoint }) => checkpoint.size > 0);
  const last = covering.at(-1)?.checkpoint;
  const found =
    last === undefined ? "no checkpoint yet" : `${covering.length} checkpoints, the last over ${last.size} records`;
  const refusal = read.kind === "anchor" ? appendRefusal(path, config.anchor) : undefined;
  return { check, found: `${config.anchor}, ${found}`, refusals: refusal === undefined ? [] : [refusal] };
};

/** Opened as a command that records would open it; nothing is written. */
const appendRefusal = (path: string, name: string): Refusal | undefined => {
  try {
    openAnchor(path, 0).close();
    return undefined;
  } catch (error) {
    return unwritableAnchor(name, error);
  }
};

const ledgerFinding = async (configured: Configured, signer: Signer, opened: LedgerOpened): Promise<Finding> => {
  const { config, home } = configured;
  const check = "ledger";
  if (opened.kind === "refused") {
    const { refusal } = opened;
    if (refusal.code === "anchor-unverified")
      return { check, found: "not looked at: its anchor cannot be believed", refusals: [] };
    if (refusal.code === "ledger-absent") return { check, found: "none yet; its first record makes it", refusals: [] };
    return { check, found: config.ledger.engine, refusals: [refusal] };
  }
  const { engine, loss, marks, seal } = opened.ledger;
  try {
    const { size } = await engine.head();
    if (loss !== undefined)
      return {
        check,
        found: `${engine.name}, ${size} records, held against nothing: its anchor is lost`,
        refusals: [],
      };
    const place = ledgerPlace(config.ledger, home);
    const latched = "kind" in place ? place.because : await latchAt(place);
    const refusal = unwritable(engine.name, "write", marks, seal, latched);
    const desk = { ...configured, met: [], note: () => undefined, signer };
    const { reAnchored } = await stateOn(engine, snapshotAt(opened.ledger, desk));
    const found = `${engine.name}, ${size} records, fits its anchor${since(reAnchored)}`;
    return { check, found, refusals: refusal === undefined ? [] : [refusal] };
  } finally {
    await engine.close();
  }
};

const since = (reAnchored: ReAnchored | undefined): string =>
  reAnchored === undefined ? "" : `; ${reAnchoredText(reAnchored)}`;
