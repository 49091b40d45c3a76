// dedalus freeze and unfreeze: stop every change in an environment or everywhere, and lift that, as recorded acts.

import { freezeJson } from "../../service/json/act-json.ts";
import { askService } from "../asking/at-service.ts";
import type { CommandRun } from "../command.ts";
import { frozenLines, unfrozenLines } from "../views/view-act.ts";

const acting =
  (kind: "freeze" | "unfreeze"): CommandRun =>
  (given, io) => {
    const environment = given.text.get("env");
    const reason = given.text.get("reason") ?? "";
    return askService(
      given,
      io,
      (service) => service[kind],
      environment === undefined ? { reason } : { environment, reason },
      ({ value }) => ({
        exit: "done",
        json: freezeJson(value),
        text: (style) => (kind === "freeze" ? frozenLines(value, style) : unfrozenLines(value)),
      }),
    );
  };

export const freeze = acting("freeze");
export const unfreeze = acting("unfreeze");
