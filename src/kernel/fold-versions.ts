// By what each version of the rules folds, apart from what decides (versions.ts): whoever only reads a ledger loads no
// decider.

import type { LedgerRecord } from "../ledger/record/record.ts";
import { RULES_VERSION } from "../spine/rules/rules-version.ts";
import { bodyOf } from "./command/record-body.ts";
import { evolveBy, FOLDING, type FoldingVersions } from "./evolve/evolve.ts";
import type { State } from "./state/state.ts";

export const FOLDINGS = { 1: FOLDING } as const satisfies FoldingVersions;

export const evolve = (before: State, record: LedgerRecord): State =>
  evolveBy(FOLDINGS, RULES_VERSION, before, record, bodyOf(record));
