// Fills the index of a ledger in a thread of its own, from where it ends, and goes on with what comes, until it is
// stopped. One that does not fit the ledger is thrown away and made anew.
//
// Every line is held against the one before. Nothing waits for it: whoever asks meanwhile finds what is covered, and
// walks the rest. Whenever it has come far enough, the milestones that are due are made, and it goes on behind that; a
// failure there is said, and ends no index. Not here: what is found with it (read/candidates.ts).

import type { Engine, Head } from "../../ledger/engine.ts";
import { GENESIS } from "../../ledger/record/record.ts";
import { linkFlaw, recordHash } from "../../ledger/record/seal.ts";
import {
  type Entry,
  type GrowingIndex,
  growSeqIndex,
  removeSeqIndex,
  type Term,
} from "../../ledger/terms/term-table.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import { LedgerDamage } from "../../ledger/verify/damage.ts";
import { present } from "../../spine/values/present.ts";
import { coversPartOf } from "../hold/held-terms.ts";
import { readSigner } from "../hold/open-ledger.ts";
import type { Configuration, Hearing, Ports } from "../ports.ts";
import { entriesOf } from "../read/record-terms.ts";
import { milestonesOf } from "./make-milestones.ts";

/** Records that are added at once. */
const BATCH = 1_000;

export type Filling = {
  /** Of records between milestones. */
  readonly every?: number;
  readonly note: Hearing["note"];
  readonly path: string;
  readonly stop: AbortSignal;
};

export const indexLedger = async (
  configuration: Configuration,
  ports: Pick<Ports, "ledger">,
  { every, note, path, stop }: Filling,
): Promise<void> => {
  const { config, home } = configuration;
  const signer = readSigner(configuration);
  if ("code" in signer) throw new Error(signer.code);
  const location = ports.ledger.location(config.ledger, home);
  if ("code" in location) throw new Error(location.code);
  const opened = await location.open("read");
  if (opened.kind === "refused") throw new Error(opened.refusal.code);
  const { engine } = opened;
  let index = growSeqIndex(path);
  try {
    if (!(await coversPartOf(engine, index.head()))) {
      index.close();
      removeSeqIndex(path);
      index = growSeqIndex(path);
    }
    const savedState = ports.ledger.savedState(config.ledger, home);
    const milestones = milestonesOf({ engine, note, savedState, signer, ...present({ every }) });
    // What is there is found first.
    let until = (await engine.head()).size;
    while (!stop.aborted) {
      if (index.head().size < until) await grow(engine, index, stop, until);
      if (index.head().size < until) continue;
      await milestones
        .make()
        .catch((error: unknown) => note({ cause: "milestones-failed", facts: { said: String(error) } }));
      until = milestones.nextAfter(index.head().size);
    }
  } finally {
    index.close();
    await engine.close();
  }
};

/** Until it has so many records, is stopped, or somebody else has grown the same index: then it goes on from there. */
const grow = async (engine: Engine, index: GrowingIndex, stop: AbortSignal, until: number): Promise<void> => {
  const start = index.head();
  let [from, to]: [Head, Head] = [start, start];
  let entries: Entry[] = [];
  let ids = new Map<number, number[]>();
  let isOvertaken = false;
  const flush = (): void => {
    if (to.size === from.size) return;
    isOvertaken = !index.add(from, to, entries);
    [from, entries, ids] = [to, [], new Map()];
  };
  // Ids of the batch at hand are not in the index so far.
  const seqsOf = (id: Term): readonly number[] => [
    ...index.seqs(id, 0, from.size, Number.MAX_SAFE_INTEGER),
    ...(ids.get(id.value) ?? []),
  ];
  for await (const line of engine.follow(start.size, stop, flush)) {
    const record = recordOf(line, to.size);
    const flaw = linkFlaw(to.size === 0 ? { hash: GENESIS, size: 0 } : to, record);
    if (flaw !== undefined) throw new LedgerDamage(to.size, flaw.flaw);
    for (const entry of await entriesOf(engine, record, seqsOf)) {
      entries.push(entry);
      if (entry.space === "id") ids.set(entry.value, [...(ids.get(entry.value) ?? []), entry.seq]);
    }
    to = { hash: recordHash(line), size: to.size + 1 };
    if (to.size - from.size >= BATCH || to.size >= until) flush();
    if (isOvertaken || to.size >= until) return;
  }
};
