// The closed list of commands, joined of one file for each group of the overview: their words there, their code loaded
// only when one of them runs.
//
// Loading one module per command keeps --help about as fast as starting Node. A command's name is one word or two;
// those of two with the same first word are a family, and the first word alone may be a command as well.

import type { CommandGroup } from "../command.ts";
import { APPLY_COMMANDS } from "./apply-commands.ts";
import type { CommandEntry, CommandWords } from "./command-words.ts";
import { DECIDE_COMMANDS } from "./decide-commands.ts";
import { LEDGER_COMMANDS } from "./ledger-commands.ts";
import { OBSERVE_COMMANDS } from "./observe-commands.ts";
import { PEOPLE_COMMANDS } from "./people-commands.ts";
import { PLAN_COMMANDS } from "./plan-commands.ts";
import { SETUP_COMMANDS } from "./setup-commands.ts";

/** What the commands under one first word are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  ledger: "the records: show, verify, export, back up, move",
  policy: "what an operator adds to the rules: check a file",
  token: "who may ask as whom: create, rotate, revoke, list",
};

/** It is made from all commands, so it is handed them here. */
const COMPLETION: CommandWords = {
  answer: "completion",
  example: ["dedalus completion bash", "dedalus completion fish"],
  load: async () => (await import("../commands/completion.ts")).completionOf({ commands: COMMANDS, groups: GROUPS }),
  name: "completion",
  needsContract: true,
  place: "program",
  options: [],
  positionals: [{ help: "bash, zsh or fish", name: "SHELL", required: true }],
  summary: "print a completion script for your shell",
};

const of = (group: CommandGroup, words: readonly CommandWords[]): readonly CommandEntry[] =>
  words.map((one) => ({ ...one, group }));

export const COMMANDS: readonly CommandEntry[] = [
  ...of("observe", OBSERVE_COMMANDS),
  ...of("plan", PLAN_COMMANDS),
  ...of("decide", DECIDE_COMMANDS),
  ...of("apply", APPLY_COMMANDS),
  ...of("ledger", LEDGER_COMMANDS),
  ...of("setup", [...SETUP_COMMANDS, ...PEOPLE_COMMANDS, COMPLETION]),
];
