// Freezing and lifting, of one environment or of everything: an operator's act, with a reason.

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type Decider, DONE, unless } from "../command/result.ts";
import { get } from "../state/persistent-map.ts";
import { EVERYWHERE, type State } from "../state/state.ts";
import { environmentRefusal, reasonRefusal } from "./grounds.ts";

export const decideFreeze: Decider<"freeze" | "unfreeze"> = (state, command) => {
  const { environment, kind, request } = command;
  const isLifting = kind === "unfreeze";
  const absent =
    isLifting && get(state.freezes, environment ?? EVERYWHERE) === undefined
      ? refuse("freeze-absent", { because: `${environment ?? "everything"} is not frozen` })
      : undefined;
  const unknown = environment === undefined || isLifting ? undefined : environmentRefusal(state, command);
  return unless([unknown, reasonRefusal(request.reason), absent], () => DONE);
};

/** The refusal, while this environment or everything is frozen. */
export const freezeOf = ({ freezes }: State, environment: string | undefined): Refusal | undefined => {
  const freeze = get(freezes, EVERYWHERE) ?? (environment === undefined ? undefined : get(freezes, environment));
  return freeze === undefined
    ? undefined
    : refuse("frozen", { because: `${freeze.by} froze it: ${freeze.reason}`, facts: { since: freeze.at } });
};
