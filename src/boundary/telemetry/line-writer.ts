// Log lines to a descriptor, without anybody waiting for it: those of a moment leave in one write, and while that is
// under way those that come are held for the next.
//
// A line is written whole and in its place, or not at all: what comes while too much is held is dropped, and how many
// were is told once they go on. What is still held when the process exits is written then; one that is killed loses it
// and what was on its way, and nothing that was recorded. What the descriptor does not take so (a pipe that does not
// wait) is written as everything else is, at once. Not here: what a line says (log.ts).

import { write as writeApart } from "node:fs";
import type { LineStream } from "./log.ts";

const HELD_CHARACTERS_MAX = 1024 * 1024;
/** Long enough that a busy service writes once for many, and short to whoever watches. */
const HELD_MS = 10;

export type LineWriter = LineStream & {
  /** Whoever is told how many lines were dropped since they were told last; it may write a line of its own. */
  readonly hearDropped: (hear: (count: number) => void) => void;
};

/** `writeAtOnce` is for what cannot wait, or cannot be written otherwise. */
export const lineWriter = (descriptor: number, writeAtOnce: (text: string) => void): LineWriter => {
  let held = "";
  let isWriting = false;
  let waiting: NodeJS.Timeout | undefined;
  let dropped = 0;
  let hear = (_: number): void => undefined;
  const tellDropped = (): void => {
    const count = dropped;
    dropped = 0;
    if (count > 0) hear(count);
  };
  const release = (): void => {
    const text = held;
    held = "";
    tellDropped();
    if (text !== "" || held !== "") writeAtOnce(text + held);
    held = "";
  };
  const writeHeld = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    const bytes = Buffer.from(held);
    held = "";
    isWriting = true;
    writeRest(bytes);
    tellDropped();
  };
  const writeSoon = (): void => {
    waiting ??= setTimeout(writeHeld, HELD_MS);
  };
  const writeRest = (bytes: Buffer): void =>
    writeApart(descriptor, bytes, (error, written) => {
      const rest = bytes.subarray(error === null ? written : 0);
      if (error === null && rest.length > 0) return writeRest(rest);
      isWriting = false;
      if (error !== null) writeAtOnce(rest.toString());
      if (held !== "") writeSoon();
    });
  process.on("exit", release);
  return {
    hearDropped: (listener) => {
      hear = listener;
    },
    write: (line) => {
      const isFull = held.length + line.length > HELD_CHARACTERS_MAX;
      if (isFull && isWriting) {
        dropped += 1;
        return;
      }
      if (isFull) writeHeld();
      held += line;
      if (!isWriting) writeSoon();
    },
  };
};
