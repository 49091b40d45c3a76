// The world of a command: where it writes, whether a person watches, and from which folder paths are read.

import type { Instant } from "../../spine/model.ts";
import { visible } from "../../spine/values/invisible.ts";
import { printable } from "../views/marks.ts";
import type { Spell } from "../views/next-step.ts";
import { wrapped } from "../views/wrap.ts";
import type { DoneSoFar } from "./done-so-far.ts";

export type Io = {
  /** What this command has done so far, which no later failure may hide. */
  readonly deeds: DoneSoFar;
  /** How a next step is spelled for whoever typed this command. */
  readonly spell: Spell;
  /** A promise when the reader is behind; whoever writes much waits for it. */
  readonly out: (text: string) => void | Promise<void>;
  /** Whether the reader of `out` has left, so that more of it is of no use. */
  readonly isOutGone: () => boolean;
  /** Aborts when that reader leaves, without anything being written; absent where it cannot be found out. */
  readonly untilReaderLeaves?: () => Promise<AbortSignal>;
  readonly err: (text: string) => void;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  readonly noColour: boolean;
  /** What times in a text are counted from. */
  readonly now: () => Instant;
  /** The columns of the terminal at a stream; undefined where there is none, so that lines are printed as they are. */
  readonly width?: (stream: "err" | "out") => number | undefined;
  readonly folder: string;
  /** What is piped in; undefined where a person types, or nothing can be read. */
  readonly input?: () => AsyncIterable<Uint8Array> | undefined;
  /** The answer of the person at the terminal; undefined when there is none to ask. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /**
   * Aborts when somebody wants an end: Ctrl-C, SIGTERM, or a terminal that went away. For commands that have no end of
   * their own, and for those that must not be ended between two things; the others just die of it. The same signal each
   * time.
   */
  readonly interrupted: () => AbortSignal;
  /** The same for whoever serves others until told to end: a hang-up (SIGHUP) asks it to read its certificate again. */
  readonly serving?: (reload: () => void) => AbortSignal;
};

/** To the beginning of the line, with nothing left of it. */
export const PROGRESS_START = "\r\x1b[K";

/** One line on stderr for a person who waits; nothing when nobody watches. */
export const showProgress = (io: Io, text: string): void => {
  // What goes over the line would stay there when it is written anew.
  if (io.isErrTerminal)
    io.err(`${PROGRESS_START}${visible(text).slice(0, (io.width?.("err") ?? Number.POSITIVE_INFINITY) - 1)}`);
};
/** Lines on stderr, beside whatever the command says; each once. */
export const notesTo = (io: Io): ((text: string) => void) => {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    endProgress(io);
    for (const line of wrapped([`note: ${text}`], io.width?.("err"))) io.err(`${printable(line)}\n`);
  };
};
export const endProgress = (io: Io): void => showProgress(io, "");
