// The short commands, each of which plans one action and walks its apply: their words here, their code loaded only when one
// of them runs.

import { CONFIG, type CommandEntry, ENV } from "./arguments/command-words.ts";
import type { CommandRun, Usage } from "./command.ts";

const VMS = {
  help: "a VM by its number or name, or a range of numbers; of several, each is planned, asked about and applied alone",
  many: true,
  name: "VM",
  required: true,
} as const;
const VM = { help: "a VM by its number or name", name: "VM", required: true } as const;

type Short = Pick<Usage, "example" | "name" | "summary"> & Partial<Pick<Usage, "options" | "positionals">>;
type Run = keyof typeof import("./commands/short-action.ts");

const short = (run: Run, { options = [], positionals = [VMS], ...words }: Short): CommandEntry => ({
  ...words,
  group: "apply",
  answer: "walked",
  load: async (): Promise<CommandRun> => (await import("./commands/short-action.ts"))[run],
  needsContract: true,
  options: [ENV, ...options, CONFIG],
  positionals,
});

export const SHORT_COMMANDS: readonly CommandEntry[] = [
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
