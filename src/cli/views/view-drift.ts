// Drift as a list for people: what differs first, by vmid, then how many do not.

import type { Drift } from "../../service/read/drift.ts";
import type { PlanAnswer } from "../../spine/model.ts";
import { gapText } from "../../spine/words/observation-words.ts";
import { inWords } from "../../spine/words/refusal-words.ts";
import { reasonInWords } from "../../spine/words/step-in-words.ts";
import { nextStepLines } from "./next-step.ts";
import type { Paint } from "./paint.ts";
import { refusalLines } from "./view-refusal.ts";

export const driftLines = (
  { answers, environment, gaps, observedAt, verdict }: Omit<Drift, "unanswered">,
  paint: Paint,
): readonly string[] => {
  const count = (kind: PlanAnswer["kind"]): number => answers.filter((answer) => answer.kind === kind).length;
  const isWholeRefused = verdict.kind === "refused";
  return [
    ...answers.flatMap((answer) => answerLines(answer, environment, paint)),
    ...gaps.map((gap) => ` ? ${gapText(gap)}`),
    ...(isWholeRefused
      ? verdict.refusals.flatMap((refusal) => refusalLines(refusal, paint, { where: { environment } }))
      : []),
    paint.bold(
      `${environment}: ${count("step")} drifted, ${count("refusal")} refused, ${count("in-sync")} in sync${observedAt === undefined ? "" : `, observed ${observedAt}`}`,
    ),
  ];
};

const answerLines = (answer: PlanAnswer, environment: string, paint: Paint): readonly string[] => {
  switch (answer.kind) {
    case "in-sync":
      return [];
    case "step":
      return [` ~ ${answer.vmid}  ${answer.name}: ${reasonInWords(answer)}`];
    case "refusal": {
      const { because, next } = inWords(answer);
      return [
        ` ! ${answer.vmid}  ${answer.code}: ${because}`,
        paint.dim(`        next: ${next}`),
        ...nextStepLines(answer, paint, { environment }),
      ];
    }
  }
};
