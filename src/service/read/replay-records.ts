// The past, decided again: every recorded request, from records and blobs alone, equal or the first difference; and
// what was believed, planned and allowed after any record.

import { type Replayed, replay } from "../../kernel/replay-ledger.ts";
import { REPLAYED_STATE_CODEC } from "../../kernel/state/state-json.ts";
import { VERSIONS } from "../../kernel/versions.ts";
import type { Engine, Head } from "../../ledger/engine.ts";
import { isSize, type LedgerRecord } from "../../ledger/record/record.ts";
import { type Page, readChainedPages } from "../../ledger/verify/chained.ts";
import { milestoneBefore } from "../../ledger/write/milestones.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import { type RefusedAnswer, refusedBy, refusedInput } from "../answer.ts";
import type { OpenLedger } from "../hold/holding.ts";
import type { Watch } from "../progress.ts";
import { refuseSeq } from "./records.ts";
import { readBlobText } from "./registered.ts";
import { type StateShown, stateShownIn } from "./status.ts";

const SHOWN_EVERY = 10_000;

function* shown(page: Page, watch: Watch): Generator<LedgerRecord> {
  for (const record of page) {
    yield record;
    if (record.seq % SHOWN_EVERY === SHOWN_EVERY - 1) watch({ at: "replaying", records: record.seq + 1 });
  }
}

/** From the first record on, or behind a head that is known to stand. */
export async function* pagesIn(engine: Engine, to: number, watch: Watch, from?: Head): AsyncGenerator<Page> {
  for await (const page of readChainedPages(engine, to, from)) yield shown(page, watch);
}

/** The first record that is not what its state decides, or that is of another version. */
export const differs = (replayed: Exclude<Replayed, { readonly kind: "equal" }>): Refusal => {
  if (replayed.kind === "unreadable") return replayed.refusal;
  return refuse("replay-differs", withFacts(replayed.difference, { seq: replayed.seq }));
};

/** Undefined when the ledger has it. */
const noSuchRecord = async (engine: Engine, seq: number): Promise<RefusedAnswer | undefined> => {
  const { size } = await engine.head();
  return seq < size ? undefined : refusedInput([refuse("usage", { cause: "record-unknown", facts: { seq, size } })]);
};

/** Up to and with the record `to`; the whole ledger without one. */
export type ReplayRequest = { readonly to?: number };
/** `foreign` records are not the kernel's, and were only counted. */
export type ReplayedEqual = { readonly foreign: number; readonly records: number; readonly result: "equal" };

export const replayLedger = async (
  { ledger }: Pick<OpenLedger, "ledger">,
  { to }: ReplayRequest,
  watch: Watch,
): Promise<ReplayedEqual | RefusedAnswer> => {
  const { engine } = ledger;
  if (to !== undefined && !isSize(to)) return refuseSeq(engine, to);
  const absent = to === undefined ? undefined : await noSuchRecord(engine, to);
  if (absent !== undefined) return absent;
  const result = await replay(pagesIn(engine, to === undefined ? Number.MAX_SAFE_INTEGER : to + 1, watch), (digest) =>
    readBlobText(engine, digest),
  );
  if (result.kind !== "equal") return refusedBy(differs(result));
  const { foreign, records } = result;
  return { foreign, records, result: "equal" };
};

/**
 * Decided again from the last milestone before it, where every decision was made again once; from the first record on
 * where there is none that fits.
 */
export const stateAfter = async (
  { desk, ledger }: Pick<OpenLedger, "desk" | "ledger">,
  { at }: { readonly at: number },
  watch: Watch,
): Promise<StateShown | RefusedAnswer> => {
  const { engine } = ledger;
  if (!isSize(at)) return refuseSeq(engine, at);
  const absent = await noSuchRecord(engine, at);
  if (absent !== undefined) return absent;
  const { config, home, ports, signer } = desk;
  const savedState = ports.ledger.savedState(config.ledger, home);
  const from = await milestoneBefore({ engine, savedState, vkey: signer.vkey }, REPLAYED_STATE_CODEC, at + 1);
  const pages = pagesIn(engine, at + 1, watch, from && { hash: from.hash, size: from.tree.size });
  const result = await replay(pages, (digest) => readBlobText(engine, digest), VERSIONS, from);
  return result.kind === "equal" ? stateShownIn(result.state) : refusedBy(differs(result));
};
