// Refuses a password on the command line; finds the command, reads its arguments, verifies the contract, runs it.
//
// The contract comes first: when DESIGN.md is not the text this code serves, nothing runs that could decide.

import type { Refusal } from "../spine/model.ts";
import { contractBroken } from "../spine/rules/contract.ts";
import { type About, refuse } from "../spine/rules/refusals.ts";
import { nearest } from "../spine/values/nearest.ts";
import { readArguments } from "./arguments/arguments.ts";
import { withoutLeading } from "./arguments/leading-options.ts";
import { secretAddressRefusal } from "./arguments/secret-address.ts";
import { checkToken } from "./asking/token-given.ts";
import { COMMANDS, GROUPS } from "./catalogue/catalogue.ts";
import type { CommandEntry } from "./catalogue/command-words.ts";
import { commandsOf, findCommand } from "./catalogue/find-command.ts";
import type { Arguments } from "./command.ts";
import { badInput, failed } from "./failed-outcome.ts";
import { readContract } from "./files/own-files.ts";
import type { Outcome } from "./outcome.ts";
import type { Io } from "./process/io.ts";
import { LOOKUP_COMMAND } from "./views/completion/completed.ts";

export const performCommand = async (argv: readonly string[], io: Io): Promise<Outcome> => {
  if (argv[0] === LOOKUP_COMMAND)
    return (await import("./commands/complete-words.ts")).completeWords(argv.slice(1), io);
  const secret = secretAddressRefusal(argv);
  if (secret !== undefined) return badInput([secret]);
  const { server, words } = withoutLeading(argv);
  const [word] = words;
  if (word === undefined) return badUsage({ cause: "command-missing" });
  if (VERSION_WORDS.has(word)) return (await import("./commands/version.ts")).showVersion();
  const found = findCommand(word === "help" ? words.slice(1) : words);
  if (found.kind === "group") return unknownInGroup(found.group, found.word);
  if (found.kind === "nothing") return unknownCommand(found.word ?? word);
  const given = readArguments(found.entry, [...server, ...found.rest]);
  return isArguments(given) ? performEntry(found.entry, given, io) : badInput(given);
};

/** As git and gh have them; -v of a command is no option of it, and never means --verbose. */
const VERSION_WORDS: ReadonlySet<string> = new Set(["version", "--version", "-v"]);

const isArguments = (given: ReturnType<typeof readArguments>): given is Arguments => "flags" in given;

const performEntry = async (entry: CommandEntry, given: Arguments, io: Io): Promise<Outcome> => {
  const broken = entry.needsContract ? contractBroken(readContract()) : undefined;
  if (broken !== undefined) return failed("contract", "validation", [broken]);
  const nobody = checkToken();
  if (nobody !== undefined) return failed("refused", "kernel", [nobody]);
  const unasked = given.text.has("server") ? placeRefusal(entry) : undefined;
  return unasked === undefined ? (await entry.load())(given, io) : badInput([unasked]);
};

/** A command that asks no service is told so where one is named; a variable of the shell names one for the others. */
const placeRefusal = ({ name: command, place }: CommandEntry): Refusal | undefined =>
  place === "both" ? undefined : refuse("usage", { cause: `place-${place}`, facts: { command } });

const badUsage = (about: About<"usage">): Promise<Outcome> => badInput([refuse("usage", about)]);

const unknownCommand = (word: string): Promise<Outcome> => {
  const singles = COMMANDS.map(({ name }) => name).filter((name) => !name.includes(" "));
  const near = nearest(word, [...singles, ...Object.keys(GROUPS), "help", "version"]) ?? ofSomeGroup(word);
  return near === undefined
    ? badUsage({ cause: "command-unknown", facts: { command: word } })
    : badUsage({ cause: "command-unknown-meant", facts: { command: word, meant: near } });
};

/** `verify` alone is taken for a word that lost its group. */
const ofSomeGroup = (word: string): string | undefined =>
  COMMANDS.find(({ name }) => name.split(" ")[1] === word)?.name;

const unknownInGroup = (group: string, word: string | undefined): Promise<Outcome> => {
  const seconds = commandsOf(group).map(({ name }) => name.slice(group.length + 1));
  if (word === undefined || word.startsWith("-"))
    return badUsage({ cause: "second-word-missing", facts: { group, words: seconds } });
  const near = nearest(word, seconds);
  if (near === undefined) return badUsage({ cause: "command-unknown-in-group", facts: { command: word, group } });
  const facts = { command: `${group} ${word}`, meant: `${group} ${near}` };
  return badUsage({ cause: "command-unknown-meant", facts });
};
