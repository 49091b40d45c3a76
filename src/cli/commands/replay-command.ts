// dedalus replay: decides every recorded request again, from records and blobs alone. Equal, or the first difference.

import { type Replayed, replay } from "../../kernel/replay-ledger.ts";
import type { Engine } from "../../ledger/engine.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { chainedPages, type Page } from "../../ledger/verify/chained.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { seqOf } from "../arguments/seqs.ts";
import { readerAt } from "../callers.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { type Io, progress } from "../io.ts";
import { atLedger, ledgerFailed } from "../ledger-desk.ts";
import { blobText } from "../recorded.ts";
import { kernelRefused } from "../session.ts";
import { statusOf } from "./status.ts";

const SHOWN_EVERY = 10_000;

function* shown(page: Page, io: Io): Generator<LedgerRecord> {
  for (const record of page) {
    yield record;
    if (record.seq % SHOWN_EVERY === SHOWN_EVERY - 1) progress(io, `replaying: ${record.seq + 1} records`);
  }
}

async function* pagesIn(engine: Engine, to: number, io: Io): AsyncGenerator<Page> {
  for await (const page of chainedPages(engine, to)) yield shown(page, io);
}

/** The first record that is not what its state decides, or that is of another version. */
export const differs = (replayed: Exclude<Replayed, { readonly kind: "equal" }>): Refusal => {
  if (replayed.kind === "unreadable") return replayed.refusal;
  const { because, seq } = replayed;
  return refuse("replay-differs", { because: `record ${seq}: ${because}`, facts: { seq } });
};

export const run: Run = async (given, io) => {
  const to = given.text.has("to") ? seqOf(given.text.get("to") ?? "") : Number.MAX_SAFE_INTEGER - 1;
  if (to === undefined) return badInput([refuse("usage", { because: "--to takes the seq of a record" })]);
  return atLedger(given, io, "read", async (ledger, desk) => {
    const reader = await readerAt(ledger, desk, "account");
    if ("code" in reader) return kernelRefused([reader]);
    const { engine } = ledger;
    const result = await replay(pagesIn(engine, to + 1, io), (digest) => blobText(engine, digest));
    if (result.kind !== "equal") return ledgerFailed(differs(result));
    const { foreign, records } = result;
    return {
      exit: "done",
      json: { foreign, records, result: "equal" },
      text: () => [
        `replayed ${records} records: every decision comes out the same`,
        ...(foreign === 0 ? [] : [`${foreign} records are not the kernel's and were only counted`]),
      ],
    };
  });
};

/**
 * dedalus state --at: what was believed, planned and allowed then. It is decided again from the first record on, whatever
 * snapshot there is: whoever asks for the past wants what the records lead to.
 */
export const state: Run = async (given, io) => {
  const at = seqOf(given.text.get("at") ?? "");
  if (at === undefined) return badInput([refuse("usage", { because: "--at takes the seq of a record" })]);
  return atLedger(given, io, "read", async (ledger, desk) => {
    const reader = await readerAt(ledger, desk, "account");
    if ("code" in reader) return kernelRefused([reader]);
    const { engine } = ledger;
    const result = await replay(pagesIn(engine, at + 1, io), (digest) => blobText(engine, digest));
    if (result.kind !== "equal") return ledgerFailed(differs(result));
    const value = statusOf(result.state);
    return {
      exit: "done",
      json: value,
      text: () => [
        ...value.freezes.map(({ by, reason, where }) => `frozen: ${where} by ${by}: ${reason}`),
        ...value.open.map(({ action, name, vmid }) => `open: VM ${vmid} ${action} ${name}`),
        ...value.blocked.map(({ action, name, vmid }) => `blocked: VM ${vmid} ${name}, ${action}`),
        `${value.open.length} open, ${value.blocked.length} blocked, ${value.freezes.length} frozen after record ${at}`,
      ],
    };
  });
};
