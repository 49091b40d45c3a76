// Processes that stand still: stopped, and not in the middle of a call to the kernel.
//
// SIGSTOP takes effect when a call returns, so that an fsync under way ends first; a thread is still when the kernel
// says that it is stopped.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { signalEach } from "../servers/processes.ts";

const STILL_MAX_MS = 10_000;

const stateOf = (path: string): string => {
  try {
    // The command's name stands in brackets and may hold anything; the state follows it.
    return readFileSync(path, "utf8").split(") ").at(-1)?.charAt(0) ?? "";
  } catch {
    return "X"; // gone in the meantime
  }
};

const threadsOf = (pid: number): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/stat`);
  } catch {
    return []; // gone in the meantime
  }
};

/** T: stopped. Z and X: at its end, and does nothing more. */
const isStill = (pid: number): boolean => threadsOf(pid).every((path) => "TZX".includes(stateOf(path)));

/** `family` is asked again until all of it stands still, because a child may be born while its parent is stopped. */
export const standStill = async (family: () => readonly number[]): Promise<void> => {
  for (let waitedMs = 0; waitedMs < STILL_MAX_MS; waitedMs += 1) {
    const pids = family();
    signalEach(pids, "SIGSTOP");
    if (pids.every(isStill) && family().every((pid) => pids.includes(pid))) return;
    await pause(1);
  }
  throw new Error(`processes ${family().join(", ")} did not stand still`);
};
