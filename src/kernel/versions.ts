// The versions of the rules that this program has: for each everything by which it decides and folds. A version in
// which anything is different is a row of its own beside the former ones, which stay as they are: a record is decided
// again, and folded, by the row of its version. docs/decisions/0009 has the steps.
//
// Not here: what no version can change (docs/decisions/0009), and which version is in force (state/rules-in-force.ts).

import type { Decided } from "../ledger/write/submission.ts";
import type { Instant } from "../spine/model.ts";
import { inBytes } from "./command/blob-bytes.ts";
import type { Command } from "./command/request.ts";
import { DECIDING, type Deciding, decideBy } from "./decide/decide.ts";
import type { Folding } from "./evolve/evolve.ts";
import { FOLDINGS } from "./fold-versions.ts";
import type { State } from "./state/state.ts";

export type Version = Deciding & Folding;
export type Versions = Readonly<Record<number, Version>>;

export const VERSIONS: Versions = { 1: { ...DECIDING, ...FOLDINGS[1] } };

export const decide = (state: State, command: Command, floor: Instant | undefined): Decided =>
  inBytes(decideBy(VERSIONS, state, command, floor));
