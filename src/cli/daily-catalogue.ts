// The commands of every day that only read: their words here, their code loaded only when one of them runs.

import { CONFIG, type CommandEntry, ENV } from "./arguments/command-words.ts";

const { required: _, ...NAMED } = ENV;
const ONLY_ENV = { ...NAMED, help: "the environment of dedalus.yaml (default: the only one)" } as const;

export const DAILY_COMMANDS: readonly CommandEntry[] = [
  {
    example: ["dedalus drift", "dedalus drift --env home --json"],
    load: async () => (await import("./commands/drift.ts")).run,
    name: "drift",
    needsContract: true,
    options: [ONLY_ENV, CONFIG],
    positionals: [],
    summary: "observe and list what differs from what is registered; records nothing, exits 4 on drift",
  },
];
