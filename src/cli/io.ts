// The world of a command: where it writes, whether a person watches, and from which folder paths are read.

export type Io = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isOutTerminal: boolean;
  readonly isErrTerminal: boolean;
  readonly noColour: boolean;
  readonly folder: string;
};

/** One line on stderr for a person who waits; nothing when nobody watches. */
export const progress = (io: Io, text: string): void => {
  if (io.isErrTerminal) io.err(`\r\x1b[K${text}`);
};
export const progressEnd = (io: Io): void => progress(io, "");
