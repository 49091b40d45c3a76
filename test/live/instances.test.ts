// Three instances and a local command line on one real PostgreSQL server, while one or another is killed, cut off or
// ended by the server, and the server itself is restarted. `make soak ONLY=instances` goes on for longer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInstances } from "../../tools/soak/instances.ts";

const SEED = 7;
const ROUNDS = 7;

test("P7-F3 the same applies sprayed at three instances and a command line are performed once, whatever breaks", async (context) => {
  const { acknowledged, calls, causes, flaws, wrongs } = await runInstances({
    rounds: ROUNDS,
    seed: SEED,
    settles: false,
  });
  context.diagnostic(JSON.stringify({ acknowledged, calls, causes: [...causes], wrongs: [...wrongs] }));
  assert.deepEqual(flaws, []);
  assert.ok(calls > 0 && (wrongs.get("kill") ?? 0) > 0 && wrongs.size > 2, "enough went wrong, and something was done");
  assert.ok(acknowledged >= 2 * ROUNDS);
});
