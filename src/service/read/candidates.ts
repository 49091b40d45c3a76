// The records that an index says to look at, in order, and after them every record that it does not cover. Each is read
// from the ledger and held against its neighbours: the index says where, and nothing of what.
//
// Whoever asks judges each record, so that an index that finds too much changes no answer. keeps N7

import { type Engine, type Head, linesIn } from "../../ledger/engine.ts";
import { GENESIS, type LedgerRecord } from "../../ledger/record/record.ts";
import { linkFlaw, recordHash } from "../../ledger/record/seal.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import { readChainedPages } from "../../ledger/verify/chained.ts";
import { LedgerDamage } from "../../ledger/verify/damage.ts";
import type { Vmid } from "../../spine/model.ts";
import type { FittingIndex } from "../hold/held-terms.ts";
import { vmTerm } from "./record-terms.ts";

export type Candidate = { readonly line: Uint8Array; readonly record: LedgerRecord };

/** Seqs that lie so close are read together. */
const GAP_MAX = 32;
const SPAN_MAX = 512;

/** `seqs` ascend and are below what is covered. */
export async function* readCandidates(
  engine: Pick<Engine, "pages">,
  seqs: readonly number[],
  covers: Head,
): AsyncGenerator<readonly Candidate[]> {
  for (let at = 0; at < seqs.length; ) {
    const first = seqs[at] ?? 0;
    const wanted = new Set<number>();
    let last = first;
    for (let seq = seqs[at]; seq !== undefined && seq - last <= GAP_MAX && seq - first < SPAN_MAX; seq = seqs[at]) {
      wanted.add(seq);
      last = seq;
      at += 1;
    }
    yield await readChained(engine, first, last, wanted, covers);
  }
}

/** From the line before the first on; the one after the last must link to it, or it is the last that is covered. */
const readChained = async (
  engine: Pick<Engine, "pages">,
  first: number,
  last: number,
  wanted: ReadonlySet<number>,
  covers: Head,
): Promise<readonly Candidate[]> => {
  let before: Head | undefined = first === 0 ? { hash: GENESIS, size: 0 } : undefined;
  let seq = Math.max(0, first - 1);
  const found: Candidate[] = [];
  for await (const line of linesIn(engine.pages(seq, Math.min(last + 2, covers.size)))) {
    const record = recordOf(line, seq);
    const flaw = before === undefined ? undefined : linkFlaw(before, record);
    if (flaw !== undefined) throw new LedgerDamage(seq, flaw.flaw);
    if (wanted.has(seq)) found.push({ line, record });
    before = { hash: recordHash(line), size: seq + 1 };
    seq += 1;
  }
  if (before?.size === covers.size && before.hash !== covers.hash)
    throw new LedgerDamage(covers.size - 1, { cause: "known-end-differs", facts: {} });
  if (seq <= last) throw new LedgerDamage(seq, { cause: "line-missing", facts: {} });
  return found;
};

/** Every record that may concern a VM: by the index as far as it covers the ledger, and one by one from there on. */
export async function* readConcerned(
  engine: Engine,
  index: FittingIndex | undefined,
  vmid: Vmid,
): AsyncGenerator<Iterable<LedgerRecord>> {
  if (index !== undefined)
    for await (const page of readCandidates(engine, index.related(vmTerm(vmid)), index.covers))
      yield page.map(({ record }) => record);
  yield* readChainedPages(engine, Number.MAX_SAFE_INTEGER, index?.covers);
}
