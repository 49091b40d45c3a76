// What a plan stands on still holds whenever somebody agrees to one of its steps, when it is claimed, and when its call
// leaves: the section of its environment, and the registered entry of its VM. And what says nothing new closes nothing.
//
// Read from the records and their blobs: entries and sections are compared member by member, and no hash is trusted.

import { isDeepStrictEqual } from "node:util";
import type { RecordedConfig, RecordedEnvironment } from "../../../src/kernel/command/recorded-config.ts";
import type { ActionKind, DesiredEntry, Plan, Sha256, Vmid } from "../../../src/spine/model.ts";
import { later } from "../../../src/spine/values/instant.ts";
import { blobIn, planIn } from "../board.ts";
import type { SimLedger } from "../ledger.ts";
import { LIFE_MS, tierOf } from "./agreement.ts";
import {
  type Check,
  type Entry,
  type EntryOf,
  entriesOf,
  intentsIn,
  isGranted,
  isKind,
  type Scene,
} from "./evidence.ts";
import { isRevokedSince } from "./tokens.ts";

type Planned = EntryOf<"plan"> & { readonly result: Extract<Entry["result"], { readonly kind: "planned" }> };
const isPlanned = (entry: Entry): entry is Planned => isKind(entry, "plan") && entry.result.kind === "planned";

type Section = RecordedEnvironment | undefined;
const sectionIn = (config: RecordedConfig | undefined, environment: string | undefined): Section =>
  config?.environments[environment ?? ""];
/** What the process that recorded an entry had said of its environment. */
const sectionOf = (granted: readonly Entry[], { record }: Entry): Section => {
  const start = granted.find((entry) => isKind(entry, "start") && entry.record.configHash === record.configHash);
  return sectionIn(start?.request.kind === "start" ? start.request.config : undefined, record.environment);
};
/** What the process that started last had said of it. */
const newestSection = (granted: readonly Entry[], environment: string | undefined): Section => {
  const start = granted.findLast((entry) => isKind(entry, "start"));
  return sectionIn(start?.request.kind === "start" ? start.request.config : undefined, environment);
};

const read = new Map<Sha256, readonly DesiredEntry[]>();
const desiredStateIn = (ledger: SimLedger, digest: Sha256): readonly DesiredEntry[] => {
  const known = read.get(digest) ?? (blobIn(ledger, digest) as { readonly entries: readonly DesiredEntry[] }).entries;
  read.set(digest, known);
  return known;
};
const entryOf = (ledger: SimLedger, granted: readonly Entry[], environment: string | undefined, vmid: Vmid) => {
  const last = granted.findLast((entry) => isKind(entry, "register") && entry.record.environment === environment);
  return last?.request.kind === "register"
    ? desiredStateIn(ledger, last.request.desired).find((entry) => entry.vmid === vmid)
    : undefined;
};

/** What a protected VM may have, written down a second time. */
const HARMLESS: ReadonlySet<ActionKind> = new Set(["vm.resume", "vm.snapshot.create", "vm.start"]);
const isProtected = ({ name, protected: isMarked }: DesiredEntry): boolean =>
  isMarked === true || name.toLowerCase().startsWith("prod-");

type Step = EntryOf<"apply">["request"]["of"]["step"];
const entryObjection = (
  now: DesiredEntry | undefined,
  planned: DesiredEntry | undefined,
  step: Step,
): string | undefined => {
  if (now === undefined) return "is not registered";
  if (isProtected(now) && !HARMLESS.has(step.action.kind)) return "is registered as protected";
  return isDeepStrictEqual(now, planned) ? undefined : "is registered otherwise than when it was planned";
};

const planOf = (granted: readonly Entry[], id: string): Planned | undefined =>
  granted.find((entry): entry is Planned => isPlanned(entry) && entry.record.auditId === id);

type OfStep = EntryOf<"apply" | "approve" | "challenge" | "request-approval">;
const isOfStep = (entry: Entry): entry is OfStep =>
  (["apply", "approve", "challenge", "request-approval"] as const).some((kind) => isKind(entry, kind));

/** Everybody who agrees, and every claim. */
export const grounded: Check = ({ stage }) => {
  const granted = entriesOf(stage).filter(isGranted);
  return granted.flatMap((entry, at) => {
    if (!isOfStep(entry)) return [];
    const before = granted.slice(0, at);
    const { step } = entry.request.of;
    const plan = planOf(before, entry.request.of.plan);
    if (plan === undefined) return [];
    const { environment, seq } = entry.record;
    const then = granted.filter(({ record }) => record.seq < plan.record.seq);
    const what = `${entry.request.kind} at ${seq}`;
    const because = entryObjection(
      entryOf(stage.ledger, before, environment, step.vmid),
      entryOf(stage.ledger, then, environment, step.vmid),
      step,
    );
    return [
      ...(because === undefined ? [] : [`${what}: VM ${step.vmid} ${because}`]),
      ...[sectionOf(before, entry), newestSection(before, environment)]
        .filter((section) => !isDeepStrictEqual(section, sectionOf(then, plan)))
        .map(() => `${what}: another configuration`),
    ];
  });
};

/**
 * A call is judged after its second observation and before it leaves: at some moment between. It is wrong when it was
 * wrong at each of them.
 */
export const stillGrounded: Check = ({ stage }) => {
  const granted = entriesOf(stage).filter(isGranted);
  const intents = intentsIn(stage);
  return stage.traces.flatMap(({ lefts }) =>
    lefts.flatMap(({ intent: id, size, sizeAtLook }) => {
      const intent = intents.find(({ record }) => record.auditId === id);
      const plan = intent === undefined ? undefined : planOf(granted, intent.request.of.plan);
      if (intent === undefined || plan === undefined || sizeAtLook === undefined) return [];
      const moments = granted
        .filter(({ record: { seq } }) => seq >= sizeAtLook && seq < size)
        .map(({ record: { seq } }) => seq + 1);
      const objections = [sizeAtLook, ...moments].map((at) => objectionAt(stage, granted, intent, plan, at));
      const [first] = objections;
      return objections.every((one) => one !== undefined) ? [`the call of ${id} left: ${first}`] : [];
    }),
  );
};

const objectionAt = (
  { ledger }: Scene,
  granted: readonly Entry[],
  { record: { environment }, request }: EntryOf<"apply">,
  plan: Planned,
  size: number,
): string | undefined => {
  const { step } = request.of;
  const now = granted.filter(({ record }) => record.seq < size);
  const then = granted.filter(({ record }) => record.seq < plan.record.seq);
  if (!isDeepStrictEqual(newestSection(now, environment), sectionOf(then, plan))) {
    return "its plan stands on another configuration";
  }
  const [entry, planned] = [now, then].map((some) => entryOf(ledger, some, environment, step.vmid));
  const because = entryObjection(entry, planned, step);
  return because === undefined ? undefined : `VM ${step.vmid} ${because}`;
};

/** A plan that was superseded by its equal, though it stood; and an answer that names a plan which does not. */
export const kept: Check = ({ stage }) => {
  const granted = entriesOf(stage).filter(isGranted);
  return granted.flatMap((entry, at) => {
    if (!isKind(entry, "plan")) return [];
    const before = granted.slice(0, at);
    const { processTime, seq } = entry.record;
    if (entry.result.kind === "unchanged") {
      const plan = planOf(before, entry.result.plan);
      const isOwn = plan !== undefined && plan.record.actor.id === entry.record.actor.id;
      return isOwn && stands(stage, before, plan, processTime)
        ? []
        : [`plan at ${seq} is answered by none that stands`];
    }
    if (!isPlanned(entry) || entry.result.supersedes === undefined) return [];
    const plan = planOf(before, entry.result.supersedes);
    if (plan === undefined || !stands(stage, before, plan, processTime)) return [];
    const isLike =
      plan.result.bars === entry.result.bars && isEqual(planOfEntry(stage, plan), planOfEntry(stage, entry));
    return isLike ? [`plan ${plan.record.auditId} was closed by its equal at ${seq}`] : [];
  });
};

const planOfEntry = ({ ledger }: Scene, { result }: Planned): Plan => planIn(ledger, result);

const isEqual = (one: Plan, other: Plan): boolean => {
  const [{ hash: _, standsOn: ours, ...left }, { hash: __, standsOn: theirs, ...right }] = [one, other];
  const { observation: ___, ...grounds } = ours;
  return isDeepStrictEqual(left, right) && isDeepStrictEqual({ ...grounds, observation: theirs.observation }, theirs);
};

/** Whether all of a plan can still be agreed to and applied. */
const stands = (stage: Scene, before: readonly Entry[], plan: Planned, at: Entry["record"]["processTime"]): boolean => {
  const { auditId: id, seq } = plan.record;
  const isOver = before.some(
    (entry) =>
      (isKind(entry, "accept-clock") && entry.record.seq > seq) ||
      (isKind(entry, "cancel") && entry.request.plan === id) ||
      ((isKind(entry, "apply") || isKind(entry, "deny")) && entry.request.of.plan === id) ||
      (isPlanned(entry) && entry.result.supersedes === id),
  );
  const steps = planOfEntry(stage, plan).answers.filter((answer) => answer.kind === "step");
  const { observedAt } = plan.result;
  if (isOver || isRevokedSince(before, plan.record) || steps.length === 0 || observedAt === undefined) return false;
  const policy = sectionOf(before, plan)?.policy;
  return steps.every((step) => at < later(observedAt, LIFE_MS[tierOf(step, policy, [plan.record.actor])]));
};
