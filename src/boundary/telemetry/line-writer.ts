// Log lines to a descriptor, without anybody waiting for it: while some are being written those that come are held, and
// leave together with the next write.
//
// A line is written whole and in its place, or not at all: what comes while too much is held is dropped, and how many
// were is told once they go on. What is still held when the process exits is written then; one that is killed loses it
// and what was on its way, and nothing that was recorded. What the descriptor does not take so (a pipe that does not
// wait) is written as everything else is, at once. Not here: what a line says (log.ts).

import { write as writeApart } from "node:fs";
import type { LineStream } from "./log.ts";

const HELD_CHARACTERS_MAX = 1024 * 1024;

export type LineWriter = LineStream & {
  /** Whoever is told how many lines were dropped since they were told last; it may write a line of its own. */
  readonly hearDropped: (hear: (count: number) => void) => void;
};

/** `writeAtOnce` is for what cannot wait, or cannot be written otherwise. */
export const lineWriter = (descriptor: number, writeAtOnce: (text: string) => void): LineWriter => {
  let held = "";
  let isWriting = false;
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
    const bytes = Buffer.from(held);
    held = "";
    isWriting = true;
    writeRest(bytes);
    tellDropped();
  };
  const writeRest = (bytes: Buffer): void =>
    writeApart(descriptor, bytes, (error, written) => {
      const rest = bytes.subarray(error === null ? written : 0);
      if (error === null && rest.length > 0) return writeRest(rest);
      isWriting = false;
      if (error !== null) writeAtOnce(rest.toString());
      if (held !== "") writeHeld();
    });
  process.on("exit", release);
  return {
    hearDropped: (listener) => {
      hear = listener;
    },
    write: (line) => {
      if (isWriting && held.length + line.length > HELD_CHARACTERS_MAX) {
        dropped += 1;
        return;
      }
      held += line;
      if (!isWriting) writeHeld();
    },
  };
};
