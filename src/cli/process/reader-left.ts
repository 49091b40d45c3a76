// Whether the reader of our output has left, for whoever waits without writing: a pipe tells so only when it is written
// to.
//
// Linux shows under /proc who holds the other end. Who was seen there once and is gone has left; where nobody could be
// seen from the start (another system, another user's process), the next thing that is written tells, as always.

import { fstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const STDOUT = 1;
const ASKED_EVERY_MS = 500;

/** What belongs to others, or ended meanwhile, is not seen. */
const unlessUnseen = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
};

const linkOf = (path: string): string | undefined => unlessUnseen(() => readlinkSync(path));
const namesIn = (folder: string): readonly string[] => unlessUnseen(() => readdirSync(folder)) ?? [];

/** The last octal digit of the flags is how a file was opened: 0 reads, 1 writes. */
const isOpenToRead = (info: string): boolean =>
  /^flags:\t[0-7]*0$/m.test(unlessUnseen(() => readFileSync(info, "latin1")) ?? "");

/** The path under /proc of a descriptor that reads this pipe. */
const readerOf = (pipe: string): string | undefined => {
  for (const id of namesIn("/proc").filter((name) => /^[0-9]+$/.test(name))) {
    const held = namesIn(`/proc/${id}/fd`).find(
      (fd) => linkOf(`/proc/${id}/fd/${fd}`) === pipe && isOpenToRead(`/proc/${id}/fdinfo/${fd}`),
    );
    if (held !== undefined) return `/proc/${id}/fd/${held}`;
  }
  return undefined;
};

/** Aborts when there is nobody left to write for. Keeps no process alive. */
export const watchReader = (): AbortSignal => {
  const stop = new AbortController();
  const pipe = `pipe:[${fstatSync(STDOUT).ino}]`;
  const reader = fstatSync(STDOUT).isFIFO() ? readerOf(pipe) : undefined;
  const end = (): void => stop.abort();
  // Where it can no longer be found out, there is nothing left to wait for either.
  if (reader !== undefined) whileRead(pipe, reader).then(end, end);
  return stop.signal;
};

const whileRead = async (pipe: string, first: string): Promise<void> => {
  for (let reader: string | undefined = first; reader !== undefined; ) {
    await pause(ASKED_EVERY_MS, undefined, { ref: false });
    if (linkOf(reader) !== pipe) reader = readerOf(pipe);
  }
};
