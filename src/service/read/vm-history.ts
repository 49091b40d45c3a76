// history: every record that concerns one VM, oldest first: plans with an answer for it, what was agreed, tried, and
// came of it.
//
// A record concerns a VM when it names it (ledger/record/concerns.ts), when the plan it recorded has a step or a
// refusal for it, or when it goes on with a record that does: an outcome with its intent, a withdrawal with its
// approval.

import type { RecordBody } from "../../kernel/command/record-body.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { State } from "../../kernel/state/state.ts";
import type { Engine } from "../../ledger/engine.ts";
import { concernsVm } from "../../ledger/record/concerns.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import type { Action, Instant, OutcomeEnd, Plan, PlanAnswer, Refusal, Vmid } from "../../spine/model.ts";
import { isVmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { nearest } from "../../spine/values/nearest.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { OpenLedger } from "../hold/holding.ts";
import type { Sight } from "../hold/sight.ts";
import { readConcerned } from "./candidates.ts";
import { assertKnownRules } from "./known-rules.ts";
import { readBlobText, readRegisteredIn } from "./registered.ts";

/** A VM by its number, or by its name where that is registered once; in every environment where none is named. */
export type HistoryRequest = { readonly environment?: string; readonly vm: string };

export type VmEvent = {
  readonly action?: Action["kind"];
  /** What a plan answers for the VM. */
  readonly answer?: PlanAnswer;
  readonly at: Instant;
  readonly by: string;
  /** How an intent ended. */
  readonly end?: OutcomeEnd;
  readonly environment?: string;
  readonly id: Ulid;
  readonly intent?: Ulid;
  readonly kind: string;
  readonly plan?: Ulid;
  readonly reason?: string;
  /** The provider's own name for what it does. */
  readonly reference?: string;
  /** Why it was refused; absent where it was granted. */
  readonly refusals?: readonly Refusal[];
  readonly seq: number;
};
export type VmHistory = { readonly events: readonly VmEvent[]; readonly vmid: Vmid };

export const showHistory = async (
  {
    desk,
    folded,
    index,
    ledger,
    sees,
  }: Pick<OpenLedger, "desk" | "folded" | "index" | "ledger"> & {
    readonly sees: Sight;
  },
  { environment, vm }: HistoryRequest,
): Promise<VmHistory | RefusedAnswer> => {
  const { engine } = ledger;
  // An environment that is gone from dedalus.yaml still has its records: a name is judged where it leads to none.
  const named = environment === undefined ? undefined : environmentAt(environment, desk);
  const nothing = (refusal: Refusal): RefusedAnswer =>
    refusedInput([named !== undefined && "code" in named ? named : refusal]);
  const meant = /^[0-9]+$/.test(vm) ? Number(vm) : await vmidNamed(engine, (await folded()).state, vm, environment);
  if (typeof meant === "object") return nothing(meant);
  if (!isVmid(meant)) return nothing(unrecorded(vm));
  const events: VmEvent[] = [];
  const known: Set<Ulid> = new Set();
  for await (const page of readConcerned(engine, await index(), meant)) {
    for (const record of page) {
      assertKnownRules(record);
      if (!sees(record.environment) || (environment !== undefined && record.environment !== environment)) continue;
      const answer = await answerIn(engine, record, meant);
      const isAnswered = answer !== undefined && answer.kind !== "in-sync";
      if (!(isAnswered || isAbout(record, meant, known))) continue;
      known.add(record.auditId);
      events.push({ ...eventOf(record), ...present({ answer }) });
    }
  }
  return events.length === 0 ? nothing(unrecorded(vm)) : { events, vmid: meant };
};

const unrecorded = (vm: string): Refusal => refuse("usage", { cause: "vm-unrecorded", facts: { vm } });

const vmidNamed = async (
  engine: Engine,
  state: State,
  name: string,
  environment: string | undefined,
): Promise<Vmid | Refusal> => {
  const found: { readonly environment: string; readonly vmid: Vmid }[] = [];
  const names: string[] = [];
  for (const [where] of entries(state.desired)) {
    if (environment !== undefined && where !== environment) continue;
    const registered = (await readRegisteredIn(engine, state, where))?.entries ?? [];
    for (const entry of registered) if (entry.name === name) found.push({ environment: where, vmid: entry.vmid });
    names.push(...registered.map((entry) => entry.name));
  }
  const [first, ...others] = found;
  if (first === undefined) {
    const meant = nearest(name, names);
    return meant === undefined
      ? unrecorded(name)
      : refuse("usage", { cause: "vm-unknown-meant", facts: { argument: "vms", found: name, meant } });
  }
  if (others.every(({ vmid }) => vmid === first.vmid)) return first.vmid;
  const several = found.map((one) => `${one.environment} ${one.vmid}`);
  return refuse("usage", { cause: "vm-ambiguous", facts: { argument: "vms", candidates: several, found: name } });
};

/** The record that one goes on with, where it names that instead of a VM. */
const goesOnWith = (body: RecordBody): Ulid | undefined => {
  switch (body.kind) {
    case "annotate":
      return body.request.about;
    case "cancel":
      return body.request.plan;
    case "revoke":
      return body.request.approval;
    case "dispatched":
    case "outcome":
    case "recover":
    case "reconcile":
      return body.request.intent;
    default:
      return undefined;
  }
};

const isAbout = (record: LedgerRecord, vmid: Vmid, known: ReadonlySet<Ulid>): boolean => {
  if (concernsVm(record, vmid)) return true;
  const body = bodyOf(record);
  if (body === undefined) return false;
  const before = goesOnWith(body);
  if (before !== undefined) return known.has(before);
  return body.result.kind === "unchanged" && known.has(body.result.plan);
};

/** Undefined where the record is no plan, or one in which everything is in sync: of those nobody asks one by one. */
const answerIn = async (engine: Engine, record: LedgerRecord, vmid: Vmid): Promise<PlanAnswer | undefined> => {
  const result = bodyOf(record)?.result;
  if (result?.kind !== "planned" || result.steps.size + result.refusals === 0) return undefined;
  const { plan }: { readonly plan: Plan } = JSON.parse(await readBlobText(engine, result.plan));
  return plan.answers.find((answer) => answer.vmid === vmid);
};

const eventOf = (record: LedgerRecord): VmEvent => {
  const { actor, auditId, environment, kind, processTime, seq } = record;
  const body = bodyOf(record);
  return {
    at: processTime,
    by: actor.id,
    ...present({ environment }),
    id: auditId,
    kind,
    ...(body === undefined ? {} : detailsOf(body)),
    seq,
  };
};

type Details = Pick<VmEvent, "action" | "end" | "intent" | "plan" | "reason" | "reference" | "refusals">;

const detailsOf = (body: RecordBody): Details => {
  const { result } = body;
  const refusals = result.kind === "refused" ? result.refusals : undefined;
  const reason = "reason" in body.request ? body.request.reason : undefined;
  // A plan that was answered again keeps its id.
  const plan = result.kind === "unchanged" ? result.plan : undefined;
  return { ...askedIn(body), ...present({ plan, reason, refusals }) };
};

const askedIn = (body: RecordBody): Details => {
  switch (body.kind) {
    case "plan":
      return present({ action: body.request.request?.action.kind });
    case "apply":
    case "approve":
    case "challenge":
    case "deny":
    case "request-approval":
      return { action: body.request.of.step.action.kind, plan: body.request.of.plan };
    case "cancel":
    case "revoke":
      return { plan: body.request.plan };
    case "outcome": {
      const { intent, reference, ...end } = body.request;
      return { end, intent, ...present({ reference }) };
    }
    case "dispatched":
      return { intent: body.request.intent, reference: body.request.reference };
    case "recover":
    case "reconcile":
      return { intent: body.request.intent };
    default:
      return {};
  }
};
