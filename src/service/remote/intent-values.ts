// Intents, and how things stand, as the service had them before they were printed (service/json/intent-json.ts).

import { present } from "../../spine/values/present.ts";
import type { intentFoundJson, intentJson, stateJson, statusJson } from "../json/intent-json.ts";
import type { IntentFound, IntentShown } from "../read/intent-shown.ts";
import type { LedgerStatus, StateShown } from "../read/status.ts";

export const intentFrom = ({ planId, step, ...rest }: ReturnType<typeof intentJson>): IntentShown => ({
  ...rest,
  index: step - 1,
  plan: planId,
});

export const intentFoundFrom = ({ result, ...intent }: ReturnType<typeof intentFoundJson>): IntentFound => ({
  ...intentFrom(intent),
  ...present({ result }),
});

export const stateFrom = (body: ReturnType<typeof stateJson>): StateShown => {
  const { blocked, freezes, last, observations, open, reAnchored, size: records } = body;
  return {
    blocked: blocked.map(intentFrom),
    freezes: freezes.map((freeze) => ({ ...freeze, where: freeze.environment ?? "everything" })),
    last: last.map(intentFrom),
    observations,
    open: open.map(intentFrom),
    ...present({ reAnchored }),
    records,
  };
};

export const statusFrom = ({
  approved,
  at,
  overdue,
  policies,
  waiting,
  ...state
}: ReturnType<typeof statusJson>): LedgerStatus => ({
  approved: approved.map(({ by, planId, ...step }) => ({ ...step, plan: planId, requester: by })),
  at,
  overdue,
  policies,
  ...stateFrom(state),
  waiting: waiting.map(({ approvalRequests, by, explanationHash, planId, ...step }) => ({
    ...step,
    asked: approvalRequests,
    ...present({ explanation: explanationHash }),
    plan: planId,
    requester: by,
  })),
});
