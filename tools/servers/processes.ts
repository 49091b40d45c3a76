// A server and its children, as the kernel's process table tells it.
//
// PostgreSQL's children are leaders of their own groups, so that a signal to the server's group does not reach them.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

type Entry = { readonly parent: number; readonly pid: number; readonly zombie: boolean };

const entryOf = (pid: number): Entry | undefined => {
  try {
    // The command's name stands in brackets and may hold anything; what follows it is numbers.
    const [state, parent] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { parent: Number(parent), pid, zombie: state === "Z" };
  } catch {
    return undefined; // gone in the meantime
  }
};

/** The process itself and its children; where there is no process table, the process alone. */
export const familyOf = (pid: number): readonly number[] => {
  const all = process.platform === "linux" ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  const children = all.flatMap((name) => entryOf(Number(name)) ?? []).filter(({ parent }) => parent === pid);
  return [pid, ...children.map((child) => child.pid)];
};

export const signalEach = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
};

const runs = (pid: number): boolean => {
  if (process.platform === "linux") return entryOf(pid)?.zombie === false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const GONE_MAX_MS = 10_000;

export const untilGone = async (pids: readonly number[]): Promise<void> => {
  for (let waited = 0; pids.some(runs); waited += 5) {
    if (waited > GONE_MAX_MS) throw new Error(`processes ${pids.filter(runs).join(", ")} did not end`);
    await pause(5);
  }
};
