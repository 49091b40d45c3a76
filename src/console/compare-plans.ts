// What moved between two plans: for each VM what one answered and the other does, where that is not the same, and which
// of the things that they stand on are others. It compares what the service said, and judges neither.

import { seenStep } from "../boundary/contract/seen-plan.ts";
import type { AnswerBodies } from "../boundary/contract/typed-answers.ts";

type Compared = Pick<AnswerBodies["showPlan"], "plan" | "verdict">;
type Answer = Compared["plan"]["answers"][number];

/** Absent on the side that does not answer for the VM. */
export type AnswerMoved = { readonly now?: string; readonly vmid: number; readonly was?: string };
export type PlansCompared = {
  readonly answers: readonly AnswerMoved[];
  readonly grounds: readonly string[];
};

/** Two steps with the same text may still stand on another state of the VM: their hashes say so. */
const sameness = (answer: Answer): string => {
  if (answer.kind === "step") return answer.hash;
  if (answer.kind === "refusal") return JSON.stringify([answer.code, answer.cause, answer.facts]);
  return answer.kind;
};

const textOf = (answer: Answer): string => {
  if (answer.kind === "in-sync") return "in sync";
  if (answer.kind === "refusal") return `refused: ${answer.code} (${answer.rule})`;
  const { action, told } = seenStep(answer);
  return `${action} ${told.join(", ")}, step ${answer.hash.slice(0, 6)}`;
};

const byVm = ({ plan }: Compared): ReadonlyMap<number, Answer> =>
  new Map(
    plan.answers.flatMap((answer) => (answer.vmid === undefined ? [] : [[answer.vmid as number, answer] as const])),
  );

const GROUNDS = {
  desired: "desired state",
  environment: "section of the environment",
  observation: "observation",
  policy: "policy",
  rules: "rules version",
} as const satisfies Readonly<Record<keyof Compared["plan"]["standsOn"], string>>;

export const comparePlans = (was: Compared, now: Compared): PlansCompared => {
  const [before, after] = [byVm(was), byVm(now)];
  const vmids = [...new Set([...before.keys(), ...after.keys()])].sort((one, other) => one - other);
  const answers = vmids.flatMap((vmid): readonly AnswerMoved[] => {
    const [one, other] = [before.get(vmid), after.get(vmid)];
    if (one !== undefined && other !== undefined && sameness(one) === sameness(other)) return [];
    return [{ ...(other && { now: textOf(other) }), vmid, ...(one && { was: textOf(one) }) }];
  });
  const moved = (Object.keys(GROUNDS) as readonly (keyof typeof GROUNDS)[]).filter(
    (key) => was.plan.standsOn[key] !== now.plan.standsOn[key],
  );
  const grounds = [
    ...(was.plan.environment === now.plan.environment ? [] : ["environment"]),
    ...(JSON.stringify(was.plan.scope) === JSON.stringify(now.plan.scope) ? [] : ["scope"]),
    ...(was.verdict.kind === now.verdict.kind ? [] : ["verdict"]),
    ...moved.map((key) => GROUNDS[key]),
  ];
  return { answers, grounds };
};
