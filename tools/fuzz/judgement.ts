// What must hold of every plan that anybody can bring about with texts: it answers for every entry, stands on nothing
// that was not certain, is the same in any order of the input, and every answer can be explained.
//
// The rules are said here a second time, from the states and entries themselves, never by asking the planner.

import type { DesiredVm, Observation, Plan, PlanStep, Verdict } from "../../src/spine/model.ts";
import { desiredStateOf } from "../../src/spine/plan/desired-state.ts";
import { explain } from "../../src/spine/plan/explain.ts";
import { plan } from "../../src/spine/plan/plan.ts";
import { NO_POLICY } from "../../src/spine/plan/policy.ts";
import { safety } from "../../src/spine/plan/safety.ts";
import { rowOf } from "../../src/spine/rules/actions.ts";
import { isSha256 } from "../../src/spine/values/hash.ts";
import { observe } from "../../src/spine/values/observation.ts";
import { explanationInWords } from "../../src/spine/words/steps/explanation-in-words.ts";
import { GROUND } from "./corpus.ts";
import { objectionsToRefusal, unprintable } from "./objections.ts";

type Desired = { readonly environment: string; readonly vms: readonly DesiredVm[] };

export const objectionsToPlanning = (desired: Desired, observation: Observation): readonly string[] => {
  const made = judged(desired, observation);
  if (made === undefined) return ["an accepted desired file whose entries are refused"];
  const reversed = judged(
    { ...desired, vms: desired.vms.toReversed() },
    { ...observation, vms: observation.vms.toReversed() },
  );
  return [
    ...(reversed?.plan.hash === made.plan.hash ? [] : ["a plan that depends on the order of its input"]),
    ...unanswered(made.plan, desired.vms),
    ...made.plan.answers.flatMap((answer) => (answer.kind === "step" ? unfounded(answer, desired, observation) : [])),
    ...allowedWrongly(made.plan, made.verdict),
    ...unsaid(made.plan, made.verdict),
  ];
};

const judged = (
  file: Desired,
  observation: Observation,
): { readonly plan: Plan; readonly verdict: Verdict } | undefined => {
  const desired = desiredStateOf(file.environment, file.vms);
  if ("kind" in desired) return undefined;
  const made = plan(desired, observe(observation), "all", GROUND);
  return { plan: made, verdict: safety(made, NO_POLICY) };
};

const unanswered = ({ answers }: Plan, entries: readonly DesiredVm[]): readonly string[] => {
  const asked = entries.map(({ vmid }) => vmid).toSorted((a, b) => a - b);
  const isEach = answers.length === asked.length && answers.every(({ vmid }, at) => vmid === asked[at]);
  return isEach ? [] : ["an entry without exactly one answer in order"];
};

const unfounded = (step: PlanStep, desired: Desired, observation: Observation): readonly string[] => {
  const [state, ...more] = observation.vms.filter(({ vmid }) => vmid === step.vmid);
  const entry = desired.vms.find(({ vmid }) => vmid === step.vmid);
  const objections = [
    ...(desired.environment === observation.environment ? [] : ["another environment"]),
    ...(state === undefined ? ["a VM that was not seen"] : []),
    ...(more.length > 0 ? ["a VM that was listed twice"] : []),
    ...(state?.status === "unknown" ? ["a VM whose state is unknown"] : []),
    ...(entry === undefined ? ["a VM that is not desired"] : []),
    ...(state?.name === entry?.name ? [] : ["a VM with another name"]),
    ...(entry?.identity === undefined || entry.identity === state?.identity ? [] : ["a VM of another identity"]),
  ];
  return objections.map((what) => `a step on ${what}`);
};

const allowedWrongly = ({ answers, observation }: Plan, verdict: Verdict): readonly string[] => {
  if (verdict.kind === "refused") return [];
  const isProductionTouched = answers.some(
    (answer) => answer.kind === "step" && /^prod-/i.test(answer.name) && !rowOf(answer.action.kind).onProtected,
  );
  return [
    ...(observation.complete ? [] : ["an incomplete observation that safety let pass"]),
    ...(answers.some((answer) => answer.kind === "refusal" && answer.code === "vm-unknown")
      ? ["an unknown VM that safety let pass"]
      : []),
    ...(isProductionTouched ? ["a production VM that safety let be touched"] : []),
  ];
};

/** Every answer can be explained, in words that are safe to print. */
const unsaid = (made: Plan, verdict: Verdict): readonly string[] => [
  ...(verdict.kind === "refused" ? verdict.refusals.flatMap(objectionsToRefusal) : []),
  ...made.answers.flatMap((answer) => {
    if (answer.kind === "refusal")
      return answer.vmid === undefined ? ["an answer for no VM"] : objectionsToRefusal(answer);
    const explanation = explain(made, verdict, answer.vmid);
    if (explanation === undefined || !isSha256(explanation.hash)) return ["an answer that is not explained"];
    const { effect, facts, rules, undo } = explanationInWords(explanation);
    return unprintable("an explanation", [effect, undo, ...facts, ...rules.map(({ evidence }) => evidence)]);
  }),
];
