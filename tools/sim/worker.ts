// A thread of many.ts: it is told which seeds, and answers with what they came to.

import assert from "node:assert/strict";
import { parentPort } from "node:worker_threads";
import { REAL } from "./parts.ts";
import { type RunOptions, runWorlds } from "./run.ts";

const port = parentPort;
assert.ok(port !== null, "this is a thread of another program");

port.on("message", ({ from, worlds }: Pick<RunOptions, "from" | "worlds">) => {
  void runWorlds({ from, parts: REAL, worlds }).then((ran) => port.postMessage(ran));
});
