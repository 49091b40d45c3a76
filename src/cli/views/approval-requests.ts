// Why people were asked to decide on a step, as lines: in quotes that the words cannot leave, under the name of whoever
// wrote them.

import type { ApprovalRequest } from "../../kernel/state/state.ts";
import { visible } from "../../spine/values/invisible.ts";

/** `reason given by robo: "the disk is full"` */
export const requestLines = (asked: readonly ApprovalRequest[]): readonly string[] =>
  asked.flatMap(({ by, reason }) =>
    reason === undefined ? [] : [`reason given by ${visible(by)}: ${JSON.stringify(visible(reason))}`],
  );
