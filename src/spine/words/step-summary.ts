// One step in one line, and the question about it: what somebody reads who walks a plan step by step.
//
// The whole explanation stays what is agreed to, and is one key away; these words repeat it and are in no hash. Not here:
// colour and columns (cli/views).

import type { Action, ActionKind, ExplainedStep, Facts, Tier, Vmid } from "../model.ts";
import { bytesText } from "./template.ts";

/** What the summary is made from: the explanation of the step. */
export type Summarised = { readonly facts: Facts; readonly step: ExplainedStep; readonly vmid: Vmid };

type Row = { readonly sign: "+" | "-" | "~"; readonly verb: string };

const ROWS: Readonly<Record<ActionKind, Row>> = {
  "vm.clone": { sign: "+", verb: "clone" },
  "vm.delete": { sign: "-", verb: "delete" },
  "vm.migrate": { sign: "~", verb: "migrate" },
  "vm.reboot": { sign: "~", verb: "reboot" },
  "vm.reset": { sign: "~", verb: "reset" },
  "vm.resize": { sign: "~", verb: "resize" },
  "vm.resume": { sign: "+", verb: "resume" },
  "vm.shutdown": { sign: "-", verb: "shut down" },
  "vm.snapshot.create": { sign: "+", verb: "snapshot" },
  "vm.snapshot.delete": { sign: "-", verb: "delete a snapshot of" },
  "vm.snapshot.rollback": { sign: "~", verb: "roll back" },
  "vm.start": { sign: "+", verb: "start" },
  "vm.stop": { sign: "-", verb: "power off" },
  "vm.suspend": { sign: "-", verb: "suspend" },
};

/** `~ resize web-02: memory 2 GiB → 4 GiB, pending until restart  [medium]` */
export const stepSummary = (of: Summarised, tier: Tier | undefined): string => {
  const { sign } = ROWS[of.step.action.kind];
  const told = [...changesTold(of), ...effectsTold(of.step)];
  const behind = told.length === 0 ? "" : `: ${told.join(", ")}`;
  return `${sign} ${stepTitle(of.step)}${behind}${tier === undefined ? "" : `  [${tier}]`}`;
};

/** `resize web-02` */
const stepTitle = ({ action, name }: Pick<ExplainedStep, "action" | "name">): string =>
  `${ROWS[action.kind].verb} ${name}`;

/** `Resize web-02 (VM 102)?` */
export const stepQuestion = ({ step, vmid }: Summarised): string => {
  const title = stepTitle(step);
  return `${title.slice(0, 1).toUpperCase()}${title.slice(1)} (VM ${vmid})?`;
};

const changesTold = ({ facts, step }: Summarised): readonly string[] => {
  const { action } = step;
  if (action.kind === "vm.resize") return sizesTold(action, facts);
  if ("snapshot" in action) return [action.snapshot];
  const { observedStatus, wantedStatus } = facts;
  return typeof observedStatus === "string" && typeof wantedStatus === "string"
    ? [`${observedStatus} → ${wantedStatus}`]
    : [];
};

const sizesTold = (
  { cpus, memory }: Extract<Action, { readonly kind: "vm.resize" }>,
  facts: Facts,
): readonly string[] => {
  const { observedCpus, observedMemory } = facts;
  return [
    ...(cpus === undefined ? [] : [`cpus ${observedCpus ?? "not seen"} → ${cpus}`]),
    ...(memory === undefined
      ? []
      : [
          `memory ${typeof observedMemory === "number" ? bytesText(observedMemory) : "not seen"} → ${bytesText(memory)}`,
        ]),
  ];
};

/** That a start starts and a stop stops is said by the verb. */
const effectsTold = ({ action, applies, power }: ExplainedStep): readonly string[] => [
  ...(power === "interrupts" ? ["interrupts the guest"] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "starts" ? ["starts the guest"] : []),
  ...(action.kind === "vm.snapshot.rollback" && power === "stops" ? ["stops the guest"] : []),
  ...(applies === "at-restart" ? ["pending until restart"] : []),
];
