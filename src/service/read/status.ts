// How things stand: what policies tighten, what waits for approval, open intents, blocked VMs, freezes, the last
// outcomes and observations. A value for every door to show; it reads, and disturbs nothing.

import { entries } from "../../kernel/state/persistent-map.ts";
import { recentEntries } from "../../kernel/state/recent.ts";
import { openIntents } from "../../kernel/state/recovery.ts";
import {
  EVERYWHERE,
  type Freeze,
  type IntentState,
  type PlanState,
  type ReAnchored,
  type State,
} from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Instant, Refusal, Vmid } from "../../spine/model.ts";
import type { Policy } from "../../spine/plan/policy.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import type { IntentShown } from "./intent-shown.ts";
import type { VmRef } from "./vm-references.ts";
import type { StepsToDecide } from "./waiting.ts";

/** Of everything, or of one environment or VM. A freeze of everything is one of each environment too. */
export type StatusRequest = { readonly environment?: string; readonly vmid?: VmRef };

export type FreezeShown = Omit<Freeze, "leftOut"> & {
  /** Absent where everything is frozen. */
  readonly environment?: string;
  /** As it is called where people are told of it. */
  readonly where: string;
};
export type ObservationSeen = {
  readonly environment: string;
  readonly id: string;
  readonly observedAt?: Instant;
};
export type StateShown = {
  readonly blocked: readonly IntentShown[];
  readonly freezes: readonly FreezeShown[];
  readonly last: readonly IntentShown[];
  readonly observations: readonly ObservationSeen[];
  readonly open: readonly IntentShown[];
  readonly reAnchored?: ReAnchored;
  readonly records: number;
};
export type LedgerStatus = StateShown & {
  readonly at: Instant;
  /**
   * Open intents whose time is over: what became of them is unknown until a request that writes, or reconcile, says so.
   */
  readonly overdue: readonly Ulid[];
  /** Of open plans: the steps that lack approvals, and those that have them and the caller may apply. */
  readonly approved: StepsToDecide["approved"];
  readonly waiting: StepsToDecide["waiting"];
  readonly policies: readonly ({ readonly environment: string } & Pick<Policy, "tighten">)[];
};

export const showStatus = async (
  reading: Reading,
  { environment, vmid: ref }: StatusRequest,
): Promise<LedgerStatus | RefusedAnswer> => {
  const { at, desk, state } = reading;
  const where = environment === undefined ? undefined : environmentAt(environment, desk);
  if (where !== undefined && "code" in where) return refusedInput([where]);
  const vmid = ref === undefined ? undefined : await vmidOf(ref, reading, environment);
  if (typeof vmid === "object") return refusedInput([vmid]);
  const policies = Array.from(desk.policies, ([name, { tighten }]) => ({ environment: name, tighten })).filter(
    (one) => environment === undefined || one.environment === environment,
  );
  const shown = stateShownIn(state, environment, vmid);
  const overdue = shown.open.filter(({ settleBy }) => at > settleBy).map(({ id }) => id);
  const open = plansToApprove(state, environment);
  // What decides is loaded where there is something to judge.
  const { approved, waiting } =
    open.length === 0
      ? { approved: [], waiting: [] }
      : await (await import("./waiting.ts")).listStepsToDecide(reading, open, vmid);
  return { approved, at, overdue, policies, waiting, ...shown };
};

/** What an agent applies needs a person's approval whatever it is, also where a person's own would need none. */
const mayWait = ({ requester, verdict }: PlanState): boolean =>
  verdict === "needs-approval" || (verdict === "clear" && requester.kind === "agent");

/** How VMs are called is read where somebody names one. */
const vmidOf = async (
  ref: VmRef,
  { ledger, state }: Reading,
  environment: string | undefined,
): Promise<Vmid | Refusal> => {
  const [{ readKnownVms }, { resolveVm }] = await Promise.all([import("./known-vms.ts"), import("./vm-references.ts")]);
  return resolveVm(ref, await readKnownVms(ledger.engine, state, environment));
};

/** Oldest first. */
export const plansToApprove = (state: State, environment: string | undefined): readonly PlanState[] =>
  Array.from(recentEntries(state.plans), ([, plan]) => plan)
    .filter((plan) => plan.closed === undefined && mayWait(plan))
    .filter((plan) => environment === undefined || plan.environment === environment)
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** The same of any state, also of one long ago. */
export const stateShownIn = (state: State, environment?: string, vmid?: Vmid): StateShown => {
  const concerns = (intent: IntentState): boolean =>
    (vmid === undefined || intent.vmid === vmid) && (environment === undefined || intent.environment === environment);
  const observations = new Map<string, { readonly id: string; readonly observedAt?: Instant }>();
  for (const [id, observation] of recentEntries(state.observations)) {
    const known = observations.get(observation.environment);
    if (known === undefined || known.id < id)
      observations.set(observation.environment, {
        id,
        ...present({ observedAt: observation.observedAt }),
      });
  }
  return {
    blocked: Array.from(entries(state.blocked), ([, intent]) => intent)
      .filter(concerns)
      .sort(byVm),
    freezes: Array.from(entries(state.freezes))
      .filter(([where]) => environment === undefined || where === environment || where === EVERYWHERE)
      .flatMap(([where, freezes]) =>
        freezes.map(({ leftOut: _, ...freeze }) =>
          where === EVERYWHERE ? { ...freeze, where: "everything" } : { ...freeze, environment: where, where },
        ),
      ),
    last: Array.from(recentEntries(state.intents), ([, intent]) => intent)
      .filter(concerns)
      .sort(byId)
      .slice(-LAST_MAX),
    observations: Array.from(observations, ([where, observation]) => ({ ...observation, environment: where })).filter(
      (observation) => environment === undefined || observation.environment === environment,
    ),
    open: openIntents(state).filter(concerns),
    ...present({ reAnchored: state.reAnchored }),
    records: state.size,
  };
};

const LAST_MAX = 10;
const byVm = (a: IntentState, b: IntentState): number => a.vmid - b.vmid;
const byId = (a: IntentState, b: IntentState): number => (a.id < b.id ? -1 : 1);
