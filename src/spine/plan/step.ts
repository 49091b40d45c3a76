// The making of a step: one action on one VM, unless the provider or the VM's state speaks against it.
//
// A step carries everything that is needed to explain it, and a hash over all of it. Keeps P7-F1: what is known to be
// refused is not planned. Not here: which action a desired entry comes down to (drift-step.ts, requested-step.ts).

import type {
  Action,
  ActionKind,
  DesiredEntry,
  Facts,
  PlanStep,
  Power,
  Protection,
  Refusal,
  StepReason,
  VmState,
} from "../model.ts";
import { unmet } from "../rules/actions.ts";
import { refuse, refuseStated } from "../rules/refusals.ts";
import { sha256 } from "../values/hash.ts";
import { basisOf } from "../values/observation.ts";
import { entryOf } from "./desired-state.ts";
import { inOrderOfFacts, type StepFact, type StepFacts } from "./facts.ts";
import { protectedBecause } from "./protection.ts";
import { rollbackEnd } from "./rollback.ts";
import type { Sizes } from "./sizes.ts";
import type { SpineRules } from "./spine-rules.ts";

/** A running guest that does not execute is called paused. */
export const statusText = ({ paused, status }: VmState): VmState["status"] | "paused" =>
  status === "running" && paused === true ? "paused" : status;

/** What some actions are asked for: a VM that is that already needs nothing. */
const LEADS_TO: { readonly [K in ActionKind]?: "running" | "stopped" } = {
  "vm.resume": "running",
  "vm.shutdown": "stopped",
  "vm.start": "running",
  "vm.stop": "stopped",
};

/** The step, unless the provider or the VM's state speaks against the action. */
export const stepOr = (
  rules: SpineRules,
  entry: DesiredEntry,
  state: VmState,
  action: Action,
  reason: StepReason,
  more?: StepFacts,
): PlanStep | Refusal => {
  const { vmid } = entry;
  const blocker = state.blockers?.find(({ actions }) => actions === "all" || actions.includes(action.kind));
  if (blocker !== undefined) {
    return refuseStated("blocked-by-provider", blocker, { facts: { action: action.kind, name: entry.name }, vmid });
  }
  const row = rules.actions[action.kind];
  const cause = unmet(row, state);
  if (cause !== undefined) {
    const neededStatus = row.before.status;
    const facts = { action: action.kind, name: entry.name, neededStatus, observedStatus: statusText(state) };
    const isThere = LEADS_TO[action.kind] === statusText(state);
    if (isThere) return refuse("state-unfit", { cause: "status-reached", facts, vmid });
    return refuse("state-unfit", { cause, facts, vmid });
  }
  return stepOf(rules, entry, state, action, reason, more);
};

const stepOf = (
  rules: SpineRules,
  entry: DesiredEntry,
  state: VmState,
  action: Action,
  reason: StepReason,
  more?: StepFacts,
): PlanStep => {
  const protection = protectedBecause(entry, state, rules);
  const row = rules.actions[action.kind];
  const waits =
    action.kind === "vm.resize" && state.status === "running" && state.resize !== "hot" && differs(action, state);
  return sealed({
    action: inKeyOrder(action),
    applies: waits ? "at-restart" : "now",
    basis: basisOf(state),
    entry: entryOf(entry),
    facts: factsOf(entry, state, more, protection),
    kind: "step",
    name: entry.name,
    power: powerOf(action, state) ?? row.power,
    protected: protection !== undefined,
    reason,
    undo: row.undo,
    vmid: entry.vmid,
  });
};

/** Where it follows from the snapshot and not from the action alone. */
const powerOf = (action: Action, state: VmState): Power | undefined =>
  action.kind === "vm.snapshot.rollback" ? rollbackEnd(state, action.snapshot)?.power : undefined;

/** Taking back a size that only waits changes nothing that runs. */
const differs = ({ cpus, memory }: Sizes, state: VmState): boolean =>
  (cpus !== undefined && cpus !== state.cpus) || (memory !== undefined && memory !== state.maxmem);

const factsOf = (entry: DesiredEntry, state: VmState, more: StepFacts | undefined, protection?: Protection): Facts => {
  const facts: { -readonly [K in StepFact]?: string | number } = { ...more };
  if (entry.kind === "desired") facts.desiredStatus = entry.target;
  // Only an identity that was compared is evidence.
  if (entry.identity !== undefined && state.identity !== undefined) facts.observedIdentity = state.identity;
  facts.observedStatus = statusText(state);
  if (protection !== undefined) facts.protectedBecause = protection;
  return more === undefined ? facts : inOrderOfFacts(facts);
};

const inKeyOrder = (action: Action): Action => {
  switch (action.kind) {
    case "vm.resize":
      return resizeTo(action);
    case "vm.snapshot.create":
    case "vm.snapshot.rollback":
    case "vm.snapshot.delete":
      return { kind: action.kind, snapshot: action.snapshot };
    case "vm.clone":
      return { kind: action.kind, name: action.name, to: action.to };
    case "vm.migrate":
      return { kind: action.kind, node: action.node };
    default:
      return { kind: action.kind };
  }
};

/** Written out like the bodies below: spreading conditional members is slower where steps are many. */
const resizeTo = ({ cpus, memory }: Sizes): Action => {
  const kind = "vm.resize";
  if (cpus === undefined) return memory === undefined ? { kind } : { kind, memory };
  return memory === undefined ? { cpus, kind } : { cpus, kind, memory };
};

type Body = Omit<PlanStep, "hash">;

/** Of a body whose keys are in order already. */
const hashOf = (body: Body): PlanStep["hash"] => sha256(JSON.stringify(body));

/**
 * What a step's hash is the hash of: every other field, keys in order. A step whose hash fits is the step that was
 * planned. The fields are written out here and below, because taking an object apart and together again is slower where
 * steps are many.
 */
export const stepText = (body: Body): string =>
  JSON.stringify({
    action: body.action,
    applies: body.applies,
    basis: body.basis,
    entry: body.entry,
    facts: body.facts,
    kind: body.kind,
    name: body.name,
    power: body.power,
    protected: body.protected,
    reason: body.reason,
    undo: body.undo,
    vmid: body.vmid,
  });

export const stepHash = (body: Body): PlanStep["hash"] => sha256(stepText(body));

/** Of a body whose keys are in order, as stepOf makes it. */
const sealed = (body: Body): PlanStep => ({
  action: body.action,
  applies: body.applies,
  basis: body.basis,
  entry: body.entry,
  facts: body.facts,
  hash: hashOf(body),
  kind: body.kind,
  name: body.name,
  power: body.power,
  protected: body.protected,
  reason: body.reason,
  undo: body.undo,
  vmid: body.vmid,
});
