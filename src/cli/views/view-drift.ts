// Drift as a list for people: what differs first, by vmid, then how many do not.

import type { Drift } from "../../service/read/drift.ts";
import type { PlanAnswer } from "../../spine/model.ts";
import { countsOf } from "../../spine/values/counts.ts";
import { gapText } from "../../spine/words/causes/observation-words.ts";
import { driftText } from "../../spine/words/remarks/drift-words.ts";
import { whenText } from "./age.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";
import { desiredFileSeenLines, unreadHereLines } from "./view-desired-file.ts";
import { refusalLines } from "./view-refusal.ts";
import { refusedRows, type VmRows, vmLines } from "./view-vm.ts";

export const driftLines = (
  { answers, desiredFile, environment, gaps, observedAt, verdict }: Omit<Drift, "unanswered">,
  style: TextStyle,
  { isElsewhere, unread }: { readonly isElsewhere: boolean; readonly unread?: string },
): readonly string[] => {
  const { awaitingRestart, differ, inSync, refused } = countsOf(answers);
  const counts = `${differ + awaitingRestart} drifted, ${refused} refused, ${inSync} in sync`;
  return [
    ...vmLines(answers.flatMap((answer) => answerRows(answer, environment, style))),
    ...gaps.map((gap) => ` ${signText("unknown", style)} ${gapText(gap)}`),
    ...(verdict.kind === "refused"
      ? verdict.refusals.flatMap((refusal) => refusalLines(refusal, style, { where: { environment } }))
      : []),
    `${style.bold(`${environment}: ${counts}`)}${observedAt === undefined ? "" : `, observed ${whenText(observedAt, style)}`}`,
    ...(desiredFile === undefined ? [] : desiredFileSeenLines(environment, desiredFile, style, isElsewhere)),
    ...(unread === undefined ? [] : unreadHereLines(environment, unread, style)),
  ];
};

const answerRows = (answer: PlanAnswer, environment: string, style: TextStyle): readonly VmRows[] => {
  switch (answer.kind) {
    case "in-sync":
      return [];
    case "step":
      return [{ next: [], row: [` ${signText("change", style)} ${answer.vmid}`, driftText(answer)] }];
    case "refusal":
      return [refusedRows(answer, style, { environment })];
  }
};
