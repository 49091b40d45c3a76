// The records of a ledger in order, each read strictly and held against the one before: whoever folds or decides them
// again does so on one unbroken chain. What is broken rises as damage with its seq. keeps N7
//
// They come in pages, because waiting for each record costs as much as folding it.
// Not here: what only a signed root can show (anchored.ts), and the findings of a whole verification (verify.ts).

import { LedgerDamage } from "./damage.ts";
import type { Engine, Head } from "./engine.ts";
import { GENESIS, type LedgerRecord } from "./record.ts";
import { linkFlaw, recordHash } from "./seal.ts";
import { recordOf } from "./standing.ts";

const EMPTY: Head = { hash: GENESIS, size: 0 };
const PAGE_RECORDS = 256;

export type Page = readonly LedgerRecord[];

/** From a head that is known to stand, and before `to`. What comes before damage is given first. */
export async function* chainedPages(
  engine: Pick<Engine, "read">,
  to: number,
  from: Head = EMPTY,
): AsyncGenerator<Page> {
  let { hash, size } = from;
  let page: LedgerRecord[] = [];
  try {
    for await (const line of engine.read(size, to)) {
      const record = recordOf(line, size);
      const flaw = linkFlaw({ hash, size }, record);
      if (flaw !== undefined) throw new LedgerDamage(size, flaw.because);
      [hash, size] = [recordHash(line), size + 1];
      page.push(record);
      if (page.length < PAGE_RECORDS) continue;
      yield page;
      page = [];
    }
  } catch (error) {
    yield page;
    throw error;
  }
  yield page;
}
