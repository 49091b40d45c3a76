// Every registered VM of an environment on the newest recorded observation that tells of it, judged by the plan's own
// judgement: one that shows the VM, or one that was asked for it and does not. What none of them tells of is judged as
// what was not seen: unknown, with its reason.
//
// It stands on the registration, the observations and what is remembered of identities, and on nothing else, so that
// it is made once for as long as these are the same. Not here: what changes with every record or with the clock, and
// stands beside it (fleet.ts).

import type { ObservationCovers } from "../../kernel/command/request.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import type {
  ActionKind,
  DesiredState,
  DesiredVm,
  Instant,
  Numbers,
  Observation,
  Observed,
  PlanAnswer,
  PlanStep,
  Refusal,
  Sha256,
  Vmid,
  VmState,
} from "../../spine/model.ts";
import type { Doubt, Gap } from "../../spine/observed-codes.ts";
import { believe } from "../../spine/plan/belief.ts";
import { type Ground, plan } from "../../spine/plan/plan.ts";
import { statusText } from "../../spine/plan/step.ts";
import { type AnswerCounts, countsOf } from "../../spine/values/counts.ts";
import { NO_IDENTITIES } from "../../spine/values/identities.ts";
import { observe } from "../../spine/values/observation.ts";
import { present } from "../../spine/values/present.ts";
import { type ObservationLately, observedLately } from "./lately.ts";
import { readIdentities } from "./recorded.ts";
import { readBlobText, readEntries, readRegisteredIn } from "./registered.ts";

/** A recorded observation that a VM was judged on, or the newest one. */
export type ObservationUsed = {
  readonly at: Instant;
  /** A sensor brought it: nobody was asked. */
  readonly brought?: true;
  readonly complete: boolean;
  readonly digest: Sha256;
  readonly gaps: readonly Gap[];
  readonly id: string;
  readonly live: boolean;
  readonly observedAt?: Instant;
};

/** What is told of the step that would mend it; a plan has the whole of one. */
export type StepToMend = Pick<PlanStep, "applies" | "facts" | "power" | "reason"> & {
  readonly action: ActionKind;
  readonly kind: "step";
};
export type VmSeen = Pick<VmState, "blockers" | "cpus" | "maxmem" | "name" | "node" | "pending">;
export type VmJudged = {
  readonly answer: Refusal | StepToMend | { readonly kind: "in-sync" };
  /** Why it is unknown. */
  readonly doubt?: Doubt;
  readonly entry: DesiredVm;
  /** The one that tells of it; absent where none of the last day or two does. */
  readonly observation?: string;
  readonly seen?: VmSeen;
  readonly status: "missing" | "paused" | VmState["status"];
};
export type FleetJudged = {
  readonly counts: AnswerCounts;
  /** The newest first. */
  readonly observations: readonly ObservationUsed[];
  /** Absent where nothing is registered. */
  readonly registered?: Sha256;
  /** Ascending. */
  readonly vms: readonly VmJudged[];
};

/** What an environment is judged by, besides what is recorded. */
type JudgedAt = Pick<Ground, "environment" | "policy"> & {
  readonly live: boolean;
  readonly name: string;
  readonly numbers: Numbers;
};

export type Judging = (engine: Engine, state: State, at: JudgedAt) => Promise<FleetJudged>;

/** Judges an environment again when anything that it stands on is another. */
export const rememberJudged = (): Judging => {
  const known = new Map<string, { readonly judged: Promise<FleetJudged>; readonly on: string }>();
  return (engine, state, at) => {
    const observations = observedLately(state, at.name);
    const on = JSON.stringify([
      at,
      get(state.desired, at.name)?.digest,
      get(state.identities, at.name),
      observations.map(({ id }) => id),
    ]);
    const found = known.get(at.name);
    if (found?.on === on) return found.judged;
    const judged = judgeEnvironment(engine, state, at, observations);
    known.set(at.name, { judged, on });
    judged.catch(() => known.delete(at.name));
    return judged;
  };
};

type Shown = { readonly observed: Observed; readonly vmids: Vmid[] };

const judgeEnvironment = async (
  engine: Engine,
  state: State,
  at: JudgedAt,
  observations: readonly ObservationLately[],
): Promise<FleetJudged> => {
  const desired = await readRegisteredIn(engine, state, at.name);
  const entries = new Map<Vmid, DesiredVm>();
  for (const entry of desired?.entries ?? []) if (entry.kind === "desired") entries.set(entry.vmid, entry);
  const unseen = new Set(entries.keys());
  const used: ObservationUsed[] = [];
  const vms: VmJudged[] = [];
  const answers: PlanAnswer[] = [];
  const identities = at.live ? await readIdentities(engine, state, at.name) : NO_IDENTITIES;
  const judge = ({ observed, vmids }: Shown, id?: string): void => {
    if (desired === undefined) return;
    const states = new Map(observed.observation.vms.map((one) => [one.vmid, one]));
    for (const answer of answersOn(desired, observed, vmids, { ...at, identities })) {
      const entry = answer.vmid === undefined ? undefined : entries.get(answer.vmid);
      if (entry === undefined) throw new Error("a plan answers for the VMs of its scope");
      answers.push(answer);
      vms.push(judgedOf(entry, states.get(entry.vmid), observed.observation, answer, id));
    }
  };
  for (const { at: seenAt, covers, digest, id, live, observedAt } of observations) {
    if (unseen.size === 0 && used.length > 0) break;
    const observation: Observation = JSON.parse(await readBlobText(engine, digest));
    const { complete, gaps } = observation;
    const asked = covers === undefined ? [] : await vmidsCovered(engine, covers, desired);
    const told = new Set([...observation.vms.map(({ vmid }) => vmid), ...asked]);
    const vmids = [...told].filter((vmid) => unseen.delete(vmid));
    if (vmids.length === 0 && used.length > 0) continue;
    const brought = covers === undefined ? true : undefined;
    used.push({ at: seenAt, complete, digest, gaps, id, live, ...present({ brought, observedAt }) });
    judge({ observed: { digest, observation }, vmids }, id);
  }
  if (unseen.size > 0) judge({ observed: notObserved(at.name), vmids: [...unseen] });
  return {
    counts: countsOf(answers),
    observations: used,
    ...present({ registered: desired?.digest }),
    vms: vms.sort((a, b) => a.entry.vmid - b.entry.vmid),
  };
};

/** The VMs that an observation was asked for; a registration that came after it is another. */
const vmidsCovered = async (
  engine: Engine,
  { registered, scope }: ObservationCovers,
  now: DesiredState | undefined,
): Promise<readonly Vmid[]> => {
  if (scope !== undefined) return scope;
  const entries = registered === now?.digest ? now.entries : await readEntries(engine, registered);
  return entries.map(({ vmid }) => vmid);
};

/** What shows nothing proves nothing. */
const notObserved = (environment: string): Observed =>
  observe({ complete: false, environment, gaps: [], version: 1, vms: [] });

const answersOn = (
  desired: DesiredState,
  observed: Observed,
  vmids: readonly Vmid[],
  { environment, identities, numbers, policy }: Pick<Ground, "identities"> & JudgedAt,
): readonly PlanAnswer[] =>
  vmids.length === 0
    ? []
    : plan(desired, observed, vmids, { environment, ...present({ identities }), numbers, policy }).answers;

/** Members are set one by one: it is done for every VM. */
const judgedOf = (
  entry: DesiredVm,
  state: VmState | undefined,
  observation: Pick<Observation, "complete">,
  answer: PlanAnswer,
  id: string | undefined,
): VmJudged => {
  const belief = believe(state, observation);
  const told: { -readonly [K in keyof VmJudged]: VmJudged[K] } = {
    answer: answerTold(answer),
    entry,
    status: belief.kind === "present" ? statusText(belief.state) : belief.kind,
  };
  if (belief.kind === "unknown") told.doubt = belief.because;
  if (id !== undefined) told.observation = id;
  if (state !== undefined) told.seen = seenOf(state);
  return told;
};

const answerTold = (answer: PlanAnswer): VmJudged["answer"] => {
  switch (answer.kind) {
    case "in-sync":
      return IN_SYNC;
    case "refusal":
      return answer;
    case "step": {
      const { action, applies, facts, kind, power, reason } = answer;
      return { action: action.kind, applies, facts, kind, power, reason };
    }
  }
};

const IN_SYNC = { kind: "in-sync" } as const;

const seenOf = ({ blockers, cpus, maxmem, name, node, pending }: VmState): VmSeen => {
  const seen: { -readonly [K in keyof VmSeen]: VmSeen[K] } = { name };
  if (blockers !== undefined && blockers.length > 0) seen.blockers = blockers;
  if (cpus !== undefined) seen.cpus = cpus;
  if (maxmem !== undefined) seen.maxmem = maxmem;
  if (node !== undefined) seen.node = node;
  if (pending !== undefined) seen.pending = pending;
  return seen;
};
