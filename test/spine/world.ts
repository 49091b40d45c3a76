// A small world to judge: one VM, one entry for it, and the whole way from there to plan and verdict.
//
// Every builder starts from a VM in sync (web-01, running, seen by a complete observation), so that a test names only
// what is special. Not here: worlds made by chance (arbitraries.ts).

import assert from "node:assert/strict";
import {
  type DesiredEntry,
  type DesiredState,
  type DesiredVm,
  type Instant,
  isVmid,
  type Numbers,
  type Observation,
  type Observed,
  type Plan,
  type PlanFile,
  type Refusal,
  type RequestedAction,
  type Scope,
  type Verdict,
  type Vmid,
  type VmState,
} from "../../src/spine/model.ts";
import { desiredStateOf, entryHash } from "../../src/spine/plan/desired-state.ts";
import { type Ground, plan } from "../../src/spine/plan/plan.ts";
import { NO_POLICY, type Policy, policyDigest } from "../../src/spine/plan/policy.ts";
import { safety } from "../../src/spine/plan/safety.ts";
import type { RefusalCode } from "../../src/spine/rules/refusals.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import type { Identities } from "../../src/spine/values/identities.ts";
import { observe } from "../../src/spine/values/observation.ts";

export const GiB = 2 ** 30;
export const ENVIRONMENT = "home";
export const OBSERVED_AT = "2026-11-15T10:00:00.000Z" as Instant;

export const vmidOf = (value: number): Vmid => {
  assert.ok(isVmid(value), `${value} is a vmid`);
  return value;
};
export const VMID = vmidOf(101);
export const NAME = "web-01";

export const state = (more: Partial<VmState> = {}): VmState => ({
  kind: "vm",
  name: NAME,
  source: "test",
  status: "running",
  vmid: VMID,
  ...more,
});

type Running = Extract<DesiredVm, { readonly target: "running" }>;
type Stopped = Extract<DesiredVm, { readonly target: "stopped" }>;

export const wantRunning = (more: Partial<Running> = {}): Running => ({
  kind: "desired",
  name: NAME,
  target: "running",
  vmid: VMID,
  ...more,
});
export const wantStopped = (stop: Stopped["stop"], more: Partial<Stopped> = {}): Stopped => ({
  kind: "desired",
  name: NAME,
  stop,
  target: "stopped",
  vmid: VMID,
  ...more,
});
export const request = (action: RequestedAction["action"], more: Partial<RequestedAction> = {}): RequestedAction => ({
  action,
  entry: entryHash(wantRunning()),
  kind: "request",
  name: NAME,
  vmid: VMID,
  ...more,
});

export const observationOf = (vms: readonly VmState[], more: Partial<Observation> = {}): Observation => ({
  complete: true,
  environment: ENVIRONMENT,
  gaps: [],
  observedAt: OBSERVED_AT,
  version: 1,
  vms,
  ...more,
});

export const desiredFor = (entries: readonly DesiredEntry[], environment: string = ENVIRONMENT): DesiredState => {
  const made = desiredStateOf(environment, entries);
  assert.ok(!("kind" in made), "one entry for each VM");
  return made;
};

export const groundOf = (
  policy: Policy = NO_POLICY,
  identities: Identities = [],
  numbers: Numbers = "provider",
): Ground => ({
  environment: sha256("the environment's section"),
  identities,
  numbers,
  policy: policyDigest(policy),
});

/** What a plan is made from, as a test writes it. */
export type World = {
  readonly entries: readonly DesiredEntry[];
  readonly observation: Observation;
  readonly environment?: string;
  readonly identities?: Identities; // what is remembered
  readonly numbers?: Numbers;
  readonly scope?: Scope;
  readonly policy?: Policy;
};
export type Judgement = { readonly plan: Plan; readonly verdict: Verdict; readonly observed: Observed };

export const judge = (world: World): Judgement => {
  const { environment, identities, numbers, observation, policy = NO_POLICY, scope = "all", entries } = world;
  const observed = observe(observation);
  const made = plan(desiredFor(entries, environment), observed, scope, groundOf(policy, identities, numbers));
  return { observed, plan: made, verdict: safety(made, policy) };
};

/** Every refusal of a world: those of single VMs and those of the whole plan. */
export const refusalsIn = (world: World): readonly Refusal[] => {
  const { plan: made, verdict } = judge(world);
  const ofVms = made.answers.filter((answer) => answer.kind === "refusal");
  return verdict.kind === "refused" ? [...ofVms, ...verdict.refusals] : ofVms;
};

/** The refusals when one entry meets one complete observation at one VM. */
export const meeting = (entry: DesiredEntry, seen: VmState, policy: Policy = NO_POLICY): readonly Refusal[] =>
  refusalsIn({ observation: observationOf([seen]), policy, entries: [entry] });

/** As plan.json would hold it; what is replayed is never applicable. */
export const planFileOf = ({ plan: made, verdict }: Pick<Judgement, "plan" | "verdict">): PlanFile => ({
  applicable: false,
  because: "replayed",
  plan: made,
  verdict,
  version: 1,
});

/** The refusals of one code, for a test that means that one and no other of the same rule. */
export const coded = (code: RefusalCode, refusals: readonly Refusal[]): readonly Refusal[] =>
  refusals.filter((refusal) => refusal.code === code);
