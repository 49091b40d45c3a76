// A scratch folder in memory for a run of the tests, where this machine has room for one. Most of what the tests cost a
// disk is files that live for seconds: packed trees, installed packages, ledgers, clusters of PostgreSQL.
//
// What a power cut leaves is no test's claim; `make soak` cuts the power under disks of its own. Where the folder would
// be too small, or programs in it may not be run (as in many containers), there is none, and the tests use the
// system's own.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { guard } from "./servers/guard.ts";

export type Scratch = { readonly folder: string; readonly remove: () => void };

const SHARED_MEMORY = "/dev/shm";
/** Several times what a run has in it at once. */
const ROOM_MIN = 6 * 1024 ** 3;

/** Removed with `remove`, or when this process is gone, however it went. */
export const memoryScratch = (parent = SHARED_MEMORY, roomMin = ROOM_MIN): Scratch | undefined => {
  if (!existsSync(parent) || Math.min(roomIn(parent), freemem()) < roomMin) return undefined;
  const folder = mkdtempSync(join(parent, "dedalus-test-"));
  // Servers that run as another user pass through it, and none of them may remove what is another's.
  chmodSync(folder, 0o1777);
  const watcher = guard([folder]);
  const remove = (): void => {
    rmSync(folder, { force: true, recursive: true });
    watcher.dismiss();
  };
  if (runsPrograms(folder)) return { folder, remove };
  remove();
  return undefined;
};

const roomIn = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

const runsPrograms = (folder: string): boolean => {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
};
