// A command in a process of its own, as an operator starts it, so that it can be killed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Printed } from "../cli/desk.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

export type Running = {
  readonly kill: () => void;
  /** Resolves when it is gone; the code is null when it was killed. */
  readonly gone: Promise<Omit<Printed, "code"> & { readonly code: number | null }>;
};

export const started = (folder: string, argv: readonly string[]): Running => {
  const child = spawn(DEDALUS, argv, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  return {
    gone: once(child, "close").then(([code]) => ({ code, err, out })),
    kill: () => child.kill("SIGKILL"),
  };
};
