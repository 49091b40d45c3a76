// One command from argv to exit code: find it, verify the contract, run it, print its one value.
//
// The contract comes first: when DESIGN.md is not the text this code serves, nothing runs that could decide.

import { nearest } from "../formats/fields.ts";
import { contractBroken } from "../spine/contract.ts";
import { refuse } from "../spine/refusals.ts";
import { readArguments } from "./arguments.ts";
import { COMMANDS, type Entry } from "./catalogue.ts";
import type { Arguments } from "./command.ts";
import { exitCode } from "./exit-codes.ts";
import { overview, usageOf } from "./help.ts";
import { type Io, progressEnd } from "./io.ts";
import { badInput, failed, isError, type Outcome } from "./outcome.ts";
import { contractText } from "./own-files.ts";
import { COLOUR, PLAIN } from "./paint.ts";
import { version } from "./version.ts";

export const run = async (argv: readonly string[], io: Io): Promise<number> => {
  const asJson = argv.includes("--json");
  const outcome = await outcomeOf(argv, io).catch(bug);
  progressEnd(io);
  if (asJson) {
    io.out(`${JSON.stringify(outcome.json)}\n`);
  } else if (isError(outcome)) {
    io.err(text(outcome, io.isErrTerminal && !io.noColour));
  } else {
    io.out(text(outcome, io.isOutTerminal && !io.noColour));
  }
  return exitCode(outcome.exit);
};

const text = (outcome: Outcome, inColour: boolean): string =>
  outcome
    .text(inColour ? COLOUR : PLAIN)
    .map((line) => `${line}\n`)
    .join("");

const outcomeOf = async (argv: readonly string[], io: Io): Promise<Outcome> => {
  const [word, ...rest] = argv.filter((one, at) => at > 0 || one !== "--json");
  if (word === undefined) return badUsage("no command is given");
  if (word === "help" || word === "--help" || word === "-h") return help(rest);
  if (word === "version" || word === "--version") return version();
  const entry = COMMANDS.find(({ name }) => name === word);
  if (entry === undefined) return unknownCommand(word);
  if (rest.includes("--help") || rest.includes("-h")) return shown(usageOf(entry));
  const given = readArguments(entry, rest);
  return isArguments(given) ? perform(entry, given, io) : badInput(given);
};

const isArguments = (given: ReturnType<typeof readArguments>): given is Arguments => "flags" in given;

const perform = async (entry: Entry, given: Arguments, io: Io): Promise<Outcome> => {
  if (entry.needsContract) {
    const broken = contractBroken(contractText());
    if (broken !== undefined) return failed("contract", "validation", [broken]);
  }
  return (await entry.load())(given, io);
};

const shown = (lines: readonly string[]): Outcome => ({
  exit: "done",
  json: { help: lines.join("\n") },
  text: () => lines,
});

const help = (words: readonly string[]): Outcome => {
  const word = words.find((one) => !one.startsWith("-"));
  if (word === undefined) return shown(overview());
  const entry = COMMANDS.find(({ name }) => name === word);
  return entry === undefined ? unknownCommand(word) : shown(usageOf(entry));
};

const badUsage = (because: string, next = "See: dedalus --help"): Outcome =>
  badInput([refuse("usage", { because, next })]);

const unknownCommand = (word: string): Outcome => {
  const near = nearest(word, [...COMMANDS.map(({ name }) => name), "help", "version"]);
  return badUsage(
    `there is no command ${word}`,
    near === undefined ? "See: dedalus --help" : `Did you mean: dedalus ${near}?`,
  );
};

/** The message alone: a stack trace tells an operator nothing, and may tell a stranger too much. */
const bug = (error: unknown): Outcome => {
  const message = error instanceof Error ? error.message : String(error);
  return {
    exit: "internal",
    json: { error: { because: message, domain: "internal", outcome: "not_executed" } },
    text: () => [
      `internal error: ${message}`,
      "  This is a bug in Dedalus; nothing was changed. Please report it with the command that you ran.",
    ],
  };
};
