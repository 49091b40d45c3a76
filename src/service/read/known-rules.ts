// Whoever interprets records one by one, and folds none of them, asks here: a ledger that went on under rules of later
// may say what it says in other words, and what is left out of an account is not seen by its reader. keeps N6

import { bodyOf } from "../../kernel/command/record-body.ts";
import { formatRefusal } from "../../kernel/evolve/ledger-format.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { LedgerOfAnotherTime } from "../../ledger/verify/damage.ts";
import { RULES_VERSION } from "../../spine/rules/rules-version.ts";

/** Throws at the first record from which on this program does not know what the records mean. */
export const assertKnownRules = (record: LedgerRecord): void => {
  const body = bodyOf(record);
  const refusal = body === undefined ? undefined : formatRefusal(record.seq, body, RULES_VERSION);
  if (refusal !== undefined) throw new LedgerOfAnotherTime(refusal);
};
