// fleet: every registered VM of every configured environment that the caller sees, what is desired of it beside what
// was observed of it last, and what stands between the two.
//
// No provider is asked, and nothing is recorded: it is how the ledger has it. An apply observes its VM again at its end
// and records no observation of it, so that what was applied since is told beside what was observed. Not here: the
// judgement (judge-fleet.ts), what is there now (drift.ts).

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { sectionsOf } from "../../kernel/command/recorded-config.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { type IntentState, type State, vmKey } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Instant, Vmid } from "../../spine/model.ts";
import { NO_POLICY, policyDigest } from "../../spine/plan/policy.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import { type EnvironmentListed, listEnvironments } from "./environments.ts";
import { type FleetJudged, type JudgedAt, type ObservationUsed, rememberJudged, type VmJudged } from "./judge-fleet.ts";
import { isSince, lastIntents, secondsSince } from "./lately.ts";
import { plansToApprove } from "./status.ts";
import type { StepWaiting } from "./waiting.ts";

/** Of every environment where none is named. */
export type FleetRequest = { readonly environment?: string };

/** A step of an open plan that lacks approvals. */
export type StepAwaited = Pick<StepWaiting, "endsAt" | "plan" | "step">;
export type FleetVm = VmJudged & {
  readonly awaited?: readonly StepAwaited[];
  /** The intent whose outcome is unknown: nothing is applied to the VM until it is reconciled. */
  readonly blockedBy?: Ulid;
  readonly openIntent?: Ulid;
  /** What was applied to it since it was observed. */
  readonly since?: Pick<IntentState, "action" | "end" | "id">;
};
export type FleetEnvironment = EnvironmentListed &
  Omit<FleetJudged, "observations" | "vms"> & {
    readonly observations: readonly (ObservationUsed & { readonly ageSeconds: number })[];
    readonly vms: readonly FleetVm[];
  };
export type Fleet = { readonly at: Instant; readonly environments: readonly FleetEnvironment[] };

/** A reader that makes no judgement twice. */
export const fleetReader = (): ((reading: Reading, request: FleetRequest) => Promise<Fleet | RefusedAnswer>) => {
  const judge = rememberJudged();
  return async (reading, { environment }) => {
    const { at, desk, ledger, state } = reading;
    const named = environment === undefined ? undefined : environmentAt(environment, desk);
    if (named !== undefined && "code" in named) return refusedInput([named]);
    const sections = sectionsOf(configToRecord(desk.config, desk.policies));
    const { environments } = await listEnvironments(reading);
    const shown: FleetEnvironment[] = [];
    for (const one of environments) {
      if (environment !== undefined && one.environment !== environment) continue;
      const { observations, vms, ...judged } = await judge(ledger.engine, state, judgedAt(reading, one, sections));
      shown.push({
        ...one,
        ...judged,
        observations: observations.map((used) => ({ ...used, ageSeconds: secondsSince(used.at, at) })),
        vms: withState(vms, observations, await awaitedIn(reading, one.environment), state, one.environment),
      });
    }
    return { at, environments: shown };
  };
};

const judgedAt = (
  { desk }: Reading,
  { environment: name, live, numbers }: EnvironmentListed,
  sections: ReturnType<typeof sectionsOf>,
): JudgedAt => {
  const section = sections[name];
  if (section === undefined) throw new Error(`the environment ${name} is configured and has no section`);
  return { environment: section, live, name, numbers, policy: policyDigest(desk.policies.get(name) ?? NO_POLICY) };
};

type Awaited = ReadonlyMap<Vmid, readonly StepAwaited[]>;

/** What decides is loaded where there is something to judge. */
const awaitedIn = async (reading: Reading, environment: string): Promise<Awaited> => {
  const awaited = new Map<Vmid, StepAwaited[]>();
  const open = plansToApprove(reading.state, environment);
  if (open.length === 0) return awaited;
  const { listWaitingSteps } = await import("./waiting.ts");
  for (const { endsAt, plan, step, vmid } of await listWaitingSteps(reading, open, undefined)) {
    const others = awaited.get(vmid) ?? [];
    awaited.set(vmid, [...others, { ...present({ endsAt }), plan, step }]);
  }
  return awaited;
};

/** Most VMs have nothing under way: those are told as they were judged. */
const withState = (
  vms: readonly VmJudged[],
  observations: readonly ObservationUsed[],
  awaited: Awaited,
  state: State,
  environment: string,
): readonly FleetVm[] => {
  const last = lastIntents(state, environment);
  const seenAt = new Map(observations.map(({ at, id }) => [id, at]));
  return vms.map((vm) => {
    const { vmid } = vm.entry;
    const key = vmKey(environment, vmid);
    const blockedBy = get(state.blocked, key)?.id;
    const openIntent = get(state.open, key)?.id;
    const waits = awaited.get(vmid);
    const since = sinceOf(last.get(vmid), vm.observation === undefined ? undefined : seenAt.get(vm.observation));
    if (blockedBy === undefined && openIntent === undefined && waits === undefined && since === undefined) return vm;
    return { ...vm, ...present({ awaited: waits, blockedBy, openIntent, since }) };
  });
};

const sinceOf = (intent: IntentState | undefined, at: Instant | undefined): FleetVm["since"] => {
  if (intent === undefined || (at !== undefined && !isSince(intent, at))) return undefined;
  const { action, end, id } = intent;
  return { action, ...present({ end }), id };
};
