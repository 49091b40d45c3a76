// The records of a ledger in order, each read strictly and held against the one before: whoever folds or decides them
// again does so on one unbroken chain. What is broken rises as damage with its seq. keeps N7
//
// They come in pages, because waiting for each record costs as much as folding it.
// Not here: what only a signed root can show (anchored.ts), and the findings of a whole verification (verify.ts).

import { LedgerDamage } from "./damage.ts";
import type { Engine, Head, Lines } from "./engine.ts";
import { GENESIS, type LedgerRecord } from "./record.ts";
import { linkFlaw, recordHash } from "./seal.ts";
import { recordOf } from "./standing.ts";

const EMPTY: Head = { hash: GENESIS, size: 0 };

/** Records that come without waiting; each is read when it is asked for, while its line is still at hand. */
export type Page = Iterable<LedgerRecord>;

/** From a head that is known to stand, and before `to`. Each page is taken whole before the next. */
export async function* chainedPages(
  engine: Pick<Engine, "pages">,
  to: number,
  from: Head = EMPTY,
): AsyncGenerator<Page> {
  let { hash, size } = from;
  function* records(lines: Lines): Generator<LedgerRecord> {
    for (const line of lines) {
      const record = recordOf(line, size);
      const flaw = linkFlaw({ hash, size }, record);
      if (flaw !== undefined) throw new LedgerDamage(size, flaw.because);
      [hash, size] = [recordHash(line), size + 1];
      yield record;
    }
  }
  for await (const lines of engine.pages(size, to)) yield records(lines);
}
