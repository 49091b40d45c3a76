// dedalus serve in a process of its own, as an operator starts it: where it listens, what it logged, and how it ended.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { soon } from "../service/bound.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

export type ServeProcess = {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** The exit code, when it is gone. */
  readonly ended: () => Promise<number | null>;
  readonly log: () => string;
  readonly url: string;
};

/** Resolves when it says where it listens. */
export const startServe = async (folder: string, ...argv: readonly string[]): Promise<ServeProcess> => {
  const child = spawn(DEDALUS, ["serve", ...argv, "--json"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  child.stderr.on("data", (text) => {
    log += text;
  });
  const gone = once(child, "close").then(([code]): number | null => code);
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    void gone.then((code) => reject(new Error(`it ended with ${code}: ${log}`)));
  });
  const { url } = JSON.parse(await soon("the line", line)) as { readonly url: string };
  return { child, ended: () => soon("the end", gone), log: () => log, url };
};
