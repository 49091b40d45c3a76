// Takes mounts and loop devices away when the process that made them is gone, however it went.
//
// The guard is a shell that waits at the other end of a pipe: when this process ends, even by SIGKILL, the pipe closes
// and the guard does its work. It has its own session, so that Ctrl-C does not reach it.

import { spawn } from "node:child_process";
import type { Socket } from "node:net";

/** Arguments: what is mounted, the innermost first; then --, the devices; then --, the folder. */
const SCRIPT = `
read -r line && exit 0
while [ "$1" != -- ]; do umount --lazy "$1" 2>/dev/null; shift; done; shift
while [ "$1" != -- ]; do losetup --detach "$1"; shift; done
rmdir "$2"
`;

export type Mounts = {
  readonly mounts: readonly string[];
  readonly devices: readonly string[];
  /** Removed when it is empty, and only then. */
  readonly folder: string;
};

/** Call what it gives when everything is removed already: the guard goes without doing anything. */
export const guardMounts = ({ devices, folder, mounts }: Mounts): (() => void) => {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "guard", ...mounts, "--", ...devices, "--", folder], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  // Neither the guard nor its pipe keeps this process alive.
  (child.stdin as Socket).unref();
  return () => child.stdin.end("done\n");
};
