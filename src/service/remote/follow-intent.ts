// What goes on at the service after an intent is durable, for whoever waits here: asked for again and again until it
// ended, or until it is open there after its time, and counts as unknown.
//
// It only reads. Whoever leaves ends nothing, and a read that fails is asked again: the outcome is in the ledger of the
// service, whether it is heard of or not. Not here: what makes the intent (ask-service.ts).

import { stepsOf } from "../../kernel/decide/step-ref.ts";
import type { Instant, ResultFile } from "../../spine/model.ts";
import { endedBy } from "../../spine/rules/outcome-causes.ts";
import { later } from "../../spine/values/instant.ts";
import { present } from "../../spine/values/present.ts";
import type { Applying, ApplyStage, StepApplied, StepUnderway } from "../act/perform-step.ts";
import type { IntentFound } from "../read/intent-shown.ts";
import type { Ask } from "./ask-service.ts";

export type FollowPorts = {
  readonly ask: Ask;
  readonly now: () => Instant;
  readonly pause: (ms: number) => Promise<void>;
};

const ASKED_EVERY_MS = 500;
/** After its end an outcome may still have to be written down there. */
const SETTLED_AFTER_MS = 30_000;

type Ended = { readonly file: ResultFile; readonly recorded: boolean };

export const followIntent = (ports: FollowPorts, applying: Applying): StepUnderway => {
  const { applied, intent, step } = applying;
  const told = applied === undefined ? untilEnded(ports, applying) : Promise.resolve(applied);
  const ended = told.then(({ file, recorded }) => ({ file, intent, recorded, step }));
  return { ended, stages: stagesOf(ended) };
};

/** Of the stages over there only the first and the last are heard here. */
async function* stagesOf(ended: Promise<StepApplied>): AsyncGenerator<ApplyStage> {
  yield "verdict";
  await ended;
  yield "done";
}

const untilEnded = async (ports: FollowPorts, applying: Applying): Promise<Ended> => {
  const { ask, now, pause } = ports;
  const over = later(applying.settleBy, SETTLED_AFTER_MS);
  for (;;) {
    const answer = await ask("intent", { intent: applying.intent });
    const found = answer.kind === "ok" ? answer.value : undefined;
    if (found?.result !== undefined) return { file: found.result, recorded: true };
    const file = found !== undefined && now() > over ? await pastItsEnd(ask, found) : undefined;
    if (file !== undefined) return { file, recorded: false };
    await pause(ASKED_EVERY_MS);
  }
};

/** It is open there after its time, so that it counts as unknown; undefined where its plan cannot be read either. */
const pastItsEnd = async (ask: Ask, found: IntentFound): Promise<ResultFile | undefined> => {
  const { action, environment, index, plan: id, reference, vmid } = found;
  const answer = await ask("showPlan", { plan: id });
  const plan = answer.kind === "ok" ? answer.value.plan : undefined;
  const step = plan === undefined ? undefined : stepsOf(plan)[index];
  if (plan === undefined || step === undefined) return undefined;
  const end = endedBy("past-settle-by", {});
  const file = { ...end, action, environment, plan: plan.hash, step: step.hash, version: 1, vmid } as const;
  return { ...file, ...present({ reference }) };
};
