// How an intent goes on and ends: dispatched, its outcome, recovery after a crash, reconciliation by a fresh
// observation.
//
// An outcome is taken once; one that comes after a recovery is kept as a late fact and unblocks nothing. A live owner's
// intent is never recovered early. Keeps P7-E2, P7-F2, P7-F3.

import type { Ulid } from "../../ledger/record/record.ts";
import type { Observation, Refusal, Vmid } from "../../spine/model.ts";
import { believe } from "../../spine/plan/belief.ts";
import { refuse, refuseStated } from "../../spine/rules/refusals.ts";
import type { Command } from "../command/request.ts";
import { DONE, refused, unless } from "../command/result.ts";
import { find } from "../state/persistent-map.ts";
import { recall } from "../state/recent.ts";
import { isGone } from "../state/recovery.ts";
import { type IntentState, openIntent } from "../state/state.ts";
import { liveObservation, reasonRefusal } from "./grounds.ts";
import type { Decider } from "./rulebook.ts";

const unknownIntent = (id: Ulid): Refusal => refuse("intent-unknown", { cause: "absent", facts: { intent: id } });

/** Only the process that made the intent speaks of it; to another one it is no intent of its own. */
const foreignIntent = (intent: IntentState, { instance }: Command): Refusal | undefined =>
  intent.owner === instance ? undefined : refuse("intent-unknown", { cause: "foreign", facts: { intent: intent.id } });

/** What is said of an intent is said in its own environment. keeps B3 */
const elsewhereRefusal = ({ environment: of }: IntentState, { environment }: Command): Refusal | undefined =>
  of === environment ? undefined : refuse("plan-foreign", { cause: "intent", facts: { of } });

export const decideDispatched: Decider<"dispatched"> = (state, command) => {
  const { request } = command;
  const intent = openIntent(state, request.intent) ?? recall(state.intents, request.intent);
  return intent === undefined
    ? refused(unknownIntent(request.intent))
    : unless([foreignIntent(intent, command), elsewhereRefusal(intent, command)], () => DONE);
};

const saidRefusal = ({ said }: { readonly said?: string }): Refusal | undefined =>
  said === undefined ? undefined : reasonRefusal(said);

export const decideOutcome: Decider<"outcome"> = (state, command) => {
  const { request } = command;
  const open = openIntent(state, request.intent);
  const intent = open ?? recall(state.intents, request.intent);
  if (intent === undefined) return refused(unknownIntent(request.intent));
  return unless(
    [
      foreignIntent(intent, command),
      elsewhereRefusal(intent, command),
      saidRefusal(request),
      ...(request.diagnostics ?? []).map(saidRefusal),
    ],
    () => ({ result: { kind: "ended", late: open === undefined } }),
  );
};

export const decideRecovery: Decider<"recover"> = (state, command, at) => {
  const { instance, request } = command;
  const intent = openIntent(state, request.intent);
  if (intent === undefined) return refused(unknownIntent(request.intent));
  const { ground } = request;
  const isOver = ground === "past-settle-by" ? at > intent.settleBy : isGone(intent, instance, ground, at);
  return unless([elsewhereRefusal(intent, command), isOver ? undefined : aliveRefusal(intent)], () => ({
    result: { kind: "ended", late: false },
  }));
};

const aliveRefusal = ({ id, settleBy, vmid }: IntentState): Refusal =>
  refuse("owner-alive", { facts: { intent: id, settleBy }, vmid });

/**
 * What is, is taken from a recorded live observation and never from the caller; it is made and judged after the settle
 * time.
 */
export const decideReconcile: Decider<"reconcile"> = (state, command) => {
  const { environment, request } = command;
  const blocked = find(state.blocked, ({ id }) => id === request.intent);
  if (blocked === undefined || blocked.environment !== environment) {
    return refused(refuse("vm-not-blocked", { cause: "intent", facts: { intent: request.intent } }));
  }
  const shown = liveObservation(state, command, request.observation);
  if ("kind" in shown) return refused(shown);
  const { recorded, observation } = shown;
  const { settleBy, vmid } = blocked;
  // By the process clock: what its provider says of the time is not compared with a deadline of ours. What was observed
  // after the settle time is judged after it too: nothing is judged before the head, and a clock that is set right
  // voids it.
  const isEarly = recorded.observedAt === undefined || recorded.at <= settleBy;
  // What is seen before its time ends nothing, however clear it is.
  const against = isEarly ? refuse("reconcile-early", { facts: { settleBy }, vmid }) : unclearIn(observation, vmid);
  return unless([against], () => DONE);
};

const unclearIn = (observation: Observation, vmid: Vmid): Refusal | undefined => {
  const state = observation.vms.find((one) => one.vmid === vmid);
  const belief = believe(state, observation);
  const stated = belief.kind === "unknown" ? belief.because : state?.blockers?.find(({ actions }) => actions === "all");
  return stated === undefined ? undefined : refuseStated("reconcile-unclear", stated, { facts: {}, vmid });
};
