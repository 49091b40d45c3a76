// One command as this process: its words in, its exit code set.
//
// Whatever fails here (a reader that left, a full disk under stdout, a signal, a throw that nobody caught) is told and
// changes nothing about what was done: cli/process/done-so-far.ts says which exit codes are left then.

import { now } from "../clock.ts";
import { isColourUnwanted } from "../config.ts";
import { bug } from "./bug.ts";
import { exitCode } from "./exit-codes.ts";
import { exitAfter, exitUnprinted, nothingDoneYet } from "./process/done-so-far.ts";
import { PROGRESS_START } from "./process/io.ts";
import { openOutput, unprintedText, unwrittenText } from "./process/output.ts";
import { runTo } from "./run.ts";
import { spellAfter } from "./spell.ts";
import { printable } from "./views/marks.ts";
import { plainStyle } from "./views/text-style.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export const runProcess = async (argv: readonly string[]): Promise<void> => {
  const [out, err] = [openOutput(1), openOutput(2)];
  const deeds = nothingDoneYet();
  const command = spellAfter(argv);
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
    argv,
    {
      ask: async (question) => (await import("./process/terminal.ts")).askPerson(question),
      err: writeErr,
      folder: process.cwd(),
      interrupted,
      isErrTerminal: err.isTerminal,
      input: () => (process.stdin.isTTY === true ? undefined : process.stdin),
      isOutGone: () => out.failure() !== undefined,
      isOutTerminal: out.isTerminal,
      noColour: isColourUnwanted(),
      now,
      width: (stream) => (stream === "out" ? out : err).columns(),
      untilReaderLeaves: async () => (await import("./process/reader-left.ts")).watchReader(),
      serving,
      out: (text) => (out.write(text) ? undefined : out.drain()),
    },
    deeds,
  );
  await out.drain();

  // What can be given only once must have reached somebody, also where its reader left early.
  const undo = deeds.howToUndo();
  const isLost =
    undo !== undefined && (out.failure() !== undefined || (await import("./process/nowhere.ts")).isNowhere(1));
  const unprinted = isLost ? unwrittenText(out.failure()?.code) : unprintedText(out);
  if (unprinted !== undefined) say([unprinted]);
  if (unprinted !== undefined && undo !== undefined) say([undo]);
  process.exitCode = exitCode(unprinted === undefined ? exit : exitUnprinted(exit, deeds));
};
