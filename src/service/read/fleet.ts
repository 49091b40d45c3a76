// fleet: every registered VM of every configured environment that the caller sees, what is desired of it beside what
// was observed of it last, and what stands between the two.
//
// No provider is asked, and nothing is recorded: it is how the ledger has it. An apply observes its VM again at its end
// and records no observation of it, so that what was applied since is told beside what was observed. Not here: the
// judgement (judge-fleet.ts), what is there now (drift.ts).

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { sectionsOf } from "../../kernel/command/recorded-config.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { type IntentState, vmKey } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Instant, Vmid } from "../../spine/model.ts";
import { NO_POLICY, policyDigest } from "../../spine/plan/policy.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { Reading } from "../hold/session.ts";
import { type EnvironmentListed, listEnvironments } from "./environments.ts";
import type { FleetJudged, Judging, ObservationUsed, VmJudged } from "./judge-fleet.ts";
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
export type ObservationAged = ObservationUsed & { readonly ageSeconds: number };
export type FleetEnvironment = EnvironmentListed &
  Omit<FleetJudged, "observations" | "vms"> & {
    readonly observations: readonly ObservationAged[];
    readonly vms: readonly FleetVm[];
  };
export type Fleet = { readonly at: Instant; readonly environments: readonly FleetEnvironment[] };

/** A reader of the fleet by judgements that are not made twice. */
export const fleetReader =
  (judge: Judging) =>
  async (reading: Reading, { environment }: FleetRequest): Promise<Fleet | RefusedAnswer> => {
    const { at, desk } = reading;
    const named = environment === undefined ? undefined : environmentAt(environment, desk);
    if (named !== undefined && "code" in named) return refusedInput([named]);
    const { environments } = await listEnvironments(reading);
    const shown: FleetEnvironment[] = [];
    for (const one of environments) {
      if (environment !== undefined && one.environment !== environment) continue;
      const { observations, vms, ...judged } = await judgedIn(judge, reading, one);
      const withState = await stateBeside(reading, one.environment, observations);
      shown.push({ ...one, ...judged, observations: aged(observations, at), vms: vms.map(withState) });
    }
    return { at, environments: shown };
  };

export const judgedIn = (
  judge: Judging,
  { desk, ledger, state }: Reading,
  { environment: name, live, numbers }: EnvironmentListed,
): Promise<FleetJudged> => {
  const section = sectionsOf(configToRecord(desk.config, desk.policies))[name];
  if (section === undefined) throw new Error(`the environment ${name} is configured and has no section`);
  const policy = policyDigest(desk.policies.get(name) ?? NO_POLICY);
  return judge(ledger.engine, state, { environment: section, live, name, numbers, policy });
};

export const aged = (observations: readonly ObservationUsed[], now: Instant): readonly ObservationAged[] =>
  observations.map((used) => ({ ...used, ageSeconds: secondsSince(used.at, now) }));

type Awaited = ReadonlyMap<Vmid, readonly StepAwaited[]>;

/** What decides is loaded where there is something to judge. */
const awaitedIn = async (reading: Reading, environment: string, vmid: Vmid | undefined): Promise<Awaited> => {
  const awaited = new Map<Vmid, StepAwaited[]>();
  const open = plansToApprove(reading.state, environment);
  if (open.length === 0) return awaited;
  const { listStepsToDecide } = await import("./waiting.ts");
  const { waiting } = await listStepsToDecide(reading, open, vmid);
  for (const { endsAt, plan, step, vmid: of } of waiting) {
    const others = awaited.get(of) ?? [];
    awaited.set(of, [...others, { ...present({ endsAt }), plan, step }]);
  }
  return awaited;
};

/**
 * What stands beside a judged VM, of all or of the one that is named. Most have nothing under way: those are told as
 * they were judged.
 */
export const stateBeside = async (
  reading: Reading,
  environment: string,
  observations: readonly ObservationUsed[],
  only?: Vmid,
): Promise<(vm: VmJudged) => FleetVm> => {
  const { state } = reading;
  const awaited = await awaitedIn(reading, environment, only);
  const last = lastIntents(state, environment);
  const seenAt = new Map(observations.map(({ at, id }) => [id, at]));
  return (vm) => {
    const { vmid } = vm.entry;
    const key = vmKey(environment, vmid);
    const blockedBy = get(state.blocked, key)?.id;
    const openIntent = get(state.open, key)?.id;
    const waits = awaited.get(vmid);
    const since = sinceOf(last.get(vmid), vm.observation === undefined ? undefined : seenAt.get(vm.observation));
    if (blockedBy === undefined && openIntent === undefined && waits === undefined && since === undefined) return vm;
    return { ...vm, ...present({ awaited: waits, blockedBy, openIntent, since }) };
  };
};

const sinceOf = (intent: IntentState | undefined, at: Instant | undefined): FleetVm["since"] => {
  if (intent === undefined || (at !== undefined && !isSince(intent, at))) return undefined;
  const { action, end, id } = intent;
  return { action, ...present({ end }), id };
};
