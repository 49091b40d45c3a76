// An apply in a story as most rules speak of it: planned, changed in between, applied; and outcomes that end intents.

import type { StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { apply, ENDS, planned, refusalsOf, type Setting, type Story, story } from "./story.ts";

/** alice plans and applies one start; `change` is what happens in between, or what is applied in its place. */
export const applied = (
  change: (of: StepRef, told: Story) => StepRef = (of) => of,
  setting: Setting = {},
  live = true,
): readonly Refusal[] => {
  const told = story("single-operator", live);
  const { of } = planned(told, setting);
  return refusalsOf(apply(told, change(of, told)));
};

export const ended = (
  told: Story,
  intent: Ulid,
  outcome: "failed" | "succeeded" | "unknown",
  instance: Ulid = told.instance,
): Result => told.ask({ ...ENDS[outcome], intent, kind: "outcome" }, { by: KERNEL_ACTOR, instance });
