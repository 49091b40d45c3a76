// The commands that change VMs: apply, the short ones that plan one action and walk its apply, and what ends an unknown
// outcome.

import type { CommandRun, Usage } from "../command.ts";
import { CONFIG, type CommandWords, ENV } from "./command-words.ts";

const VMS = {
  help: "a VM by its number or name, or a range of numbers; of several, each is planned, asked about and applied alone",
  many: true,
  name: "VM",
  required: true,
} as const;
const VM = { help: "a VM by its number or name", name: "VM", required: true } as const;

type Short = Pick<Usage, "example" | "name" | "summary"> & Partial<Pick<Usage, "options" | "positionals">>;
type Run = keyof typeof import("../commands/short-action.ts");

const short = (run: Run, { options = [], positionals = [VMS], ...words }: Short): CommandWords => ({
  ...words,
  answer: "walked",
  load: async (): Promise<CommandRun> => (await import("../commands/short-action.ts"))[run],
  needsContract: true,
  place: "both",
  options: [ENV, ...options, CONFIG],
  positionals,
});

export const SHORT_COMMANDS: readonly CommandWords[] = [
  short("runStart", {
    example: ["dedalus start web-01"],
    name: "start",
    summary: "start a VM: plan it, ask, apply it",
  }),
  short("runShutdown", {
    example: ["dedalus shutdown 103"],
    name: "shutdown",
    summary: "shut down the guest of a VM: plan it, ask, apply it",
  }),
  short("runStop", {
    example: ["dedalus stop 103"],
    name: "stop",
    summary: "power off a VM without asking its guest: plan, ask, apply",
  }),
  short("runReboot", {
    example: ["dedalus reboot 103 104 --env home"],
    name: "reboot",
    summary: "reboot the guest of a VM: plan it, ask, apply it",
  }),
  short("runSnapshot", {
    example: ["dedalus snapshot web-01 before-upgrade"],
    name: "snapshot",
    positionals: [VM, { help: "the name of the new snapshot", name: "NAME", required: true }],
    summary: "take a snapshot of a VM: plan it, ask, apply it",
  }),
  short("runResize", {
    example: ["dedalus resize web-01 --memory 4GiB"],
    name: "resize",
    options: [
      { help: "how many CPUs it gets", name: "cpus", value: "N" },
      { help: "how much memory it gets, e.g. 4GiB", name: "memory", value: "SIZE" },
    ],
    summary: "change the CPUs or memory of a VM: plan it, ask, apply it",
  }),
];

export const APPLY_COMMANDS: readonly CommandWords[] = [
  ...SHORT_COMMANDS,
  {
    answer: "walked",
    example: [
      "dedalus apply",
      "dedalus apply plan.json",
      "dedalus apply 01KA4QJ5V8R3W2T6Y7Z8N9M0P1",
      "dedalus apply 01KA4QJ5V8R3W2T6Y7Z8N9M0P1 --step 1 --confirm EXPLANATION-HASH --out result.json",
    ],
    load: async () => (await import("../commands/apply.ts")).run,
    more: "In the order of vmid; it halts at the first step that does not succeed. Answers: y does the step; n, q and Enter end the walk; s leaves the step out and goes on; e explains it; ? lists them. A walk that left out or ended before a step exits 5, and 3 where nothing was executed.",
    name: "apply",
    needsContract: true,
    place: "both",
    options: [
      { help: "one step, counted from 1 (default: every step, in order)", name: "step", value: "N" },
      { help: "in scripts: the hash that explain --challenge gave you", name: "confirm", value: "HASH" },
      { help: "in scripts: the VM's name, where nothing can be undone", name: "name", value: "NAME" },
      { help: "write the outcome of one step as result.json", name: "out", value: "FILE" },
      CONFIG,
    ],
    positionals: [
      {
        help: "a recorded plan: its id, the beginning of it, or its plan.json (default: latest, what your last plan answered)",
        name: "PLAN",
        required: false,
      },
    ],
    summary: "ask about each step of a plan, and apply it",
  },
  {
    answer: "reconciled",
    example: ["dedalus reconcile --env home --vm 101"],
    load: async () => (await import("../commands/reconcile.ts")).run,
    name: "reconcile",
    needsContract: true,
    place: "both",
    options: [ENV, { help: "the blocked VM, by its number or name", name: "vm", required: true, value: "VM" }, CONFIG],
    positionals: [],
    summary: "resolve an unknown outcome by a new observation",
  },
];
