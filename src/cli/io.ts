// The world of a command: where it writes, whether a person watches, and from which folder paths are read.

export type Io = {
  /** A promise when the reader is behind; whoever writes much waits for it. */
  readonly out: (text: string) => void | Promise<void>;
  /** Whether the reader of `out` has left, so that more of it is of no use. */
  readonly isOutGone: () => boolean;
  readonly err: (text: string) => void;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  readonly noColour: boolean;
  readonly folder: string;
  /** The answer of the person at the terminal; undefined when there is none to ask. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Aborts when the person at the terminal wants an end (Ctrl-C); asked for by commands that have none. */
  readonly interrupted: () => AbortSignal;
};

/** One line on stderr for a person who waits; nothing when nobody watches. */
export const progress = (io: Io, text: string): void => {
  if (io.isErrTerminal) io.err(`\r\x1b[K${text}`);
};
/** Remarks on stderr, beside whatever the command says; each once. */
export const notesTo = (io: Io): ((text: string) => void) => {
  const said = new Set<string>();
  return (text) => {
    if (said.has(text)) return;
    said.add(text);
    progressEnd(io);
    io.err(`note: ${text}\n`);
  };
};
export const progressEnd = (io: Io): void => progress(io, "");
