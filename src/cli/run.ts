// One command from argv to exit code: help at once, everything else through run-command.ts; one value is printed.
//
// What help does not need is loaded only when a command runs, so that --help is about as fast as starting Node.

import { withoutLeading } from "./arguments/leading-options.ts";
import { bug } from "./bug.ts";
import { findCommand } from "./catalogue/find-command.ts";
import { type Exit, exitCode } from "./exit-codes.ts";
import { isError, jsonOf, type Outcome, type Stream } from "./outcome.ts";
import { type DoneSoFar, exitAfter, nothingDoneYet } from "./process/done-so-far.ts";
import { endProgress, type Io } from "./process/io.ts";
import { type Printed, printedText, styleAt } from "./process/say.ts";
import { spellAfter } from "./spell.ts";
import { LOOKUP_COMMAND } from "./views/completion/completed.ts";
import { printableLines } from "./views/marks.ts";
import type { TextStyle } from "./views/text-style.ts";
import { wrapped } from "./views/wrap.ts";

/** What run-process.ts hands in; what was done is counted beside it. */
export type ProcessIo = Omit<Io, "deeds" | "spell">;

export const run = async (argv: readonly string[], world: ProcessIo): Promise<number> =>
  exitCode(await runTo(argv, world, nothingDoneYet()));

export const runTo = async (typed: readonly string[], world: ProcessIo, deeds: DoneSoFar): Promise<Exit> => {
  const argv = ownWords(typed);
  const ask: Io["ask"] = (question) => world.ask(printableLines(questionAt(question, world.width?.("err"))));
  const io: Io = { ...world, ask, deeds, spell: spellAfter(argv) };
  const outcome = (await helpFor(argv).catch(bug)) ?? (await perform(argv, io).catch(bug));
  endProgress(io);
  const exit =
    outcome.stream === undefined
      ? await print(outcome, argv, io)
      : await printPieces(outcome.stream, outcome.isVerbatim === true, argv, io).catch((error: unknown) =>
          print(bug(error), [], io),
        );
  return exitAfter(exit, deeds);
};

const print = async (outcome: Outcome, argv: readonly string[], io: Io): Promise<Exit> => {
  const text = (one: Outcome, stream: Printed): string =>
    printedText(one.text(styleAt(io, stream, isVerbose(argv))), io, stream, one.isVerbatim);
  if (argv.includes("--json")) await io.out(`${JSON.stringify(jsonOf(outcome))}\n`);
  else {
    if (isError(outcome)) io.err(text(outcome, "err"));
    else await io.out(text(outcome, "out"));
    for (const one of outcome.beside ?? []) io.err(text(one, "err"));
  }
  return outcome.exit;
};

/** Waits where the reader of our output is slower than we are, so that nothing piles up. */
const printPieces = async (stream: Stream, isVerbatim: boolean, argv: readonly string[], io: Io): Promise<Exit> => {
  const isJson = argv.includes("--json");
  const pieces = stream(isJson ? { kind: "json" } : { kind: "text", style: styleAt(io, "out", isVerbose(argv)) });
  for (let piece = await pieces.next(); ; piece = await pieces.next()) {
    if (piece.done === true) return piece.value;
    endProgress(io);
    await io.out(isJson || isVerbatim ? piece.value : printedText(linesOf(piece.value), io, "out"));
    if (io.isOutGone()) {
      await pieces.return("done");
      return "done";
    }
  }
};

/** A piece of text is whole lines. */
const linesOf = (piece: string): readonly string[] => piece.replace(/\n$/, "").split("\n");

const perform = async (argv: readonly string[], io: Io): Promise<Outcome> =>
  (await import("./run-command.ts")).performCommand(argv, io);

/** Broken as everything else is; the blank behind which the answer is typed stays. */
const questionAt = (question: string, width: number | undefined): string => {
  const text = question.trimEnd();
  return wrapped(text.split("\n"), width).join("\n") + question.slice(text.length);
};

/** A completion is asked with the words of another command, and its options are not for this one. */
const ownWords = (typed: readonly string[]): readonly string[] =>
  typed[0] === LOOKUP_COMMAND ? typed.filter((word) => !COMMON.has(word)) : typed;

const isVerbose = (argv: readonly string[]): boolean => argv.includes("--verbose");

const COMMON: ReadonlySet<string> = new Set(["--json", "--verbose"]);
const isHelp = (word: string | undefined): boolean => word === "help" || word === "--help" || word === "-h";

/** Undefined when no help is asked for, or for a command that does not exist. */
const helpFor = async (argv: readonly string[]): Promise<Outcome | undefined> => {
  const words = withoutLeading(argv).words.filter((word) => !COMMON.has(word));
  if (argv.length > 0 && !words.some(isHelp)) return undefined;
  const { groupOverview, overview, usageOf } = await import("./commands/help.ts");
  // As gh does: whoever types the name alone wants to know what there is. A program that asks for JSON wants something.
  if (argv.length === 0) return shown(overview);
  const asked = isHelp(words[0]) ? words.slice(1) : words;
  if (asked.length === 0) return shown(overview);
  const found = findCommand(asked.filter((word) => !isHelp(word)));
  if (found.kind === "command") return shown((layout) => usageOf(found.entry, layout));
  return found.kind === "group" && found.word === undefined
    ? shown((layout) => groupOverview(found.group, layout))
    : undefined;
};

const shown = (help: (style?: TextStyle) => readonly string[]): Outcome => ({
  exit: "done",
  json: { help: help().join("\n") },
  text: help,
});
