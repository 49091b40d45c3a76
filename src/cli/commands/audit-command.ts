// dedalus audit: the whole account, one explanation for every desired VM in scope. It changes nothing.
//
// Observed VMs that nobody wrote down are counted and not listed: nothing is discovered here.

import { auditJson } from "../../service/json/plan-answer-json.ts";
import { accountOf } from "../../service/judge-recorded.ts";
import { agreementsIn } from "../../service/read/plan-tiers.ts";
import { exitOf, judgeFiles } from "../asking/judge.ts";
import type { CommandRun } from "../command.ts";
import { explanationLines, planLines } from "../views/view-plan.ts";

export const run: CommandRun = async (given, io) => {
  const judged = await judgeFiles(given, io);
  if ("exit" in judged) return judged;
  const { file } = judged;
  const { explanations, observedAndNotDesired } = accountOf(judged);
  return {
    exit: exitOf(file),
    json: auditJson(file, explanations, observedAndNotDesired),
    text: (style) => [
      ...explanations.flatMap((one) => [
        ...explanationLines(one, { agreements: agreementsIn(file.verdict, one.step?.hash), invited: [] }, style),
        "",
      ]),
      `${observedAndNotDesired} observed VMs have no desired entry: out of scope`,
      ...planLines(file, style),
    ],
  };
};
