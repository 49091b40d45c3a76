// Finds the command, reads its arguments, verifies the contract, runs it.
//
// The contract comes first: when DESIGN.md is not the text this code serves, nothing runs that could decide.

import { nearest } from "../formats/fields.ts";
import { contractBroken } from "../spine/rules/contract.ts";
import { refuse } from "../spine/rules/refusals.ts";
import { readArguments } from "./arguments/arguments.ts";
import type { Entry } from "./arguments/command-words.ts";
import { commandsOf, findCommand } from "./arguments/find-command.ts";
import { COMMANDS, GROUPS } from "./catalogue.ts";
import type { Arguments } from "./command.ts";
import { version } from "./commands/version.ts";
import { badInput, failed } from "./failure.ts";
import type { Io } from "./io.ts";
import type { Outcome } from "./outcome.ts";
import { contractText } from "./own-files.ts";
import { tokenRefusal } from "./token-given.ts";

export const perform = async (argv: readonly string[], io: Io): Promise<Outcome> => {
  const words = argv.filter((one, at) => at > 0 || one !== "--json");
  const [word] = words;
  if (word === undefined) return badUsage("no command is given");
  if (word === "version" || word === "--version") return version();
  const found = findCommand(word === "help" ? words.slice(1) : words);
  if (found.kind === "group") return unknownInGroup(found.group, found.word);
  if (found.kind === "nothing") return unknownCommand(found.word ?? word);
  const given = readArguments(found.entry, found.rest);
  return isArguments(given) ? performEntry(found.entry, given, io) : badInput(given);
};

const isArguments = (given: ReturnType<typeof readArguments>): given is Arguments => "flags" in given;

const performEntry = async (entry: Entry, given: Arguments, io: Io): Promise<Outcome> => {
  const broken = entry.needsContract ? contractBroken(contractText()) : undefined;
  if (broken !== undefined) return failed("contract", "validation", [broken]);
  const nobody = tokenRefusal();
  if (nobody !== undefined) return failed("refused", "kernel", [nobody]);
  return (await entry.load())(given, io);
};

const badUsage = (because: string, next = "See: dedalus --help"): Outcome =>
  badInput([refuse("usage", { because, next })]);

const unknownCommand = (word: string): Outcome => {
  const singles = COMMANDS.map(({ name }) => name).filter((name) => !name.includes(" "));
  const near = nearest(word, [...singles, ...Object.keys(GROUPS), "help", "version"]) ?? ofSomeGroup(word);
  const next = near === undefined ? "See: dedalus --help" : `Did you mean: dedalus ${near}?`;
  return badUsage(`there is no command ${word}`, next);
};

/** `verify` alone is taken for a word that lost its group. */
const ofSomeGroup = (word: string): string | undefined =>
  COMMANDS.find(({ name }) => name.split(" ")[1] === word)?.name;

const unknownInGroup = (group: string, word: string | undefined): Outcome => {
  const seconds = commandsOf(group).map(({ name }) => name.slice(group.length + 1));
  if (word === undefined || word.startsWith("-"))
    return badUsage(`${group} needs a second word: ${seconds.join(", ")}`, `See: dedalus ${group} --help`);
  const near = nearest(word, seconds);
  const next = near === undefined ? `See: dedalus ${group} --help` : `Did you mean: dedalus ${group} ${near}?`;
  return badUsage(`there is no command ${group} ${word}`, next);
};
