// From the files an operator names to a judged plan: the arguments that plan and audit share, and what a plan exits
// with.

import { type Judged, judgeRecorded } from "../../service/judge-recorded.ts";
import type { Plan, PlanFile } from "../../spine/model.ts";
import { countsOf, isRefusedWhole } from "../../spine/values/counts.ts";
import { openReplay } from "../../wire.ts";
import { scopeOf } from "../arguments/vmids.ts";
import type { Arguments } from "../command.ts";
import type { Exit } from "../exit-codes.ts";
import { atOption, badInput } from "../failed-outcome.ts";
import type { Outcome } from "../outcome.ts";
import type { Io } from "../process/io.ts";
import { watchOf } from "./watch.ts";

export const judgeFiles = async (given: Arguments, io: Io): Promise<Judged | Outcome> => {
  const files = {
    desired: given.text.get("desired") ?? "",
    folder: io.folder,
    isComplete: given.flags.has("complete"),
    observation: given.text.get("replay") ?? "",
    scope: scopeOf(given.text.get("only")),
  };
  const judged = await judgeRecorded(files, openReplay, watchOf(io));
  return judged.kind === "refused" ? badInput(judged.refusals.map(atOption)) : judged;
};

/**
 * What is called refused exits as refused, whatever else it says. Otherwise steps and what waits for a restart are what
 * differs.
 */
export const exitOf = ({
  plan,
  verdict,
}: { readonly plan: Pick<Plan, "answers"> } & Pick<PlanFile, "verdict">): Exit => {
  const counts = countsOf(plan.answers);
  if (isRefusedWhole(verdict, counts)) return "refused";
  return counts.differ + counts.awaitingRestart > 0 ? "steps" : "done";
};
