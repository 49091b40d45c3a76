// What doctor says of key, anchor and ledger, and whether the ledger would take a record. It opens it for reading and makes
// nothing.

import { now } from "../clock.ts";
import { CLOCK_AHEAD_MAX_MS } from "../kernel/decide-clock.ts";
import { readAnchor } from "../ledger/anchored.ts";
import type { Engine } from "../ledger/engine.ts";
import { anchorRefusal, unwritable } from "../ledger/open.ts";
import type { Signer } from "../ledger/signer.ts";
import { recordOf } from "../ledger/standing.ts";
import { msOf } from "../spine/instant.ts";
import type { Instant, Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { latchAt, ledgerPlace, openLedger } from "../wire.ts";
import type { Configured } from "./config-file.ts";
import { pathIn } from "./files.ts";
import { readSigner } from "./ledger-desk.ts";
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
      await ledgerFinding(configured, signer),
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

const ledgerFinding = async ({ config, home }: Configured, { vkey }: Signer): Promise<Finding> => {
  const check = "ledger";
  const opened = await openLedger(config, home, { mode: "read", onProgress: () => undefined, vkey });
  if (opened.kind === "refused") {
    const { refusal } = opened;
    if (refusal.code === "anchor-unverified")
      return { check, found: "not looked at: its anchor cannot be believed", refusals: [] };
    if (refusal.code === "ledger-absent") return { check, found: "none yet; its first record makes it", refusals: [] };
    return { check, found: config.ledger.engine, refusals: [refusal] };
  }
  const { engine, marks, seal } = opened.ledger;
  try {
    const { size } = await engine.head();
    const place = ledgerPlace(config.ledger, home);
    const latched = "kind" in place ? place.because : await latchAt(place);
    const refusal = unwritable(engine.name, "write", marks, seal, latched);
    const found = `${engine.name}, ${size} records, fits its anchor`;
    const ahead = aheadRefusal(await lastTime(engine, size));
    const refusals = [refusal, ahead].filter((one) => one !== undefined);
    return { check, ...(ahead === undefined ? {} : { commands: [ACCEPT_CLOCK] }), found, refusals };
  } finally {
    await engine.close();
  }
};

const ACCEPT_CLOCK = 'dedalus accept-clock --reason "the clock was ahead and is set right"';

/** When the last record was stamped; undefined where there is none. */
const lastTime = async (engine: Engine, size: number): Promise<Instant | undefined> => {
  for await (const line of engine.read(Math.max(0, size - 1), size)) return recordOf(line, size - 1).processTime;
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
