// One step of a recorded plan, as whoever agrees to it must have read it, and who must still agree.

import type { StepRef } from "../../kernel/command/request.ts";
import { explanationOf } from "../../kernel/decide/agree.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Explanation, Instant, Sha256, Tier } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import type { AsShown } from "./as-shown.ts";
import { chosenStep, type RecordedPlan, readRecordedPlan, type StepNamed } from "./recorded.ts";
import { type StepShown, stepsShown } from "./steps-shown.ts";

export type StepRequest = { readonly plan: string; readonly step: StepNamed };
/** In the words and as of the time when somebody was shown it last; as it stands now when nothing is said. */
export type ExplainRequest = StepRequest & { readonly words?: "as-shown" };
export type StepFound = { readonly found: RecordedPlan; readonly of: StepRef };

/** What was shown is recorded as shown; the hash of it confirms the step once, until it ends. */
export type ChallengeShown = {
  readonly expiresAt: Instant;
  readonly hash: Sha256;
  readonly id: Ulid;
  /** Whether the VM's name must be typed, too: nothing can be undone. */
  readonly typedName: boolean;
};

export type StepExplained = {
  readonly challenge?: ChallengeShown;
  readonly explanation: Explanation;
  /** The step, by its number from 1. */
  readonly of: { readonly plan: Ulid; readonly step: number };
  /** How it stands; absent for what was shown then. */
  readonly shown: StepShown | undefined;
  readonly asShown?: AsShown;
  readonly tier?: Tier;
};

export const findStep = async (
  { ledger, state }: Pick<Reading, "ledger" | "state">,
  { plan, step }: StepRequest,
): Promise<StepFound | RefusedAnswer> => {
  const found = await readRecordedPlan(ledger.engine, state, plan);
  if ("code" in found) return refusedByKernel([found]);
  const of = chosenStep(found, step);
  return "code" in of ? refusedInput([of]) : { found, of };
};

export const explainStep = async (
  reading: Reading,
  request: ExplainRequest,
): Promise<StepExplained | RefusedAnswer> => {
  if (request.words === "as-shown") return (await import("./as-shown.ts")).explainAsShown(reading, request);
  const chosen = await findStep(reading, request);
  return "kind" in chosen ? chosen : stepExplained(reading, chosen);
};

export const stepExplained = async (
  reading: Reading,
  { found, of }: StepFound,
  challenge?: ChallengeShown,
): Promise<StepExplained> => {
  const explanation = explanationOf(reading.state, found.planState, of.step, found.verdict);
  const shown = (await stepsShown(reading, found)).find(({ step }) => step === of.index + 1);
  return {
    ...present({ challenge }),
    explanation,
    of: { plan: of.plan, step: of.index + 1 },
    shown,
    ...(shown === undefined ? {} : { tier: shown.tier }),
  };
};
