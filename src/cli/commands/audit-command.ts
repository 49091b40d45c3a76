// dedalus audit: the whole account, one explanation for every desired VM in scope. It changes nothing.
//
// Observed VMs that are not desired are counted and not listed: nothing is discovered here. Keeps N3.

import type { Explanation, PlanFile } from "../../spine/model.ts";
import { explainAnswer } from "../../spine/plan/explain.ts";
import { explanationInWords } from "../../spine/words/explanation-in-words.ts";
import type { Run } from "../command.ts";
import { badInput } from "../failure.ts";
import { exitOf, type Judged, judge } from "../judge.ts";
import { agreementsIn } from "../tiers.ts";
import { explanationLines, planLines } from "../views/view-plan.ts";

export const run: Run = async (given, io) => {
  const judged = await judge(given, io);
  if (judged.kind === "bad") return badInput(judged.refusals);
  const { file } = judged;
  const explanations = explanationsOf(file);
  const others = othersIn(judged);
  return {
    exit: exitOf(file),
    json: {
      explanations: explanations.map((one) => ({ ...one, text: explanationInWords(one) })),
      observedAndNotDesired: others,
      ...file,
    },
    text: (paint) => [
      ...explanations.flatMap((one) => [
        ...explanationLines(one, agreementsIn(file.verdict, one.step?.hash), paint),
        "",
      ]),
      `${others} observed VMs have no desired entry: out of scope`,
      ...planLines(file, paint),
    ],
  };
};

const explanationsOf = ({ plan, verdict }: PlanFile): readonly Explanation[] =>
  plan.answers.flatMap((answer) =>
    answer.vmid === undefined ? [] : [explainAnswer(plan, verdict, answer, answer.vmid)],
  );

const othersIn = ({ observed, desired }: Judged): number => {
  const vmids = new Set<number>(desired.entries.map(({ vmid }) => vmid));
  return observed.observation.vms.filter(({ vmid }) => !vmids.has(vmid)).length;
};
