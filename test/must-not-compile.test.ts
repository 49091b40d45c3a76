// What must not compile: each offence is a text that the compiler turns down, beside a neighbour that it takes.
//
// The compiler itself is asked, so that a type which grows too wide turns red here, and one that takes nothing too.

import type { RuleId } from "../src/spine/rules/invariants.ts";
import { cannot, type Objection, type Pair } from "./cannot.ts";
import { compile } from "./compiles.ts";

type Case = { readonly offence: string; readonly neighbour: string };

const SOURCE =
  'import type { Observation } from "SRC/spine/model.ts";\nimport type { Source } from "SRC/adapters/source.ts";\n';
const OBSERVE = "observe: async (): Promise<Observation> => observation";
const POLICY = 'import type { Policy } from "SRC/spine/plan/policy.ts";\n';
const REFUSE = 'import { refuse } from "SRC/spine/rules/refusals.ts";\n';
const ROW = 'import type { RefusalRow } from "SRC/spine/rules/refusal-table.ts";\n';
const STAGE = 'stage: "plan"';
const MODEL = 'import type { Action, DesiredVm, PlanStep, Sha256, VmState, Vmid } from "SRC/spine/model.ts";\n';
const uses = "export type Used = [Action, DesiredVm, PlanStep, Sha256, VmState, Vmid];\n";
const RECORD = 'import type { Draft } from "SRC/ledger/record/record.ts";\n';
const ENTRY = 'kind: "desired", name: "web-01", vmid';

const HANDLES =
  'import type { PveReader } from "SRC/adapters/proxmox/api/pve-reader.ts";\nimport type { Leave, Sender } from "SRC/adapters/proxmox/api/sender.ts";\nimport type { GuestRef } from "SRC/adapters/proxmox/api/names.ts";\nexport type Handles = [PveReader, Leave, Sender, GuestRef];\n';

const USAGE = 'import type { Usage } from "SRC/cli/command.ts";\n';

const CASES = {
  "a command that names no answer": {
    neighbour: `${USAGE}export const named = (words: Omit<Usage, "answer">): Usage => ({ ...words, answer: "status" });`,
    offence: `${USAGE}export const named = (words: Omit<Usage, "answer">): Usage => ({ ...words });`,
  },
  "a policy that allows": {
    neighbour: `${POLICY}export const policy: Policy = { tighten: [{ action: "vm.stop", to: "refused" }], version: 1 };`,
    offence: `${POLICY}export const policy: Policy = { tighten: [{ action: "vm.stop", to: "read" }], version: 1 };`,
  },
  "a policy with a word of its own": {
    neighbour: `${POLICY}export const policy: Policy = { tighten: [], version: 1 };`,
    offence: `${POLICY}export const policy: Policy = { allow: ["vm.stop"], tighten: [], version: 1 };`,
  },
  "a record of nobody": {
    neighbour: `${RECORD}export const made = (draft: Omit<Draft, "environment">): Draft => ({ ...draft });`,
    offence: `${RECORD}export const made = (draft: Omit<Draft, "actor">): Draft => ({ ...draft });`,
  },
  "a record of no configuration": {
    neighbour: `${RECORD}export const made = (draft: Omit<Draft, "causationId">): Draft => ({ ...draft });`,
    offence: `${RECORD}export const made = (draft: Omit<Draft, "configHash">): Draft => ({ ...draft });`,
  },
  "a refusal of a code that nobody listed": {
    neighbour: `${REFUSE}export const no = refuse("identity-required", { cause: "planned" });`,
    offence: `${REFUSE}export const no = refuse("no", { cause: "planned" });`,
  },
  "a refusal without a reason": {
    neighbour: `${REFUSE}export const no = refuse("identity-required", { cause: "planned" });`,
    offence: `${REFUSE}export const no = refuse("identity-required", {});`,
  },
  "a refusal in a sentence": {
    neighbour: `${REFUSE}export const no = refuse("usage", { cause: "rule-unknown", facts: { rule: "P9" } });`,
    offence: `${REFUSE}export const no = refuse("usage", { because: "there is no rule P9", next: "See: dedalus rules" });`,
  },
  "a refusal without a rule": {
    neighbour: `${ROW}export const row: RefusalRow = { ${STAGE}, rule: "N1" };`,
    offence: `${ROW}export const row: RefusalRow = { ${STAGE} };`,
  },
  "a node that was not checked": {
    neighbour: `${HANDLES}${MODEL}${uses}export const guest = (at: GuestRef, vmid: Vmid): GuestRef => ({ ...at, vmid });`,
    offence: `${HANDLES}${MODEL}${uses}export const guest = (at: GuestRef, vmid: Vmid): GuestRef => ({ ...at, node: "../access", vmid });`,
  },
  "a parameter that a call does not have": {
    neighbour: `${HANDLES}export const act = (sender: Sender, guest: GuestRef, leave: Leave) => sender.stop(guest, leave);`,
    offence: `${HANDLES}export const act = (sender: Sender, guest: GuestRef, leave: Leave) => sender.stop(guest, { ...leave, skiplock: 1 });`,
  },
  "a path handed to a sender": {
    neighbour: `${HANDLES}export const act = (sender: Sender, guest: GuestRef, leave: Leave) => sender.start(guest, leave);`,
    offence: `${HANDLES}export const act = (sender: Sender, leave: Leave) => sender.start("/nodes/pve1/qemu/101", leave);`,
  },
  "a reader that acts": {
    neighbour: `${HANDLES}export const see = (reader: PveReader, guest: GuestRef, signal: AbortSignal) => reader.status(guest, signal);`,
    offence: `${HANDLES}export const see = (reader: PveReader, guest: GuestRef, signal: AbortSignal) => reader.start(guest, signal);`,
  },
  "a source with a verb": {
    neighbour: `${SOURCE}declare const observation: Observation;\nexport const source: Source = { ${OBSERVE} };`,
    offence: `${SOURCE}declare const observation: Observation;\nexport const source: Source = { ${OBSERVE}, stop: async () => observation };`,
  },
  "a state that an observer changes": {
    neighbour: `${MODEL}${uses}export const see = (state: VmState) => state.status === "stopped";`,
    offence: `${MODEL}${uses}export const see = (state: VmState) => (state.status = "stopped");`,
  },
  "a verb reached through a source": {
    neighbour: `${SOURCE}export const see = (source: Source): Promise<Observation> => source.observe([], AbortSignal.abort());`,
    offence: `${SOURCE}export const see = (source: Source): Promise<Observation> => source.stop([], AbortSignal.abort());`,
  },
  "a stop that does not say how": {
    neighbour: `${MODEL}${uses}export const entry = (vmid: Vmid): DesiredVm => ({ ${ENTRY}, stop: "shutdown", target: "stopped" });`,
    offence: `${MODEL}${uses}export const entry = (vmid: Vmid): DesiredVm => ({ ${ENTRY}, target: "stopped" });`,
  },
  "a step with two actions": {
    neighbour: `${MODEL}${uses}export const also = (step: PlanStep, action: Action): PlanStep => ({ ...step, action });`,
    offence: `${MODEL}${uses}export const also = (step: PlanStep, action: Action): PlanStep => ({ ...step, action: [action, action] });`,
  },
  "an action outside the catalogue": {
    neighbour: `${MODEL}${uses}export const action: Action = { kind: "vm.start" };`,
    offence: `${MODEL}${uses}export const action: Action = { kind: "vm.exec" };`,
  },
  "a plain number for a vmid": {
    neighbour: `${MODEL}${uses}export const entry = (vmid: Vmid): DesiredVm => ({ ${ENTRY}, target: "running" });`,
    offence: `${MODEL}${uses}export const entry = (vmid: number): DesiredVm => ({ ${ENTRY}, target: "running" });`,
  },
} as const satisfies Record<string, Case>;

type Side = keyof Case;
const titled = (name: string, side: Side): string => `${side}: ${name}`;

/** One run of the compiler serves every test of this file. */
let compiled: ReadonlyMap<string, readonly string[]> | undefined;
const objections = (rule: RuleId, name: keyof typeof CASES, side: Side): readonly Objection[] => {
  compiled ??= compile(
    new Map(
      Object.entries(CASES).flatMap(([each, { neighbour, offence }]) => [
        [titled(each, "offence"), offence],
        [titled(each, "neighbour"), neighbour],
      ]),
    ),
  );
  return (compiled.get(titled(name, side)) ?? [`${name} was not compiled`]).map((diagnostic) => ({ diagnostic, rule }));
};

const compiling = (rule: RuleId, name: keyof typeof CASES): Pair => ({
  neighbour: () => objections(rule, name, "neighbour"),
  offence: () => objections(rule, name, "offence"),
});

cannot("N3", "give a source a verb", compiling("N3", "a source with a verb"));
cannot("N3", "reach a verb through a source", compiling("N3", "a verb reached through a source"));
cannot("N3", "change a state while observing it", compiling("N3", "a state that an observer changes"));
cannot("P7-A3", "write a policy that allows", compiling("P7-A3", "a policy that allows"));
cannot("P7-A3", "teach a policy another word", compiling("P7-A3", "a policy with a word of its own"));
cannot("P7-O2", "refuse without a rule", compiling("P7-O2", "a refusal without a rule"));
cannot("P7-O2", "refuse with a code that nobody listed", compiling("P7-O2", "a refusal of a code that nobody listed"));
cannot("P7-O2", "refuse without a reason", compiling("P7-O2", "a refusal without a reason"));
cannot("N7", "refuse in a sentence", compiling("N7", "a refusal in a sentence"));
cannot("P7-O3", "record what nobody did", compiling("P7-O3", "a record of nobody"));
cannot("P7-O3", "record under no configuration", compiling("P7-O3", "a record of no configuration"));
cannot("P7-A2", "desire a stop without saying how", compiling("P7-A2", "a stop that does not say how"));
cannot("P7-E1", "put two actions into one step", compiling("P7-E1", "a step with two actions"));
cannot("B7", "name an action outside the catalogue", compiling("B7", "an action outside the catalogue"));
cannot("N3", "act through the handle that reads a live provider", compiling("N3", "a reader that acts"));
cannot("B7", "hand a path to a live provider", compiling("B7", "a path handed to a sender"));
cannot("B7", "name a node that was not checked", compiling("B7", "a node that was not checked"));
cannot("B7", "add a parameter to a call", compiling("B7", "a parameter that a call does not have"));
cannot(
  "P7-F1",
  "list a command without the answer that it prints",
  compiling("P7-F1", "a command that names no answer"),
);
cannot("N8", "take a plain number for a vmid", compiling("N8", "a plain number for a vmid"));
