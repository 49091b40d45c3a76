// The records of a ledger in order, each read strictly and held against the one before: whoever folds or decides them
// again does so on one unbroken chain. What is broken rises as damage with its seq. keeps N7
//
// They come in pages, because waiting for each record costs as much as folding it.
// Not here: what only a signed root can show (anchor-fit.ts), and the findings of a whole verification (verify.ts).

import assert from "node:assert/strict";
import type { Sha256 } from "../../spine/model.ts";
import type { Engine, Head } from "../engine.ts";
import { type ReadRecord, readLines } from "../record/read-record.ts";
import { GENESIS, type LedgerRecord } from "../record/record.ts";
import { linkFlaw, recordHash } from "../record/seal.ts";
import { recordIn } from "./chain-state.ts";
import { LedgerDamage } from "./damage.ts";

const EMPTY: Head = { hash: GENESIS, size: 0 };

/** Records that come without waiting. */
export type Page = Iterable<LedgerRecord>;

/**
 * Read in one go, and hashed before that: by turns with each other and with deciding they would push each other's code
 * out of the processor's cache.
 */
const AT_ONCE = 32;

/** From a head that is known to stand, and before `to`. `onHash` hears the hash of every line, in order. */
export async function* readChainedPages(
  engine: Pick<Engine, "pages">,
  to: number,
  from: Head = EMPTY,
  onHash?: (hash: Sha256) => void,
): AsyncGenerator<Page> {
  let { hash, size } = from;
  const next = (read: ReadRecord, own: Sha256): LedgerRecord => {
    const record = recordIn(read, size);
    const flaw = linkFlaw({ hash, size }, record);
    if (flaw !== undefined) throw new LedgerDamage(size, flaw.flaw);
    [hash, size] = [own, size + 1];
    onHash?.(hash);
    return record;
  };
  for await (const lines of engine.pages(size, to)) {
    for (let at = 0; at < lines.length; at += AT_ONCE) {
      const some = lines.slice(at, at + AT_ONCE);
      const hashes = some.map(recordHash);
      const records: LedgerRecord[] = [];
      try {
        const reads = readLines(some).values();
        for (const own of hashes) records.push(next(reads.next().value ?? assert.fail("every line was read"), own));
      } finally {
        // Those before a damaged one are given first, then the damage rises.
        yield records;
      }
    }
  }
}
