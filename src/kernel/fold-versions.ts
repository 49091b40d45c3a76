// The versions of the rules by what they make of a record: whoever only reads folds, and loads nothing that decides.
//
// A version's other half, and the rule for both, is in versions.ts.

import type { LedgerRecord } from "../ledger/record/record.ts";
import { RULES_VERSION } from "../spine/rules/rules-version.ts";
import { bodyOf } from "./command/record-body.ts";
import { evolveBy, FOLDING, type Folding } from "./evolve/evolve.ts";
import type { State } from "./state/state.ts";

export const FOLD_VERSIONS = { 1: FOLDING } as const satisfies Readonly<Record<number, Folding>>;

export const evolve = (before: State, record: LedgerRecord): State =>
  evolveBy(FOLD_VERSIONS, RULES_VERSION, before, record, bodyOf(record));
