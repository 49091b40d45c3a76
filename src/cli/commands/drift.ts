// dedalus drift: what differs from what is registered, by an observation made now. It records nothing and closes no
// plan.

import { driftJson } from "../../service/json/plan-answer-json.ts";
import { environmentIn } from "../arguments/vmids.ts";
import { askService, unlessUnanswered } from "../asking/at-service.ts";
import { exitOf } from "../asking/judge.ts";
import type { CommandRun } from "../command.ts";
import { findDesiredHere } from "../files/desired-here.ts";
import { driftLines } from "../views/view-drift.ts";

export const run: CommandRun = (given, io) => {
  const request = environmentIn(given);
  return askService(
    given,
    io,
    ({ drift }) => drift,
    request,
    async ({ value: { unanswered, ...value } }) => {
      const { desiredFile, environment, registered } = value;
      const here = await findDesiredHere(given, io, environment, { file: desiredFile?.file, registered });
      return unlessUnanswered(environment, unanswered, {
        exit: exitOf({ plan: value, verdict: value.verdict }),
        json: driftJson(value),
        text: (style) => driftLines(value, style, here),
      });
    },
    request.environment,
  );
};
