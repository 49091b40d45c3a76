// Plans, drift and explanations as the service had them before they were printed (service/json/plan-answer-json.ts).
//
// What was derived for the reader (counts, words) is left: views derive it again.

import { present } from "../../spine/values/present.ts";
import { CATALOGUE } from "../../spine/words/words-catalogue.ts";
import type { PlanMade } from "../act/make-plan.ts";
import type { StepReviewed } from "../act/review-step.ts";
import type { comparedJson } from "../json/compared-json.ts";
import type { driftJson, explainedJson, planJson, plansJson, reviewedJson } from "../json/plan-answer-json.ts";
import type { PlanSide, PlansCompared } from "../read/compare-plans.ts";
import type { Drift } from "../read/drift.ts";
import type { AnswerExplained } from "../read/explain-recorded.ts";
import type { PlanList } from "../read/plans.ts";
import type { StepShown } from "../read/steps-shown.ts";
import type { WithGap } from "./act-values.ts";
import { intentFrom } from "./intent-values.ts";
import { gapFrom, refusalFrom, whereFrom } from "./refusal-values.ts";

type StepJson = ReturnType<typeof planJson>["steps"][number];

const stepFrom = ({ approvalRequests, objections, ...step }: StepJson, server: string): StepShown => ({
  ...step,
  asked: approvalRequests,
  // JSON has no undefined; what ends never has no end.
  endsAt: step.endsAt,
  objections: objections.map((one) => refusalFrom(one, server)),
  where: whereFrom(objections) ?? {},
});

export const planFrom = (
  { counts: _, steps, unanswered, ...shown }: WithGap<ReturnType<typeof planJson>>,
  server: string,
): PlanMade => ({
  ...shown,
  steps: steps.map((step) => stepFrom(step, server)),
  ...present({ unanswered: gapFrom(unanswered) }),
});

export const plansFrom = ({ plans }: ReturnType<typeof plansJson>): PlanList => ({
  plans: plans.map(({ by, stepCount: size, triedCount: applied, verdictKind: verdict, ...plan }) => ({
    ...plan,
    applied,
    requester: { id: by },
    steps: { size },
    verdict,
  })),
});

export const driftFrom = ({
  counts: _,
  desiredDigest: registered,
  unanswered,
  ...drift
}: WithGap<ReturnType<typeof driftJson>>): Drift => ({
  ...drift,
  registered,
  ...present({ unanswered: gapFrom(unanswered) }),
});

export const comparedFrom = (body: ReturnType<typeof comparedJson>): PlansCompared => ({
  after: sideFrom(body.planAfter),
  before: sideFrom(body.planBefore),
  environment: body.environment,
  grounds: body.groundsMoved,
  moved: body.movedVms.map(
    ({ answerAfter, answerBefore, attributes, factsMoved, membersMoved, stateChanged, vmid }) => ({
      ...present({ attributes, changed: stateChanged, now: answerAfter, was: answerBefore }),
      facts: factsMoved.map(({ fact, factNow: now, factWas: was }) => ({ fact, ...present({ now, was }) })),
      members: membersMoved,
      vmid,
    }),
  ),
  same: body.sameCount,
});

const sideFrom = ({
  by: requester,
  verdictKind: verdict,
  ...side
}: ReturnType<typeof comparedJson>["planAfter"]): PlanSide => ({
  ...side,
  requester,
  verdict,
});

/** In this program's own words; what was shown in others is read by their digest (remote-service.ts). */
export const explainedFrom = (body: ReturnType<typeof explainedJson>, server: string): AnswerExplained => {
  const { asShown, challenge, compared, environment, explanation, planId: plan, progress, step, tier } = body;
  return {
    ...present({ challenge, compared, tier }),
    ...(asShown === undefined ? {} : { asShown: asShownFrom(asShown) }),
    explanation,
    of: { environment, plan, ...present({ step }) },
    shown: progress === undefined ? undefined : stepFrom(progress, server),
  };
};

export const reviewedFrom = (body: ReturnType<typeof reviewedJson>, server: string): StepReviewed => {
  const { againstApproval, againstChallenge, againstDenial, attempt, environment, explanation } = body;
  const { approvalsGiven: approvals, denialsGiven: denials, planHash, planId: plan } = body;
  const { progress, requester, step, uncounted, words } = body;
  const refusalsFrom = (refusals: typeof againstApproval) => refusals.map((one) => refusalFrom(one, server));
  return {
    against: {
      approve: refusalsFrom(againstApproval),
      challenge: refusalsFrom(againstChallenge),
      deny: refusalsFrom(againstDenial),
    },
    approvals,
    denials,
    explanation,
    ...present({ intent: attempt === undefined ? undefined : intentFrom(attempt) }),
    of: { environment, plan, planHash, step },
    requester,
    shown: stepFrom(progress, server),
    uncounted,
    words,
  };
};

type AsShownJson = NonNullable<ReturnType<typeof explainedJson>["asShown"]>;

const asShownFrom = ({
  agreements,
  at,
  by,
  id,
  invited,
  kind,
  seq,
  words,
}: AsShownJson): Required<AnswerExplained>["asShown"] => ({
  agreements,
  at,
  by,
  catalogue: CATALOGUE,
  invited,
  record: { id, kind, seq },
  words,
});
