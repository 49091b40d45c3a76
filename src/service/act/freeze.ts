// freeze and unfreeze: stop every change in an environment or everywhere, and lift that, as recorded acts.

import { openIntents } from "../../kernel/state/recovery.ts";
import { refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { IntentShown } from "../read/intent-shown.ts";
import { answerWith, type ServiceAct } from "./act.ts";

/** Without an environment: everything. */
export type FreezeRequest = { readonly environment?: string; readonly reason: string };
export type FreezeRecorded = {
  readonly by: string;
  readonly environment: string | null;
  /** What was claimed before, and is on its way. */
  readonly inFlight: readonly IntentShown[];
  readonly kind: "freeze" | "unfreeze";
  readonly seq: number;
};

const acting = (kind: "freeze" | "unfreeze"): ServiceAct<FreezeRequest, FreezeRecorded> => {
  const act: ServiceAct<FreezeRequest, FreezeRecorded> = {
    ...(kind === "freeze" ? { isBrake: true } : {}),
    perform: async (session, { environment, reason }) => {
      const at = environment === undefined ? undefined : environmentAt(environment, session.desk);
      if (at !== undefined && "code" in at) return refusedInput([at]);
      const asked = await session.answer({ kind, reason }, at === undefined ? {} : { environment: at.name });
      return answerWith(session, asked, act.valueIn);
    },
    valueIn: async ({ state }, { actor, environment = null, seq }) => ({
      by: actor.id,
      environment,
      inFlight: openIntents(state),
      kind,
      seq,
    }),
  };
  return act;
};

export const freezeEnvironment = acting("freeze");
export const unfreezeEnvironment = acting("unfreeze");
