// The commands that show what is there, and how things stand.

import { CONFIG, type CommandWords, ENV, SOME_ENV } from "./command-words.ts";

const EACH_ENV = { ...ENV, help: "one environment (default: DEDALUS_ENV, or all)" } as const;

export const OBSERVE_COMMANDS: readonly CommandWords[] = [
  {
    answer: "inventory",
    example: ["dedalus import --env home --out desired.yaml"],
    load: async () => (await import("../commands/import.ts")).run,
    more: "The one command that lists what nobody wrote down. It records nothing.",
    name: "import",
    needsContract: true,
    options: [ENV, { help: "write it to this file, which must not exist", name: "out", value: "FILE" }, CONFIG],
    positionals: [],
    summary: "list what is at the provider, as a desired.yaml to edit",
  },
  {
    answer: "drift",
    example: ["dedalus drift", "dedalus drift --env home --json"],
    load: async () => (await import("../commands/drift.ts")).run,
    more: "It observes and compares, records nothing, and closes no plan.",
    name: "drift",
    needsContract: true,
    options: [ENV, CONFIG],
    positionals: [],
    summary: "show what differs from what is registered; exits 4 on drift",
  },
  {
    answer: "vms",
    example: ["dedalus list", "dedalus list --env home"],
    load: async () => (await import("../commands/list.ts")).run,
    more: "No provider is asked.",
    name: "list",
    needsContract: true,
    options: [EACH_ENV, CONFIG],
    positionals: [],
    summary: "list the registered VMs, and how each was last observed",
  },
  {
    answer: "history",
    example: ["dedalus history 101", "dedalus history web-01 --env home"],
    load: async () => (await import("../commands/history.ts")).run,
    name: "history",
    needsContract: true,
    options: [EACH_ENV, CONFIG],
    positionals: [{ help: "its vmid, or its registered name", name: "VM", required: true }],
    summary: "list every record that concerns one VM, newest last",
  },
  {
    answer: "observed",
    example: ["dedalus observe --env home --out current.json"],
    load: async () => (await import("../commands/observe.ts")).run,
    name: "observe",
    needsContract: true,
    options: [ENV, { help: "write the observation as current.json", name: "out", value: "FILE" }, CONFIG],
    positionals: [],
    summary: "observe the registered VMs and record what was seen",
  },
  {
    answer: "status",
    example: ["dedalus status", "dedalus status --vm web-01"],
    load: async () => (await import("../commands/status.ts")).run,
    more: "It exits 5 while a VM is blocked or an intent is past its end.",
    name: "status",
    needsContract: true,
    options: [SOME_ENV, { help: "one VM, by its number or name", name: "vm", value: "VM" }, CONFIG],
    positionals: [],
    summary: "show what is open, blocked or frozen, and the last outcomes",
  },
];
