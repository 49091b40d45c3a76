// What doctor says of key, anchor and ledger, and whether the ledger would take a record. It opens it for reading and makes
// nothing.

import { readAnchor } from "../ledger/anchored.ts";
import { anchorRefusal, unwritable } from "../ledger/open.ts";
import type { Signer } from "../ledger/signer.ts";
import type { Refusal } from "../spine/model.ts";
import { latchAt, ledgerPlace, openLedger } from "../wire.ts";
import type { Configured } from "./config-file.ts";
import { pathIn } from "./files.ts";
import { readSigner } from "./ledger-desk.ts";

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
    return { check, found, refusals: refusal === undefined ? [] : [refusal] };
  } finally {
    await engine.close();
  }
};
