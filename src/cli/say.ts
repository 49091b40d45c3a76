// Lines for whoever reads them at one of the two streams: the look that they are made for, and broken at its width.

import type { Io } from "./io.ts";
import type { Look } from "./views/look.ts";
import { COLOUR, PLAIN } from "./views/paint.ts";
import { wrapped } from "./views/wrap.ts";

export type Printed = "err" | "out";

export const lookAt = (io: Io, stream: Printed, isVerbose: boolean): Look => {
  const isTerminal = stream === "out" ? io.isOutTerminal : io.isErrTerminal;
  return { ...(isTerminal && !io.noColour ? COLOUR : PLAIN), folder: io.folder, isVerbose, now: io.now() };
};

export const textOf = (lines: readonly string[], io: Io, stream: Printed): string =>
  wrapped(lines, io.width?.(stream))
    .map((line) => `${line}\n`)
    .join("");

/** Beside what the command prints, at once. */
export const say = (io: Io, lines: readonly string[]): void => {
  if (lines.length > 0) io.err(textOf(lines, io, "err"));
};
