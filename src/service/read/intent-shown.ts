// One intent as it is shown: what an operator can use, and once it ended its result, without what only the kernel needs
// (who owns it, what its claim was counted on).

import { recall } from "../../kernel/state/recent.ts";
import { type IntentState, openIntent, type State } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import type { ResultFile } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedByKernel } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import { withOlder } from "./older-plans.ts";

export type IntentShown = Pick<
  IntentState,
  "action" | "end" | "environment" | "id" | "index" | "name" | "plan" | "reference" | "sendBy" | "settleBy" | "vmid"
>;

/** `result` is what result.json has, once it ended. */
export type IntentFound = IntentShown & { readonly result?: ResultFile };

export const showIntent = async (
  reading: Reading,
  { intent: id }: { readonly intent: string },
): Promise<IntentFound | RefusedAnswer> => {
  const { state } = await withOlder(reading, id);
  const found = isUlid(id) ? (openIntent(state, id) ?? recall(state.intents, id)) : undefined;
  if (found === undefined) {
    return refusedByKernel([refuse("intent-unknown", { cause: "absent", facts: { intent: id } })]);
  }
  return { ...found, ...present({ result: resultIn(state, found.id) }) };
};

/** From the state, which keeps outcomes for a day or two. */
export const resultIn = (state: State, id: Ulid): ResultFile | undefined => {
  const intent = recall(state.intents, id);
  const plan = intent === undefined ? undefined : recall(state.plans, intent.plan);
  if (intent?.end === undefined || plan === undefined) return undefined;
  const { action, end, environment, reference, step, vmid } = intent;
  return { ...end, action, environment, plan: plan.hash, ...present({ reference }), step, version: 1, vmid };
};
