// Standard output and standard error, written at once: what the system takes has left when the call returns.
//
// Node's own streams are opened where they are needed: for a terminal, which says how wide it is, and for a reader who
// is slower than we are and whose pipe does not wait. Opening one takes a tenth of a short command.
// What was written by hand comes before whatever the stream writes, so that the order stays.

import { fstatSync, writeSync } from "node:fs";

const STREAMS = { 1: "stdout", 2: "stderr" } as const;

export type Output = {
  /** Undefined where there is no terminal, and where one does not say how wide it is. */
  readonly columns: () => number | undefined;
  /** Resolves when everything written so far has left, or has nowhere to go. */
  readonly drain: () => Promise<void>;
  /** The first one; after it nothing is written any more. */
  readonly failure: () => NodeJS.ErrnoException | undefined;
  readonly isTerminal: boolean;
  readonly onFailure: (hear: () => void) => void;
  /** False when it waits for a reader: drain() says when it has left. */
  readonly write: (text: string) => boolean;
};

export const openOutput = (descriptor: keyof typeof STREAMS): Output => {
  let stream: NodeJS.WriteStream | undefined;
  let failure: NodeJS.ErrnoException | undefined;
  const hearing: (() => void)[] = [];
  const fail = (error: NodeJS.ErrnoException): void => {
    failure ??= error;
    for (const hear of hearing.splice(0)) hear();
  };
  const opened = (): NodeJS.WriteStream => {
    if (stream === undefined) {
      stream = process[STREAMS[descriptor]];
      stream.on("error", fail);
    }
    return stream;
  };

  /** What the system did not take; nothing after a failure. */
  const unwritten = (bytes: Buffer): Buffer => {
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(descriptor, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return bytes.subarray(at);
      fail(error as NodeJS.ErrnoException);
    }
    return Buffer.alloc(0);
  };

  // Nothing else can be a terminal.
  const isTerminal = fstatSync(descriptor).isCharacterDevice() && opened().isTTY === true;
  return {
    columns: () => (isTerminal ? opened().columns || undefined : undefined),
    drain: () =>
      stream === undefined ? Promise.resolve() : new Promise((resume) => opened().write("", () => resume())),
    failure: () => failure,
    isTerminal,
    onFailure: (hear) => {
      hearing.push(hear);
    },
    write: (text) => {
      if (failure !== undefined) return true;
      if (stream !== undefined) return stream.write(text);
      const rest = unwritten(Buffer.from(text));
      return rest.length === 0 || opened().write(rest);
    },
  };
};

/** What to say where the answer did not get out; a reader that left early (`dedalus … | head`) is no error of ours. */
export const unprintedText = (out: Output): string | undefined => {
  const failure = out.failure();
  return failure === undefined || failure.code === "EPIPE" ? undefined : unwrittenText(failure.code);
};

export const unwrittenText = (code = "nothing keeps what is written there"): string =>
  `standard output could not be written: ${code}`;
