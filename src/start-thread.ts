// Starts a thread for a task of a service, and stops it whatever it is at. What it says comes in order, however fast it
// is said. Not here: what it does (thread.ts).

import { extname } from "node:path";
import type { StartThread, ThreadSaid } from "./service/thread-task.ts";

/** As this very file: the package has it as JavaScript. */
const FILE = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

export const startThread: StartThread = (configuration, task) => {
  // Most commands start none, and need not load what threads need.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(FILE, { workerData: { configuration, task } });
  const said: ThreadSaid[] = [];
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  let wake: (() => void) | undefined;
  worker.on("message", (message: ThreadSaid) => {
    said.push(message);
    wake?.();
  });
  worker.on("error", (error) => {
    failure = { error };
  });
  worker.on("exit", () => {
    isOver = true;
    wake?.();
  });
  const next = async (): Promise<ThreadSaid | undefined> => {
    while (said.length === 0 && !isOver)
      await new Promise<void>((resume) => {
        wake = resume;
      });
    const first = said.shift();
    if (first === undefined && failure !== undefined) throw failure.error;
    return first;
  };
  return {
    next,
    stop: async () => {
      await worker.terminate();
    },
    tell: () => worker.postMessage("more"),
  };
};
