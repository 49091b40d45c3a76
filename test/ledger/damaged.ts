// What a test expects of damage: where it is, and what it is called.

import { LedgerDamage } from "../../src/ledger/verify/damage.ts";

export const damagedBy =
  (seq: number | undefined, cause: LedgerDamage["flaw"]["cause"]) =>
  (error: unknown): boolean =>
    error instanceof LedgerDamage && error.seq === seq && error.flaw.cause === cause;
