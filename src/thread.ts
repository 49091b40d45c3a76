// A thread of its own for what reads the whole ledger: the task comes with the thread, and what it has to say goes back
// as values. Not here: what is done (service/apart/perform-task.ts), who starts it (wire.ts).

import { parentPort, workerData } from "node:worker_threads";
import { performTask } from "./service/apart/perform-task.ts";
import type { Configuration, Ports } from "./service/ports.ts";
import type { ThreadTask } from "./service/thread-task.ts";
import { servicePorts } from "./wire.ts";

const { configuration, task }: { readonly configuration: Configuration; readonly task: ThreadTask } = workerData;
const port = parentPort;
if (port === null) throw new Error("a thread is started by another");

const ports: Ports = {
  ...servicePorts(),
  configured: () => ({ kind: "ok", value: configuration }),
  hears: { note: (note) => port.postMessage({ kind: "note", note }), recovered: () => undefined },
  version: "",
};
/** Words that came before anybody waited for one. */
let words = 0;
let waits: (() => void) | undefined;
port.on("message", () => {
  words += 1;
  waits?.();
});
const told = async (): Promise<void> => {
  if (words === 0)
    await new Promise<void>((heard) => {
      waits = heard;
    });
  waits = undefined;
  words -= 1;
};

await performTask(configuration, ports, task, { say: (said) => port.postMessage(said), told });
port.close();
