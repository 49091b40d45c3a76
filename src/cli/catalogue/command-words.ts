// What an entry of the catalogue is, and the words that several commands share: options with their help.

import type { CommandRun, OptionSpec, Usage } from "../command.ts";

export type CommandEntry = Usage & { readonly load: () => Promise<CommandRun> };
/** Its group is given by the file that it stands in. */
export type CommandWords = Omit<CommandEntry, "group">;

export const DESIRED: OptionSpec = { help: "the desired.yaml to plan for", name: "desired", value: "FILE" };
export const REPLAY: OptionSpec = {
  help: "a recorded observation (current.json, or a bare list of VM states)",
  name: "replay",
  value: "FILE",
};
export const ONLY: OptionSpec = {
  help: "only these VMs: numbers, names and ranges, e.g. 101,web-02,110-119",
  name: "only",
  value: "VMS",
};
export const COMPLETE: OptionSpec = {
  help: "the list given to --replay is complete: a VM that is not in it is missing",
  name: "complete",
};

export const CONFIG: OptionSpec = {
  help: "the configuration (default: DEDALUS_CONFIG, or dedalus.yaml in this folder or above it)",
  name: "config",
  value: "FILE",
};

export const ENV: OptionSpec = {
  help: "the environment (default: DEDALUS_ENV, or the only one of dedalus.yaml)",
  name: "env",
  value: "NAME",
};
/** A narrower scope: the default is everything, whatever DEDALUS_ENV says. */
export const SOME_ENV: OptionSpec = { ...ENV, help: "one environment (default: everything)" };
export const STEP: OptionSpec = {
  help: "the step, counted from 1 (default: the first)",
  name: "step",
  value: "N",
};
export const REASON: OptionSpec = { help: "why; it is recorded", name: "reason", required: true, value: "TEXT" };
export const PLAN_ID = {
  help: "a recorded plan: its id, the beginning of it, or latest",
  name: "PLAN",
  required: true,
} as const;
/** For whoever decides on what they read. */
export const PLAN_READ = { ...PLAN_ID, help: "a recorded plan: its id, or the beginning of it" } as const;
