// Ends a server and removes its folder when the process that started it is gone, however it went.
//
// The guard is a shell that waits at the other end of a pipe: when this process ends, even by SIGKILL, the pipe closes
// and the guard does its work. It has its own session, so that Ctrl-C does not reach it.

import { spawn } from "node:child_process";
import type { Socket } from "node:net";

export type Guard = {
  /** The process to end; undefined while none runs. */
  readonly watch: (pid: number | undefined) => void;
  /** Called when everything is removed already: the guard goes without doing anything. */
  readonly dismiss: () => void;
};

/**
 * The last line is the process to end; "done" means that nothing is left to do. QUIT ends a server and its children.
 */
const SCRIPT = `
last=
while read -r line; do last=$line; done
[ "$last" = done ] && exit 0
if [ -n "$last" ]; then
  kill -QUIT "$last" 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$last" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$last" 2>/dev/null
fi
for folder; do rm -rf "$folder"; done
`;

/** `remove` are folders; nothing else is ever removed. */
export const guard = (remove: readonly string[]): Guard => {
  const child = spawn("/bin/sh", ["-c", SCRIPT, "guard", ...remove], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.unref();
  // Neither the guard nor its pipe keeps this process alive.
  (child.stdin as Socket).unref();
  return {
    dismiss: () => child.stdin.end("done\n"),
    watch: (pid) => child.stdin.write(`${pid ?? ""}\n`),
  };
};
