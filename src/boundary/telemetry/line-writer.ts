// Log lines to a descriptor, without anybody waiting for it: while some are being written those that come are held, and
// leave together with the next write.
//
// What is still held when the process exits is written then; one that is killed loses it and what was on its way, and
// nothing that was recorded. Where the descriptor does not take them so (a reader that is far behind, a pipe that does
// not wait), they are written as everything else is, at once. Not here: what a line says (log.ts).

import { write as writeApart } from "node:fs";
import type { DestinationStream } from "pino";

const HELD_CHARACTERS_MAX = 1024 * 1024;

/** `writeAtOnce` is for what cannot wait, or cannot be written otherwise. */
export const lineWriter = (descriptor: number, writeAtOnce: (text: string) => void): DestinationStream => {
  let held = "";
  let isWriting = false;
  const release = (): void => {
    const text = held;
    held = "";
    if (text !== "") writeAtOnce(text);
  };
  const writeHeld = (): void => {
    const bytes = Buffer.from(held);
    held = "";
    isWriting = true;
    writeRest(bytes);
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
    write: (line) => {
      held += line;
      if (!isWriting) writeHeld();
      else if (held.length > HELD_CHARACTERS_MAX) release();
    },
  };
};
