// The commands of every day that only read: their words here, their code loaded only when one of them runs.

import { CONFIG, type CommandEntry, ENV } from "./arguments/command-words.ts";

const EACH_ENV = { ...ENV, help: "one environment (default: DEDALUS_ENV, or all)" } as const;

export const DAILY_COMMANDS: readonly CommandEntry[] = [
  {
    answer: "inventory",
    example: ["dedalus import --env home --out desired.yaml"],
    load: async () => (await import("./commands/import.ts")).run,
    group: "observe",
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
    load: async () => (await import("./commands/drift.ts")).run,
    group: "observe",
    more: "It observes and compares, records nothing, and closes no plan.",
    name: "drift",
    needsContract: true,
    options: [ENV, CONFIG],
    positionals: [],
    summary: "what differs from what is registered; exits 4 on drift",
  },
  {
    answer: "vms",
    example: ["dedalus list", "dedalus list --env home"],
    load: async () => (await import("./commands/list.ts")).run,
    group: "observe",
    more: "No provider is asked.",
    name: "list",
    needsContract: true,
    options: [EACH_ENV, CONFIG],
    positionals: [],
    summary: "the registered VMs, and how each was observed last",
  },
  {
    answer: "history",
    example: ["dedalus history 101", "dedalus history web-01 --env home"],
    load: async () => (await import("./commands/history.ts")).run,
    group: "observe",
    name: "history",
    needsContract: true,
    options: [EACH_ENV, CONFIG],
    positionals: [{ help: "its vmid, or its registered name", name: "VM", required: true }],
    summary: "every record that concerns one VM, newest last",
  },
  {
    answer: "whoami",
    example: ["dedalus whoami", "dedalus whoami --json"],
    load: async () => (await import("./commands/whoami.ts")).run,
    group: "setup",
    name: "whoami",
    needsContract: true,
    options: [CONFIG],
    positionals: [],
    summary: "who you are here, by what, and with which roles",
  },
];
