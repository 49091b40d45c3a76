// What doctor says of key, anchor and ledger: whether it would take a record, whether what came after the last checkpoint
// is whole, and whether it knows who asks. It opens it for reading and makes nothing.

import { now } from "../clock.ts";
import { tokenGiven } from "../config.ts";
import { CLOCK_AHEAD_MAX_MS } from "../kernel/decide-clock.ts";
import { stateOn } from "../kernel/reader.ts";
import { readAnchor } from "../ledger/anchored.ts";
import type { Engine } from "../ledger/engine.ts";
import { anchorRefusal, type Ledger, readRefusal, unwritable } from "../ledger/open.ts";
import { readRecord } from "../ledger/read-record.ts";
import type { Signer } from "../ledger/signer.ts";
import { verifyLines } from "../ledger/verify.ts";
import { msOf } from "../spine/instant.ts";
import type { Instant, Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { latchAt, ledgerPlace, openLedger } from "../wire.ts";
import { readerOn } from "./callers.ts";
import type { Configured } from "./config-file.ts";
import { pathIn } from "./files.ts";
import { readSigner, snapshotAt } from "./ledger-desk.ts";
import { spanText } from "./span-text.ts";

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
    return [
      { check: "signing key", found, refusals: [] },
      anchorFinding(configured, signer),
      ...(await openedFindings(configured, signer)),
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

const anchorFinding = ({ config, home }: Configured, { vkey }: Signer): Finding => {
  const read = readAnchor(pathIn(home, config.anchor), vkey);
  const check = "anchor";
  if (read.kind === "bad") return { check, found: config.anchor, refusals: [anchorRefusal(read)] };
  const last = read.notes.at(-1)?.checkpoint;
  const found =
    last === undefined ? "no checkpoint yet" : `${read.notes.length} checkpoints, the last over ${last.size} records`;
  return { check, found: `${config.anchor}, ${found}`, refusals: [] };
};

const openedFindings = async (configured: Configured, signer: Signer): Promise<readonly Finding[]> => {
  const { config, home } = configured;
  const check = "ledger";
  const opened = await openLedger(config, home, { mode: "read", onProgress: () => undefined, vkey: signer.vkey });
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
    return [await ledgerFinding(configured, ledger), ...(await tailFindings(configured, ledger, signer))];
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
  const aheadMs = head === undefined ? 0 : msOf(head) - msOf(at);
  return aheadMs <= CLOCK_AHEAD_MAX_MS
    ? undefined
    : refuse("ledger-ahead", {
        because: `its last record is stamped ${head}, ${spanText(aheadMs)} ahead of this machine's clock (${at})`,
        facts: { aheadSeconds: Math.round(aheadMs / 1_000) },
      });
};

const ledgerFinding = async ({ config, home }: Configured, { engine, marks, seal }: Ledger): Promise<Finding> => {
  const { size } = await engine.head();
  const place = ledgerPlace(config.ledger, home);
  const latched = "kind" in place ? place.because : await latchAt(place);
  const refusal = unwritable(engine.name, "write", marks, seal, latched);
  const found = `${engine.name}, ${size} records, fits its anchor`;
  const ahead = aheadRefusal(await lastTime(engine, size));
  const refusals = [refusal, ahead].filter((one) => one !== undefined);
  return { check: "ledger", ...(ahead === undefined ? {} : { commands: [ACCEPT_CLOCK] }), found, refusals };
};

/** So many are named; the rest is counted. */
const NAMED_MAX = 5;

/** Records that no checkpoint covers are held by nothing but the chain: whoever can write the file can append to it. */
const tailFindings = async (configured: Configured, ledger: Ledger, signer: Signer): Promise<readonly Finding[]> => {
  const check = "records";
  const { engine, known } = ledger;
  const from = known.tree.size;
  const { size } = await engine.head();
  const lines = engine.read(from, size);
  const { findings, findingsCount } = await verifyLines(lines, { checkpoints: [], from: known, mode: "full" });
  if (findingsCount > 0) {
    const refusals = findings
      .slice(0, NAMED_MAX)
      .map(({ because, seq, what }) =>
        refuse("ledger-broken", { because: `record ${seq}, ${what}: ${because}`, facts: { seq, what } }),
      );
    return [{ check, found: `${findingsCount} of ${size} do not hold, the first is ${findings[0]?.seq}`, refusals }];
  }
  const state = await stateOn(engine, snapshotAt(ledger, { ...configured, note: () => undefined, signer }));
  const whole: Finding = { check, found: `${size}, each linked to the one before`, refusals: [] };
  if (tokenGiven().kind === "none") return [whole];
  const caller = readerOn(state, configured, "account");
  const [found, refusals] =
    "code" in caller ? ["nobody", [caller]] : [`${caller.id} (${caller.kind}, ${caller.roles.join(", ")})`, []];
  return [whole, { check: "caller", found, refusals }];
};
