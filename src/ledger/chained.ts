// The records of a ledger in order, each read strictly and held against the one before: whoever folds or decides them
// again does so on one unbroken chain. What is broken rises as damage with its seq. keeps N7
//
// Not here: what only a signed root can show (anchored.ts), and the findings of a whole verification (verify.ts).

import { LedgerDamage } from "./damage.ts";
import type { Engine, Head } from "./engine.ts";
import { GENESIS, type LedgerRecord } from "./record.ts";
import { linkFlaw, recordHash } from "./seal.ts";
import { recordOf } from "./standing.ts";

const EMPTY: Head = { hash: GENESIS, size: 0 };

/** From a head that is known to stand, and before `to`. */
export async function* chainedRecords(
  engine: Pick<Engine, "read">,
  to: number,
  from: Head = EMPTY,
): AsyncGenerator<LedgerRecord> {
  let { hash, size } = from;
  for await (const line of engine.read(size, to)) {
    const record = recordOf(line, size);
    const flaw = linkFlaw({ hash, size }, record);
    if (flaw !== undefined) throw new LedgerDamage(size, flaw.because);
    [hash, size] = [recordHash(line), size + 1];
    yield record;
  }
}
