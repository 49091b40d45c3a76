// A command in a process of its own, as an operator starts it, so that it can be killed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Printed } from "../cli/desk.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

export type Running = {
  readonly kill: (signal?: NodeJS.Signals) => void;
  /** Nobody reads what it prints any more. */
  readonly leave: (stream: "stdout" | "stderr") => void;
  /** Resolves when it is gone; the code is null when it was killed. */
  readonly gone: Promise<Omit<Printed, "code"> & { readonly code: number | null }>;
};

/** `to` is a file that takes what it prints, in the place of the pipe. */
export const started = (folder: string, argv: readonly string[], to?: string): Running => {
  const out = to === undefined ? "pipe" : openSync(to, "w");
  const child = spawn(DEDALUS, argv, { cwd: folder, stdio: ["ignore", out, "pipe"] });
  if (typeof out === "number") closeSync(out);
  let [printed, err] = ["", ""];
  child.stdout?.on("data", (text) => {
    printed += text;
  });
  child.stderr?.on("data", (text) => {
    err += text;
  });
  return {
    gone: once(child, "close").then(([code]) => ({ code, err, out: printed })),
    kill: (signal = "SIGKILL") => child.kill(signal),
    leave: (stream) => child[stream]?.destroy(),
  };
};
