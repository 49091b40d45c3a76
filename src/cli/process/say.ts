// Lines for whoever reads them at one of the two streams: the style that they are made for, broken at its width, and
// with nothing in them that a terminal would obey but our own colours.

import { present } from "../../spine/values/present.ts";
import { command, printable, printableLines } from "../views/marks.ts";
import { COLOUR, PLAIN } from "../views/paint.ts";
import type { TextStyle } from "../views/text-style.ts";
import { wrapped } from "../views/wrap.ts";
import type { Io } from "./io.ts";

export type Printed = "err" | "out";

export const styleAt = (io: Io, stream: Printed, isVerbose: boolean): TextStyle => {
  const isTerminal = stream === "out" ? io.isOutTerminal : io.isErrTerminal;
  return {
    ...(isTerminal && !io.noColour ? COLOUR : PLAIN),
    command: (step, at) => command(io.spell(step, at)),
    folder: io.folder,
    isVerbose,
    now: io.now(),
    ...present({ width: io.width?.(stream) }),
  };
};

export const printedText = (
  lines: readonly string[],
  io: Pick<Io, "width">,
  stream: Printed,
  isVerbatim?: true,
): string =>
  (isVerbatim === true ? lines.map(printableLines) : wrapped(lines, io.width?.(stream)).map(printable))
    .map((line) => `${line}\n`)
    .join("");

/** Beside what the command prints, at once. */
export const say = (io: Io, lines: readonly string[]): void => {
  if (lines.length > 0) io.err(printedText(lines, io, "err"));
};
