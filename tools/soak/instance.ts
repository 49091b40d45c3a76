// An instance as somebody outside has it: a process that is asked, killed and started again, behind a proxy of its own.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { InstanceRequest, InstanceSaid } from "./instance-child.ts";

const CHILD = fileURLToPath(new URL("./instance-child.ts", import.meta.url));

export type InstanceAnswer = Exclude<InstanceSaid, { readonly kind: "ended" }> | { readonly kind: "gone" };

export type Instance = {
  /** Gone when the process ended before it answered. */
  readonly ask: (request: InstanceRequest) => Promise<InstanceAnswer>;
  /** How applies ended, as it told them. */
  readonly ends: readonly Extract<InstanceSaid, { readonly kind: "ended" }>[];
  readonly folder: string;
  /** SIGKILL, and another process in its place. */
  readonly kill: () => Promise<void>;
  /** Asks it to close, and waits; what it wrote to its error output. */
  readonly stop: () => Promise<string>;
};

export const startInstance = (folder: string): Instance => {
  const ends: Extract<InstanceSaid, { readonly kind: "ended" }>[] = [];
  let errors = "";
  let next = 0;
  let waiting = new Map<number, (answer: InstanceAnswer) => void>();
  const start = (): ChildProcess => {
    const own = new Map<number, (answer: InstanceAnswer) => void>();
    waiting = own;
    const child = spawn(process.execPath, [CHILD], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
    child.stderr?.on("data", (text) => {
      errors += text;
    });
    // A process that is killed takes no more; whoever waits is told when it has ended.
    child.stdin?.on("error", () => undefined);
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on("line", (line) => {
        const said = JSON.parse(line) as InstanceSaid;
        if (said.kind === "ended") {
          ends.push(said);
          return;
        }
        own.get(said.id)?.(said);
        own.delete(said.id);
      });
    child.once("close", () => {
      for (const answer of own.values()) answer({ kind: "gone" });
      own.clear();
    });
    return child;
  };
  let child = start();
  return {
    ask: (request) =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve({ kind: "gone" });
        next += 1;
        waiting.set(next, resolve);
        child.stdin?.write(`${JSON.stringify({ id: next, ...request })}\n`);
      }),
    ends,
    folder,
    kill: async () => {
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
      child = start();
    },
    stop: async () => {
      const closed = once(child, "close");
      child.stdin?.end();
      await closed;
      return errors;
    },
  };
};
