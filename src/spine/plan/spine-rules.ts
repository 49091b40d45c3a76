// What the spine judges by, as one value: what an action needs and means, and what marks production. `plan` and
// `safety` take it, so that a version of the rules in which any of it is different keeps the former value beside it.
//
// Not here: how plans are made and judged, which is code (plan.ts, safety.ts); kernel/decide/rulebook.ts joins both.

import { ACTIONS, type ActionTable } from "../rules/actions.ts";
import { isProductionName, isProductionTag } from "./protection.ts";

export type SpineRules = {
  readonly actions: ActionTable;
  readonly isProductionName: (name: string) => boolean;
  readonly isProductionTag: (tag: string) => boolean;
};

/** Those of RULES_VERSION. */
export const SPINE_RULES: SpineRules = { actions: ACTIONS, isProductionName, isProductionTag };
