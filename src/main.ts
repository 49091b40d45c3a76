// argv in, exit code out.
//
// Whatever fails here (a reader that left, a full disk under stdout, a signal, a throw that nobody caught) is told and
// changes nothing about what was done: cli/process/done-so-far.ts says which exit codes are left then.

import { bug } from "./cli/bug.ts";
import { exitCode } from "./cli/exit-codes.ts";
import { exitAfter, exitUnprinted, nothingDoneYet } from "./cli/process/done-so-far.ts";
import { PROGRESS_START } from "./cli/process/io.ts";
import { runTo } from "./cli/run.ts";
import { spellAfter } from "./cli/spell.ts";
import { printable } from "./cli/views/marks.ts";
import { plainStyle } from "./cli/views/text-style.ts";
import { now } from "./clock.ts";
import { isColourUnwanted } from "./config.ts";

const deeds = nothingDoneYet();
const command = spellAfter(process.argv.slice(2));
const say = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${printable(line)}\n`);
};

/** The line that is written anew as a command goes on; whoever ends the command ends it as well. */
let isProgressShown = false;
const clearProgress = (): void => {
  if (isProgressShown) process.stderr.write(PROGRESS_START);
  isProgressShown = false;
};
const writeErr = (text: string): void => {
  const isProgress = text.startsWith(PROGRESS_START) && text !== PROGRESS_START;
  // Until there is something to clear a signal ends the process by itself, however busy it is.
  if (isProgress && process.listenerCount("SIGINT", dieOf) === 0)
    for (const signal of SIGNALS) process.on(signal, dieOf);
  isProgressShown = isProgress;
  process.stderr.write(text);
};
/** As if nobody had heard the signal, unless somebody waits for it. */
const dieOf = (signal: NodeJS.Signals): void => {
  if (stopWanted !== undefined) return;
  clearProgress();
  process.removeListener(signal, dieOf);
  process.kill(process.pid, signal);
};

let unprinted: NodeJS.ErrnoException | undefined;
process.stdout.on("error", (error) => {
  unprinted ??= error;
});
// Nobody is left to hear of it.
process.stderr.on("error", () => undefined);

process.on("uncaughtException", (error) => {
  const { exit, text } = bug(error);
  say(text(plainStyle(now(), command)));
  process.exit(exitCode(exitAfter(exit, deeds)));
});

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const LEFT = `left before the end: what became of the step is in the ledger, or counts as unknown: ${command({ ask: "status", with: {} })}`;

let stopWanted: AbortController | undefined;
/**
 * The first one asks for an end, the second one takes it. One for the whole process: whoever asks later hears of it
 * too.
 */
const interrupted = (): AbortSignal => {
  if (stopWanted !== undefined) return stopWanted.signal;
  const stop = new AbortController();
  stopWanted = stop;
  const wanted = (): void => {
    if (!stop.signal.aborted) {
      stop.abort();
      return;
    }
    // The terminal has written ^C where the next line begins.
    if (process.stderr.isTTY) process.stderr.write(PROGRESS_START);
    if (deeds.mayHaveLeft()) say([deeds.howToFollow() ?? LEFT]);
    process.exit(exitCode(exitAfter("interrupted", deeds)));
  };
  for (const signal of SIGNALS) process.on(signal, wanted);
  // A reader that left wants no more either.
  process.stdout.once("error", () => stop.abort());
  return stop.signal;
};

/** Resolves when everything written so far has left, or has nowhere to go. */
const drained = (): Promise<void> => new Promise((resume) => process.stdout.write("", () => resume()));

const exit = await runTo(
  process.argv.slice(2),
  {
    ask: async (question) => (await import("./cli/process/terminal.ts")).askPerson(question),
    err: writeErr,
    folder: process.cwd(),
    interrupted,
    isErrTerminal: process.stderr.isTTY === true,
    isOutGone: () => unprinted !== undefined,
    isOutTerminal: process.stdout.isTTY === true,
    noColour: isColourUnwanted(),
    now,
    // A terminal that does not say how wide it is says 0.
    width: (stream) => process[stream === "out" ? "stdout" : "stderr"].columns || undefined,
    untilReaderLeaves: async () => (await import("./cli/process/reader-left.ts")).watchReader(),
    out: (text) => (process.stdout.write(text) ? undefined : drained()),
  },
  deeds,
);
await drained();

// A reader that leaves early (`dedalus … | head`) is no error of ours, unless the answer can be given only once.
const undo = deeds.howToUndo();
const isUnprinted =
  undo === undefined
    ? unprinted !== undefined && unprinted.code !== "EPIPE"
    : unprinted !== undefined || (await import("./cli/process/nowhere.ts")).isNowhere(process.stdout.fd);
if (isUnprinted)
  say([`standard output could not be written: ${unprinted?.code ?? "nothing keeps what is written there"}`]);
if (isUnprinted && undo !== undefined) say([undo]);
process.exitCode = exitCode(isUnprinted ? exitUnprinted(exit, deeds) : exit);
