// The records of a ledger in order, each read strictly and held against the one before: whoever folds or decides them
// again does so on one unbroken chain. What is broken rises as damage with its seq. keeps N7
//
// They come in pages, because waiting for each record costs as much as folding it.
// Not here: what only a signed root can show (anchored.ts), and the findings of a whole verification (verify.ts).

import { LedgerDamage } from "./damage.ts";
import type { Engine, Head, Lines } from "./engine.ts";
import { readRecord } from "./read-record.ts";
import { GENESIS, type LedgerRecord } from "./record.ts";
import { linkFlaw, recordHash } from "./seal.ts";

const EMPTY: Head = { hash: GENESIS, size: 0 };

export type Page = readonly LedgerRecord[];

/** From a head that is known to stand, and before `to`. What comes before damage is given first. */
export async function* chainedPages(
  engine: Pick<Engine, "pages">,
  to: number,
  from: Head = EMPTY,
): AsyncGenerator<Page> {
  let head = from;
  for await (const lines of engine.pages(head.size, to)) {
    const { after, damage, page } = linked(lines, head);
    yield page;
    if (damage !== undefined) throw damage;
    head = after;
  }
}

type Linked = { readonly after: Head; readonly damage?: LedgerDamage; readonly page: Page };

/** The records of these lines up to the first that does not go on where the one before ended. */
const linked = (lines: Lines, from: Head): Linked => {
  const page: LedgerRecord[] = [];
  let after = from;
  const broken = (because: string): Linked => ({ after, damage: new LedgerDamage(after.size, because), page });
  for (const line of lines) {
    const read = readRecord(line);
    if (read.kind === "finding") return broken(read.because);
    const flaw = linkFlaw(after, read.record);
    if (flaw !== undefined) return broken(flaw.because);
    after = { hash: recordHash(line), size: after.size + 1 };
    page.push(read.record);
  }
  return { after, page };
};
