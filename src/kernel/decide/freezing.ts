// Freezing and lifting, of one environment or of everything: an operator's act, with a reason.

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { DONE, unless } from "../command/result.ts";
import { get } from "../state/persistent-map.ts";
import { EVERYWHERE, type Freezes, type State } from "../state/state.ts";
import { environmentRefusal, reasonRefusal } from "./grounds.ts";
import type { Decider } from "./rulebook.ts";

export const decideFreeze: Decider<"freeze" | "unfreeze"> = (state, command) => {
  const { environment, kind, request } = command;
  const isLifting = kind === "unfreeze";
  const absent =
    isLifting && get(state.freezes, environment ?? EVERYWHERE) === undefined ? absentRefusal(environment) : undefined;
  const unknown = environment === undefined || isLifting ? undefined : environmentRefusal(state, command);
  return unless([unknown, reasonRefusal(request.reason), absent], () => DONE);
};

const absentRefusal = (environment: string | undefined): Refusal =>
  environment === undefined
    ? refuse("freeze-absent", { cause: "everything" })
    : refuse("freeze-absent", { cause: "environment", facts: { environment } });

/** The refusal, while this environment or everything is frozen: by the oldest freeze, and how many more there are. */
export const freezeOf = ({ freezes }: State, environment: string | undefined): Refusal | undefined => {
  const whole = get(freezes, EVERYWHERE);
  if (whole !== undefined) {
    const facts = frozenFacts(whole);
    return "others" in facts
      ? refuse("frozen", { cause: "everything-again", facts })
      : refuse("frozen", { cause: "everything", facts });
  }
  const here = environment === undefined ? undefined : get(freezes, environment);
  if (environment === undefined || here === undefined) return undefined;
  const facts = { ...frozenFacts(here), environment };
  return "others" in facts
    ? refuse("frozen", { cause: "environment-again", facts })
    : refuse("frozen", { cause: "environment", facts });
};

const frozenFacts = ([{ at, by, reason }, ...others]: Freezes) => {
  const first = { by, reason, since: at };
  const count = others.reduce((sum, { leftOut = 0 }) => sum + leftOut, others.length);
  return count === 0 ? first : { ...first, others: count };
};
