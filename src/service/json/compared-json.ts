// Two plans side by side, as a door prints them: the answers as they were hashed, and the words for people beside them.

import type { PlanAnswer } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { attributesText } from "../../spine/words/steps/attribute-words.ts";
import { changesText } from "../../spine/words/steps/outcome-words.ts";
import { stepSummary } from "../../spine/words/steps/step-summary.ts";
import type { PlanSide, PlansCompared, VmMoved } from "../read/compare-plans.ts";

export const comparedJson = ({ after, before, environment, grounds, moved, same }: PlansCompared) => ({
  environment,
  groundsMoved: grounds,
  movedVms: moved.map(vmMovedJson),
  planAfter: sideJson(after),
  planBefore: sideJson(before),
  sameCount: same,
});

const sideJson = ({ requester: by, verdict: verdictKind, ...side }: PlanSide) => ({ ...side, by, verdictKind });

const vmMovedJson = ({ attributes, changed, facts, members, now, vmid, was }: VmMoved) => ({
  ...present({
    answerAfter: now,
    answerBefore: was,
    attributes,
    attributesText: attributes === undefined ? undefined : attributesText(attributes),
    stateChanged: changed,
    stateText: changed === undefined ? undefined : changesText(changed),
    textAfter: answerText(now),
    textBefore: answerText(was),
  }),
  factsMoved: facts.map(({ fact, now: factNow, was: factWas }) => ({ fact, ...present({ factNow, factWas }) })),
  membersMoved: members,
  vmid,
});

/** That a VM is in sync needs no words. */
const answerText = (answer: PlanAnswer | undefined): string | undefined => {
  switch (answer?.kind) {
    case "step":
      return stepSummary({ facts: answer.facts, step: answer, vmid: answer.vmid }, undefined);
    case "refusal":
      return becauseOf(answer);
    default:
      return undefined;
  }
};
