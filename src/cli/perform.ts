// Finds the command, reads its arguments, verifies the contract, runs it.
//
// The contract comes first: when DESIGN.md is not the text this code serves, nothing runs that could decide.

import { nearest } from "../formats/fields.ts";
import { contractBroken } from "../spine/contract.ts";
import { refuse } from "../spine/refusals.ts";
import { readArguments } from "./arguments.ts";
import { COMMANDS, type Entry } from "./catalogue.ts";
import type { Arguments } from "./command.ts";
import type { Io } from "./io.ts";
import { badInput, failed, type Outcome } from "./outcome.ts";
import { contractText } from "./own-files.ts";
import { version } from "./version.ts";

export const perform = async (argv: readonly string[], io: Io): Promise<Outcome> => {
  const [word, ...rest] = argv.filter((one, at) => at > 0 || one !== "--json");
  if (word === undefined) return badUsage("no command is given");
  if (word === "version" || word === "--version") return version();
  const entry = COMMANDS.find(({ name }) => name === word);
  if (entry === undefined) return unknownCommand(word === "help" ? (rest[0] ?? word) : word);
  const given = readArguments(entry, rest);
  return isArguments(given) ? performEntry(entry, given, io) : badInput(given);
};

const isArguments = (given: ReturnType<typeof readArguments>): given is Arguments => "flags" in given;

const performEntry = async (entry: Entry, given: Arguments, io: Io): Promise<Outcome> => {
  const broken = entry.needsContract ? contractBroken(contractText()) : undefined;
  if (broken !== undefined) return failed("contract", "validation", [broken]);
  return (await entry.load())(given, io);
};

const badUsage = (because: string, next = "See: dedalus --help"): Outcome =>
  badInput([refuse("usage", { because, next })]);

const unknownCommand = (word: string): Outcome => {
  const near = nearest(word, [...COMMANDS.map(({ name }) => name), "help", "version"]);
  const next = near === undefined ? "See: dedalus --help" : `Did you mean: dedalus ${near}?`;
  return badUsage(`there is no command ${word}`, next);
};
