// Intents, and how things stand, as a door prints them: what an operator can use, without what only the kernel needs
// (who owns an intent, what its claim was counted on).

import { present } from "../../spine/values/present.ts";
import type { IntentFound, IntentShown } from "../read/intent-shown.ts";
import type { LedgerStatus, StateShown } from "../read/status.ts";

/** The step by its number from 1, as everybody names it. */
export const intentJson = ({
  action,
  end,
  environment,
  id,
  index,
  name,
  plan,
  reference,
  sendBy,
  settleBy,
  vmid,
}: IntentShown) => ({
  action,
  ...present({ end }),
  environment,
  id,
  name,
  planId: plan,
  ...present({ reference }),
  sendBy,
  settleBy,
  step: index + 1,
  vmid,
});

/** Asked for on its own, with its result once it ended. */
export const intentFoundJson = ({ result, ...intent }: IntentFound) => ({
  ...intentJson(intent),
  ...present({ result }),
});

export const stateJson = ({ blocked, freezes, last, observations, open, reAnchored, records }: StateShown) => ({
  blocked: blocked.map(intentJson),
  /** Without an environment it is of everything. */
  freezes: freezes.map(({ where: _, ...freeze }) => freeze),
  last: last.map(intentJson),
  observations,
  open: open.map(intentJson),
  ...present({ reAnchored }),
  size: records,
});

export const statusJson = ({ approved, at, overdue, policies, waiting, ...state }: LedgerStatus) => ({
  approved: approved.map(({ plan, requester, ...step }) => ({ ...step, by: requester, planId: plan })),
  at,
  ...stateJson(state),
  overdue,
  policies,
  waiting: waiting.map(({ asked, explanation, plan, requester, ...step }) => ({
    ...step,
    approvalRequests: asked,
    by: requester,
    ...present({ explanationHash: explanation }),
    planId: plan,
  })),
});
