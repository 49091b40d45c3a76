// Damage: what is thrown when stored bytes cannot be what was written.
//
// An exception and not a value, because the reads that meet it are streams; whoever reads turns it into a finding.
// Not here: damage that only the chain or the anchor can see (verify, anchor.ts).

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { withFacts } from "../../spine/words/cause.ts";
import type { RecordFlaw, StoreFlaw } from "../failure.ts";

/** Of one record, or of what stands beside the records: then no seq belongs to it. */
type Position = readonly [seq: number, flaw: RecordFlaw] | readonly [seq: undefined, flaw: StoreFlaw];

export class LedgerDamage extends Error {
  /** The first line that cannot be given; undefined when the damage is not in a line. */
  readonly seq: number | undefined;
  readonly flaw: RecordFlaw | StoreFlaw;
  readonly refusal: Refusal;

  constructor(...[seq, flaw]: Position) {
    super(`the ledger is damaged: ${flaw.cause}`);
    this.name = "LedgerDamage";
    this.seq = seq;
    this.flaw = flaw;
    this.refusal =
      seq === undefined
        ? refuse("ledger-broken", flaw)
        : (newerRecordRefusal(seq, flaw) ?? refuse("ledger-broken", withFacts(flaw, { seq })));
  }
}

/** A line in a format of later is no damage, and nothing is to be restored: whoever wrote it can read it. */
export const newerRecordRefusal = (seq: number, { cause, facts }: RecordFlaw | StoreFlaw): Refusal | undefined => {
  if (cause !== "other-format") return undefined;
  const { format, known } = facts;
  return format > known ? refuse("ledger-format", { cause: "newer-record", facts: { format, known, seq } }) : undefined;
};

/** A record that is not damaged and that this program cannot read: it says so by its own refusal. */
export class LedgerOfAnotherTime extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`the ledger is of another time: ${refusal.cause ?? refusal.code}`);
    this.name = "LedgerOfAnotherTime";
    this.refusal = refusal;
  }
}

/** What a fold makes of a record. A record of which it can make nothing is none that its writer would have written. */
export const foldedAt = <T>(seq: number, fold: () => T): T => {
  try {
    return fold();
  } catch (error) {
    if (error instanceof LedgerOfAnotherTime) throw error;
    throw new LedgerDamage(seq, { cause: "body-unfit", facts: {} });
  }
};
