// argv in, exit code out.
//
// Whatever fails here (a reader that left, a full disk under stdout, a signal, a throw that nobody caught) is told and
// changes nothing about what was done: cli/process/done-so-far.ts says which exit codes are left then.

import { bug } from "./cli/bug.ts";
import { exitCode } from "./cli/exit-codes.ts";
import { exitAfter, exitUnprinted, nothingDoneYet } from "./cli/process/done-so-far.ts";
import { PROGRESS_START } from "./cli/process/io.ts";
import { openOutput } from "./cli/process/output.ts";
import { runTo } from "./cli/run.ts";
import { spellAfter } from "./cli/spell.ts";
import { printable } from "./cli/views/marks.ts";
import { plainStyle } from "./cli/views/text-style.ts";
import { now } from "./clock.ts";
import { isColourUnwanted } from "./config.ts";

const [out, err] = [openOutput(1), openOutput(2)];
const deeds = nothingDoneYet();
const command = spellAfter(process.argv.slice(2));
const say = (lines: readonly string[]): void => {
  for (const line of lines) err.write(`${printable(line)}\n`);
};

/** The line that is written anew as a command goes on; whoever ends the command ends it as well. */
let isProgressShown = false;
const clearProgress = (): void => {
  if (isProgressShown) err.write(PROGRESS_START);
  isProgressShown = false;
};
const writeErr = (text: string): void => {
  const isProgress = text.startsWith(PROGRESS_START) && text !== PROGRESS_START;
  // Until there is something to clear a signal ends the process by itself, however busy it is.
  if (isProgress && process.listenerCount("SIGINT", dieOf) === 0)
    for (const signal of SIGNALS) process.on(signal, dieOf);
  isProgressShown = isProgress;
  err.write(text);
};
/** As if nobody had heard the signal, unless somebody waits for it. */
const dieOf = (signal: NodeJS.Signals): void => {
  if (stopWanted !== undefined) return;
  clearProgress();
  process.removeListener(signal, dieOf);
  process.kill(process.pid, signal);
};

process.on("uncaughtException", (error) => {
  const { exit, text } = bug(error);
  say(text(plainStyle(now(), command)));
  process.exit(exitCode(exitAfter(exit, deeds)));
});

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const left = (): string =>
  `left before the end: what became of the step is in the ledger, or counts as unknown: ${command({ ask: "status", with: {} })}`;

let stopWanted: AbortController | undefined;
/**
 * The first one asks for an end, the second one takes it. One for the whole process: whoever asks later hears of it
 * too.
 */
const askedToEnd = (signals: readonly NodeJS.Signals[]): AbortSignal => {
  if (stopWanted !== undefined) return stopWanted.signal;
  const stop = new AbortController();
  stopWanted = stop;
  const wanted = (): void => {
    if (!stop.signal.aborted) {
      stop.abort();
      return;
    }
    // The terminal has written ^C where the next line begins.
    if (err.isTerminal) err.write(PROGRESS_START);
    if (deeds.mayHaveLeft()) say([deeds.howToFollow() ?? left()]);
    process.exit(exitCode(exitAfter("interrupted", deeds)));
  };
  for (const signal of signals) process.on(signal, wanted);
  return stop.signal;
};
const interrupted = (): AbortSignal => {
  const signal = askedToEnd(SIGNALS);
  // A reader that left wants no more either.
  out.onFailure(() => stopWanted?.abort());
  return signal;
};
/** Of whoever serves others: nobody has to read what it prints, and a hang-up asks for the certificate alone. */
const serving = (reload: () => void): AbortSignal => {
  process.on("SIGHUP", reload);
  return askedToEnd(["SIGINT", "SIGTERM"]);
};

const exit = await runTo(
  process.argv.slice(2),
  {
    ask: async (question) => (await import("./cli/process/terminal.ts")).askPerson(question),
    err: writeErr,
    folder: process.cwd(),
    interrupted,
    isErrTerminal: err.isTerminal,
    isOutGone: () => out.failure() !== undefined,
    isOutTerminal: out.isTerminal,
    noColour: isColourUnwanted(),
    now,
    width: (stream) => (stream === "out" ? out : err).columns(),
    untilReaderLeaves: async () => (await import("./cli/process/reader-left.ts")).watchReader(),
    serving,
    out: (text) => (out.write(text) ? undefined : out.drain()),
  },
  deeds,
);
await out.drain();

// A reader that leaves early (`dedalus … | head`) is no error of ours, unless the answer can be given only once.
const undo = deeds.howToUndo();
const unprinted = out.failure();
const isUnprinted =
  undo === undefined
    ? unprinted !== undefined && unprinted.code !== "EPIPE"
    : unprinted !== undefined || (await import("./cli/process/nowhere.ts")).isNowhere(1);
if (isUnprinted)
  say([`standard output could not be written: ${unprinted?.code ?? "nothing keeps what is written there"}`]);
if (isUnprinted && undo !== undefined) say([undo]);
process.exitCode = exitCode(isUnprinted ? exitUnprinted(exit, deeds) : exit);
