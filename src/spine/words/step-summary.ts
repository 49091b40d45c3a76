// One step in one line, and the question about it: what somebody reads of a plan, of drift, and who walks a plan step by step.
//
// The whole explanation stays what is agreed to, and is one key away; these words repeat it and are in no hash. Not here:
// signs, colour and columns (cli/views).

import type { Action, ActionKind, ExplainedStep, Facts, Tier, Vmid } from "../model.ts";
import { bytesText } from "./template.ts";

/** What the summary is made from: the step of a plan, or of its explanation. */
export type Summarised = {
  readonly facts: Facts;
  readonly step: Pick<ExplainedStep, "action" | "applies" | "name" | "power" | "reason">;
  readonly vmid: Vmid;
};

const VERBS: Readonly<Record<ActionKind, string>> = {
  "vm.clone": "clone",
  "vm.delete": "delete",
  "vm.migrate": "migrate",
  "vm.reboot": "reboot",
  "vm.reset": "reset",
  "vm.resize": "resize",
  "vm.resume": "resume",
  "vm.shutdown": "shut down",
  "vm.snapshot.create": "snapshot",
  "vm.snapshot.delete": "delete a snapshot of",
  "vm.snapshot.rollback": "roll back",
  "vm.start": "start",
  "vm.stop": "power off",
  "vm.suspend": "suspend",
};

/** `resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepSummary = (of: Summarised, tier?: Tier): string => {
  const told = [...changesTold(of), ...effectsTold(of.step), ...laterTold(of.facts)];
  const behind = told.length === 0 ? "" : `: ${told.join(", ")}`;
  return `${actionTitle(of.step.action.kind, of.step.name)}${behind}${tier === undefined ? "" : `  [${tier}]`}`;
};

/** `resize web-02` */
export const actionTitle = (kind: ActionKind, name: string): string => `${VERBS[kind]} ${name}`;

/** `Resize web-02 (VM 102)?` */
export const stepQuestion = ({ step, vmid }: Summarised): string => {
  const title = actionTitle(step.action.kind, step.name);
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)} (VM ${vmid})?`;
};

/** What a VM is after an action that was asked for, whatever is registered of it. */
const STATUS_AFTER: { readonly [K in ActionKind]?: string } = {
  "vm.resume": "running",
  "vm.shutdown": "stopped",
  "vm.start": "running",
  "vm.stop": "stopped",
};

const changesTold = ({ facts, step }: Summarised): readonly string[] => {
  const { action, reason } = step;
  if (action.kind === "vm.resize") return sizesTold(action, facts);
  if (action.kind === "vm.snapshot.rollback") return [`to snapshot ${action.snapshot}`];
  if ("snapshot" in action) return [action.snapshot];
  return statusTold(facts, reason === "requested" ? STATUS_AFTER[action.kind] : facts["wantedStatus"]);
};

const statusTold = ({ observedStatus }: Facts, after: unknown): readonly string[] =>
  typeof observedStatus === "string" && typeof after === "string" ? [`${observedStatus} → ${after}`] : [];

const sizesTold = (
  { cpus, memory }: Pick<Extract<Action, { readonly kind: "vm.resize" }>, "cpus" | "memory">,
  facts: Facts,
): readonly string[] => [
  ...(cpus === undefined ? [] : [`cpus ${seen(facts["observedCpus"], facts["pendingCpus"], String)} → ${cpus}`]),
  ...(memory === undefined
    ? []
    : [`memory ${seen(facts["observedMemory"], facts["pendingMemory"], bytesText)} → ${bytesText(memory)}`]),
];

const seen = (observed: unknown, pending: unknown, text: (size: number) => string): string => {
  const now = typeof observed === "number" ? text(observed) : "not seen";
  return typeof pending === "number" ? `${now} (${text(pending)} pending)` : now;
};

/** That a start starts and a stop stops is said by the verb. */
const effectsTold = ({ action, applies, power }: Summarised["step"]): readonly string[] => [
  ...(power === "interrupts" ? ["interrupts the guest"] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "starts" ? ["starts the guest"] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "stops" ? ["stops the guest"] : []),
  ...(applies === "at-restart" ? ["pending until restart"] : []),
];

/** One step for one VM: what else differs waits for the next plan. */
const laterTold = (facts: Facts): readonly string[] => {
  const { later, wantedCpus, wantedMemory, wantedStatus } = facts;
  const sizes = {
    ...(typeof wantedCpus === "number" ? { cpus: wantedCpus } : {}),
    ...(typeof wantedMemory === "number" ? { memory: wantedMemory } : {}),
  };
  const told = later === "size" ? sizesTold(sizes, facts) : later === "status" ? statusTold(facts, wantedStatus) : [];
  return told.length === 0 ? [] : [`then ${told.join(" and ")} in a later plan`];
};
