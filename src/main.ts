// argv in, exit code out.

import { run } from "./cli/run.ts";
import { isColourUnwanted } from "./config.ts";

// A reader that leaves early (`dedalus … | head`) is no error of ours.
let isOutGone = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  isOutGone = true;
});

const interrupted = (): AbortSignal => {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  // A reader that left wants no more either.
  process.stdout.once("error", () => stop.abort());
  return stop.signal;
};

/** Resolves when everything written so far has left, or has nowhere to go. */
const drained = (): Promise<void> => new Promise((resume) => process.stdout.write("", () => resume()));

/** Asked on stderr, so that what is printed for a pipe stays clean. */
const ask = async (question: string): Promise<string | undefined> => {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await Promise.race([
    terminal.question(question),
    new Promise<undefined>((resume) => terminal.once("close", () => resume(undefined))),
  ]);
  terminal.close();
  return answer;
};

process.exitCode = await run(process.argv.slice(2), {
  ask,
  err: (text) => process.stderr.write(text),
  folder: process.cwd(),
  interrupted,
  isErrTerminal: process.stderr.isTTY === true,
  isOutGone: () => isOutGone,
  isOutTerminal: process.stdout.isTTY === true,
  noColour: isColourUnwanted(),
  out: (text) => (process.stdout.write(text) ? undefined : drained()),
});
