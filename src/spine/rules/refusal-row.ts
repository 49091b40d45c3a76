// One line of the catalogue of refusals: the rule it stands under, the stage it comes from, and its constant sentences.
//
// A summary holds no names, so that it is recognised the second time. `next` says what would have to be true, and
// proposes no choice.

import type { Stage } from "../model.ts";
import type { RuleId } from "./invariants.ts";

export type RefusalRow = {
  readonly rule: RuleId;
  readonly stage: Stage;
  readonly summary: string;
  readonly why: string;
  readonly next: string;
};

export const rowsOf =
  (stage: Stage) =>
  (rule: RuleId, summary: string, why: string, next: string): RefusalRow => ({ next, rule, stage, summary, why });
