// Plans, drift and explanations as a door prints them. A plan, a verdict, an observation and an explanation are printed
// as they are: hashes cover them. Beside them stands what is derived: how many VMs are what, and how the steps stand.

import type { TierAgreement } from "../../kernel/decide/agreement-table.ts";
import type { Explanation, PlanFile } from "../../spine/model.ts";
import { countsOf } from "../../spine/values/counts.ts";
import { present } from "../../spine/values/present.ts";
import { explanationInWords } from "../../spine/words/steps/explanation-in-words.ts";
import type { Catalogue } from "../../spine/words/words-catalogue.ts";
import type { PlanMade } from "../act/make-plan.ts";
import type { StepReviewed } from "../act/review-step.ts";
import type { Drift } from "../read/drift.ts";
import type { AnswerExplained } from "../read/explain-recorded.ts";
import type { PlanListed, PlanShown } from "../read/plans.ts";
import type { StepShown } from "../read/steps-shown.ts";
import { refusalsJson } from "./error-json.ts";
import { intentJson } from "./intent-json.ts";

const stepJson = ({ asked, objections, where, ...step }: StepShown) => ({
  ...step,
  approvalRequests: asked,
  objections: refusalsJson(objections, where),
});

/** One from files; what stands in plan.json, and the counts. */
export const planFileJson = (file: PlanFile) => ({ ...file, counts: countsOf(file.plan.answers) });

export const planJson = ({ steps, ...shown }: PlanShown | Omit<PlanMade, "unanswered">) => ({
  ...shown,
  counts: countsOf(shown.plan.answers),
  steps: steps.map(stepJson),
});

export const plansJson = (plans: readonly PlanListed[]) => ({
  plans: plans.map(
    ({ applied, closed, counts, does, environment, id, observedAt, requester, status, steps, verdict }) => ({
      by: requester.id,
      ...present({ closed }),
      counts,
      does,
      environment,
      id,
      ...present({ observedAt }),
      status,
      stepCount: steps.size,
      triedCount: applied,
      verdictKind: verdict,
    }),
  ),
});

export const driftJson = ({ registered, ...drift }: Omit<Drift, "unanswered">) => ({
  ...drift,
  counts: countsOf(drift.answers),
  desiredDigest: registered,
});

/** With the words that a reader is shown; `weighed` is what came of each rule. */
const explanationJson = (explanation: Explanation, catalogue?: Catalogue) => {
  const { effect, facts: lines, rules: weighed, undo } = explanationInWords(explanation, catalogue);
  return { explanation, inWords: { effect, lines, undo, weighed } };
};

export const explainedJson = ({ asShown, challenge, compared, explanation, of, shown, tier }: AnswerExplained) => ({
  ...explanationJson(explanation, asShown?.catalogue),
  ...present({
    // The ledger holds the catalogue, under its digest.
    asShown:
      asShown === undefined
        ? undefined
        : {
            agreements: asShown.agreements,
            at: asShown.at,
            by: asShown.by,
            invited: asShown.invited,
            ...asShown.record,
            words: asShown.words,
          },
    challenge,
    compared,
    progress: shown === undefined ? undefined : stepJson(shown),
    step: of.step,
    tier,
  }),
  environment: of.environment,
  planId: of.plan,
});

/** As whoever decides on a step reads it; what they would be answered stands under `against…`. */
export const reviewedJson = (reviewed: StepReviewed) => {
  const { against, approvals, denials, explanation, intent, of, requester, shown, uncounted, words } = reviewed;
  return {
    againstApproval: refusalsJson(against.approve, shown.where),
    againstChallenge: refusalsJson(against.challenge, shown.where),
    againstDenial: refusalsJson(against.deny, shown.where),
    approvalsGiven: approvals,
    denialsGiven: denials,
    environment: of.environment,
    ...explanationJson(explanation),
    ...present({ attempt: intent === undefined ? undefined : intentJson(intent) }),
    planHash: of.planHash,
    planId: of.plan,
    progress: stepJson(shown),
    requester,
    step: of.step,
    uncounted,
    words,
  };
};

/** Of a plan in a file nobody knows the approval mode, so that there is a row for each. */
export const explainedFileJson = (explanation: Explanation, agreements: readonly TierAgreement[]) => ({
  ...explanationJson(explanation),
  ...(agreements[0] === undefined ? {} : { agreements, tier: agreements[0].tier }),
});

export const auditJson = (file: PlanFile, explanations: readonly Explanation[], observedAndNotDesired: number) => ({
  ...planFileJson(file),
  explanations: explanations.map((explanation) => explanationJson(explanation)),
  observedAndNotDesired,
});
