// comparePlans: what moved between two recorded plans of an environment, by VM: what each answers, in what these
// differ, and what differs behind it, of the entry and of what was observed.
//
// Steps are compared by their hash, which covers all of them. It decides nothing, and says not which plan is better.

import type { DesiredEntry, Fact, Observation, Plan, PlanAnswer, Sha256, VmChange, Vmid } from "../../spine/model.ts";
import { changesOf } from "../../spine/plan/changed.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { type AttributeChange, attributesOf } from "../entry-changes.ts";
import type { Reading } from "../hold/session.ts";
import { withOlder } from "./older-plans.ts";
import { readNamedPlan } from "./plan-references.ts";
import { blobIn } from "./record-terms.ts";
import type { RecordedPlan } from "./recorded.ts";
import { readBlobText } from "./registered.ts";

/** `plan` is compared with another: the other is what was, and this what is now. */
export type ComparePlansRequest = { readonly plan: string; readonly with: string };

export type PlanSide = Pick<RecordedPlan["planState"], "hash" | "id" | "observedAt" | "verdict"> & {
  readonly requester: string;
};
export type FactMoved = { readonly fact: string; readonly now?: Fact; readonly was?: Fact };
export type VmMoved = {
  /** Of its entry, where the plans stand on another one. */
  readonly attributes?: readonly AttributeChange[];
  /** Of what was observed of it. */
  readonly changed?: readonly VmChange[];
  readonly facts: readonly FactMoved[];
  /** In what the answers differ, besides their facts. */
  readonly members: readonly string[];
  /** Absent where the plan has no answer for it. */
  readonly now?: PlanAnswer;
  readonly vmid: Vmid;
  readonly was?: PlanAnswer;
};
export type PlansCompared = {
  readonly after: PlanSide;
  readonly before: PlanSide;
  readonly environment: string;
  /** What the plans stand on, and is another. Where none is, and no answer moved, the plans have one hash. */
  readonly grounds: readonly (keyof Plan["standsOn"] | "scope")[];
  readonly moved: readonly VmMoved[];
  /** VMs for which both answer the same. */
  readonly same: number;
};

export const comparePlans = async (
  recent: Reading,
  { plan: named, with: other }: ComparePlansRequest,
): Promise<PlansCompared | RefusedAnswer> => {
  const reading = await withOlder(await withOlder(recent, named), other);
  const after = await readNamedPlan(reading, named);
  if ("code" in after) return refusedInput([after]);
  const before = await readNamedPlan(reading, other);
  if ("code" in before) return refusedInput([before]);
  const [one, two] = [before.planState, after.planState];
  if (one.environment !== two.environment) {
    const facts = { environment: two.environment, other: one.id, otherEnvironment: one.environment, plan: two.id };
    return refusedInput([refuse("usage", { cause: "plans-apart", facts })]);
  }
  const was = answersOf(before.plan);
  const now = answersOf(after.plan);
  const vmids = [...new Set([...was.keys(), ...now.keys()])].sort((a, b) => a - b);
  const moved = vmids.filter((vmid) => textOf(was.get(vmid)) !== textOf(now.get(vmid)));
  const behind = await readBehind(reading, before.plan, after.plan, moved);
  return {
    after: sideOf(after),
    before: sideOf(before),
    environment: two.environment,
    grounds: groundsMoved(before.plan, after.plan),
    moved: moved.map((vmid) => ({ ...movedOf(vmid, was.get(vmid), now.get(vmid)), ...behind(vmid) })),
    same: vmids.length - moved.length,
  };
};

const GROUNDS = ["desired", "environment", "observation", "policy", "rules"] as const;

const groundsMoved = (was: Plan, now: Plan): PlansCompared["grounds"] => [
  ...GROUNDS.filter((ground) => was.standsOn[ground] !== now.standsOn[ground]),
  ...(JSON.stringify(was.scope) === JSON.stringify(now.scope) ? [] : (["scope"] as const)),
];

const sideOf = ({ planState: { hash, id, observedAt, requester, verdict } }: RecordedPlan): PlanSide => ({
  hash,
  id,
  ...present({ observedAt }),
  requester: requester.id,
  verdict,
});

const answersOf = ({ answers }: Plan): ReadonlyMap<Vmid, PlanAnswer> =>
  new Map(answers.flatMap((answer) => (answer.vmid === undefined ? [] : [[answer.vmid, answer] as const])));

/** Two answers are the same when they are written alike; a step is stood for by its hash. */
const textOf = (answer: PlanAnswer | undefined): string | undefined =>
  answer?.kind === "step" ? answer.hash : JSON.stringify(answer);

/** What every answer has, and what is told beside: not compared member by member. */
const BESIDE: ReadonlySet<string> = new Set(["facts", "hash", "vmid"]);

const movedOf = (vmid: Vmid, was: PlanAnswer | undefined, now: PlanAnswer | undefined): VmMoved => ({
  facts: differing(factsOf(was), factsOf(now)).map(([fact, old, fresh]) => ({
    fact,
    ...present({ now: fresh as Fact | undefined, was: old as Fact | undefined }),
  })),
  members: differing(Object(was), Object(now))
    .map(([member]) => member)
    .filter((member) => !BESIDE.has(member)),
  ...present({ now, was }),
  vmid,
});

const factsOf = (answer: PlanAnswer | undefined): Readonly<Record<string, unknown>> =>
  answer === undefined || answer.kind === "in-sync" ? {} : answer.facts;

const differing = (
  was: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): readonly (readonly [string, unknown, unknown])[] =>
  [...new Set([...Object.keys(was), ...Object.keys(now)])]
    .sort()
    .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(now[name]))
    .map((name) => [name, was[name], now[name]] as const);

type Behind = Pick<VmMoved, "attributes" | "changed">;

/** Read where something moved, and only of what is another. */
const readBehind = async (
  { ledger: { engine } }: Reading,
  { standsOn: was }: Plan,
  { standsOn: now }: Plan,
  moved: readonly Vmid[],
): Promise<(vmid: Vmid) => Behind> => {
  if (moved.length === 0) return () => ({});
  const readStates = async (digest: Sha256) => {
    const { vms }: Observation = JSON.parse(await readBlobText(engine, digest));
    return new Map(vms.map((state) => [state.vmid, state]));
  };
  // A plan of one requested action stands on that action, which is no registration, and stored nowhere but in it.
  const entriesOf = async (digest: Sha256): Promise<ReadonlyMap<Vmid, DesiredEntry>> => {
    const registration = await blobIn<{ readonly entries: readonly DesiredEntry[] }>(engine, digest);
    return new Map((registration?.entries ?? []).map((entry) => [entry.vmid, entry]));
  };
  const states =
    was.observation === now.observation
      ? undefined
      : ([await readStates(was.observation), await readStates(now.observation)] as const);
  const entries =
    was.desired === now.desired ? undefined : ([await entriesOf(was.desired), await entriesOf(now.desired)] as const);
  return (vmid) => {
    const [stateThen, stateNow] = [states?.[0].get(vmid), states?.[1].get(vmid)];
    const [entryThen, entryNow] = [entries?.[0].get(vmid), entries?.[1].get(vmid)];
    const changed = stateThen === undefined || stateNow === undefined ? [] : changesOf(stateThen, stateNow);
    const attributes = entryThen === undefined || entryNow === undefined ? [] : attributesOf(entryThen, entryNow);
    return {
      ...(attributes.length === 0 ? {} : { attributes }),
      ...(changed.length === 0 ? {} : { changed }),
    };
  };
};
