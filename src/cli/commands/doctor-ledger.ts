// What doctor says of key, anchor and ledger: whether it would take a record, whether what came after the last checkpoint
// is whole, and whether it knows who asks. It opens it for reading and makes nothing.

import { now } from "../../clock.ts";
import { tokenGiven } from "../../config.ts";
import { CLOCK_AHEAD_MAX_MS } from "../../kernel/decide/judge-clock.ts";
import { stateOn } from "../../kernel/read-state.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import { openAnchor } from "../../ledger/anchor/anchor.ts";
import { readAnchor } from "../../ledger/anchor/anchor-fit.ts";
import type { Engine } from "../../ledger/engine.ts";
import { type Ledger, type LedgerOpened, readRefusal, unwritable } from "../../ledger/open.ts";
import { readRecord } from "../../ledger/record/read-record.ts";
import type { Signer } from "../../ledger/tree/signer.ts";
import { verifyLines } from "../../ledger/verify/verify.ts";
import { findingRefusal } from "../../ledger/verify/verify-ledger.ts";
import { unwritableAnchor } from "../../service/hold/anchor-file.ts";
import { readSigner, savedStateAt } from "../../service/hold/open-ledger.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { msOf } from "../../spine/values/instant.ts";
import type { Catalogued } from "../../spine/words/refusal-words.ts";
import { ledgerLocation, openLedger, servicePorts } from "../../wire.ts";
import { QUIET } from "../at-service.ts";
import { pathIn } from "../files.ts";
import type { Configured } from "../find-config.ts";
import { readerOn } from "../ledger-desk.ts";
import { reAnchoredText } from "../views/view-re-anchored.ts";

/** `commands` are what somebody could run to mend it, in order. */
export type Finding = {
  readonly check: string;
  readonly commands?: readonly string[];
  readonly found: string;
  readonly refusals: readonly Refusal[];
  /** Of the refusals, where an adapter has words of its own. */
  readonly words?: Catalogued;
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
      ...(await openedFindings(configured, signer, opened)),
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
  const loss = opened.kind === "open" ? opened.ledger.loss : read.kind === "bad" ? read.loss : undefined;
  if (loss !== undefined) return { check, found: config.anchor, refusals: [loss] };
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

const openedFindings = async (
  configured: Configured,
  signer: Signer,
  opened: LedgerOpened,
): Promise<readonly Finding[]> => {
  const { config } = configured;
  const check = "ledger";
  if (opened.kind === "refused") {
    const { refusal } = opened;
    if (refusal.code === "anchor-unverified")
      return [{ check, found: "not looked at: its anchor cannot be believed", refusals: [] }];
    if (refusal.code === "ledger-absent")
      return [{ check, found: "none yet; its first record makes it", refusals: [] }];
    return [{ check, found: config.ledger.engine, refusals: [refusal] }];
  }
  const { ledger } = opened;
  try {
    const { findings, reAnchored } = await tailFindings(configured, ledger, signer);
    return [await ledgerFinding(configured, ledger, reAnchored), ...findings];
  } catch (error) {
    return [{ check, found: ledger.engine.name, refusals: [readRefusal(error)] }];
  } finally {
    await ledger.engine.close();
  }
};

const ACCEPT_CLOCK = 'dedalus accept-clock --reason "the clock was ahead and is set right"';

/** When the last record was stamped; undefined where there is none, and where it is damaged, which is named on its own. */
const lastTime = async (engine: Engine, size: number): Promise<Instant | undefined> => {
  for await (const line of engine.read(Math.max(0, size - 1), size)) {
    const read = readRecord(line);
    return read.kind === "record" ? read.record.processTime : undefined;
  }
  return undefined;
};

const aheadRefusal = (head: Instant | undefined): Refusal | undefined => {
  const at = now();
  if (head === undefined) return undefined;
  const aheadMs = msOf(head) - msOf(at);
  return aheadMs <= CLOCK_AHEAD_MAX_MS
    ? undefined
    : refuse("ledger-ahead", { facts: { aheadSeconds: Math.round(aheadMs / 1_000), clock: at, head } });
};

const ledgerFinding = async (
  { config, home }: Configured,
  { engine, loss, marks, seal }: Ledger,
  reAnchored: ReAnchored | undefined,
): Promise<Finding> => {
  const { size } = await engine.head();
  const location = ledgerLocation(config.ledger, home);
  const readOnly = "kind" in location ? undefined : await location.readOnlyMark();
  const unplaced = "kind" in location ? location : undefined;
  // A lost anchor is named on its own, and keeps writers out before anything else does.
  const refusal =
    loss === undefined ? (unplaced ?? unwritable(engine.name, "write", marks, seal, readOnly)) : undefined;
  const held = loss === undefined ? `fits its anchor${since(reAnchored)}` : "held against nothing: its anchor is lost";
  const ahead = aheadRefusal(await lastTime(engine, size));
  return {
    check: "ledger",
    ...(ahead === undefined ? {} : { commands: [ACCEPT_CLOCK] }),
    found: `${engine.name}, ${size} records, ${held}`,
    refusals: [refusal, ahead].filter((one) => one !== undefined),
  };
};

const since = (reAnchored: ReAnchored | undefined): string =>
  reAnchored === undefined ? "" : `; ${reAnchoredText(reAnchored)}`;

/** So many are named; the rest is counted. */
const NAMED_MAX = 5;

/** Records that no checkpoint covers are held by nothing but the chain: whoever can write the file can append to it. */
const tailFindings = async (
  configured: Configured,
  ledger: Ledger,
  signer: Signer,
): Promise<{ readonly findings: readonly Finding[]; readonly reAnchored?: ReAnchored | undefined }> => {
  const check = "records";
  const { engine, known } = ledger;
  const from = known.tree.size;
  const { size } = await engine.head();
  const lines = engine.read(from, size);
  const { findings, findingsCount } = await verifyLines(lines, { checkpoints: [], from: known, mode: "full" });
  if (findingsCount > 0) {
    const refusals = findings.slice(0, NAMED_MAX).map((finding) => findingRefusal(finding, findingsCount));
    const found = `${findingsCount} of ${size} do not hold, the first is ${findings[0]?.seq}`;
    return { findings: [{ check, found, refusals }] };
  }
  const desk = { ...configured, met: [], ports: { ...servicePorts(), hears: QUIET }, signer };
  const { state } = await stateOn(engine, savedStateAt(ledger, desk));
  const { reAnchored } = state;
  const whole: Finding = { check, found: `${size}, each linked to the one before`, refusals: [] };
  if (tokenGiven().kind === "none") return { findings: [whole], reAnchored };
  const caller = readerOn(state, configured, "account");
  const [found, refusals] =
    "code" in caller ? ["nobody", [caller]] : [`${caller.id} (${caller.kind}, ${caller.roles.join(", ")})`, []];
  return { findings: [whole, { check: "caller", found, refusals }], reAnchored };
};
