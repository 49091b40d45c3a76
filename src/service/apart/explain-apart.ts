// A step as somebody was shown it, in a thread of its own where there is one: what was shown then is a fold of
// everything before it.
//
// What the caller means by their words is found here, on what they see. The thread sees everything, so what it found is
// told only to whoever sees its environment. keeps B3

import { isRefused, type OkAnswer, type RefusedAnswer } from "../answer.ts";
import type { Reading } from "../hold/session.ts";
import type { Watch } from "../progress.ts";
import { type AnswerExplained, type ExplainRequest, explainOne, stepToShow } from "../read/explain-recorded.ts";
import { refuseUnshown } from "../read/step-unshown.ts";
import type { Walks } from "./walks.ts";

export const explainThen = async (
  apart: Pick<Walks, "walk"> | undefined,
  ground: Reading,
  request: ExplainRequest,
  watch: Watch,
  signal?: AbortSignal,
): Promise<Pick<OkAnswer<AnswerExplained | RefusedAnswer>, "head" | "value">> => {
  const { head } = ground;
  if (apart === undefined) return { head, value: await explainOne(ground, request) };
  const named = await stepToShow(ground, request);
  if (isRefused(named)) return { head, value: named };
  const shown = await apart.walk({ kind: "as-shown", request: named }, watch, signal);
  if (shown.kind === "refused") return { head, value: shown };
  return ground.sees(shown.value.of.environment) ? shown : { head, value: refuseUnshown(request.plan) };
};
