// What comes up between the last check and the call, while the connection for it is made: it is asked about once more
// when the connection stands, and the call does not leave.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actuator } from "../../src/adapters/actuator.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { calls, confirming, type Process, performed, plannedOn, replayedEqual, stage } from "./stage.ts";

/** What comes up while the call's own connection is made, after everything was checked once. */
const WHILE_CONNECTING: Readonly<
  Record<string, readonly [cause: string, change: (process: Process, late: Record<string, boolean>) => unknown]>
> = {
  "a freeze": ["frozen", ({ ask }) => ask({ kind: "freeze", reason: "stop now" })],
  "an edit of the configuration": ["grounds-changed", (_, late) => (late["edited"] = true)],
  "a lock that is lost": ["owner-lock-lost", (_, late) => (late["lost"] = true)],
  "the end of the process": ["performer-ending", (_, late) => (late["ending"] = true)],
};

for (const [what, [cause, change]] of Object.entries(WHILE_CONNECTING))
  test(`P7-F1 cannot send a call after ${what} while its connection is made`, async (t) => {
    const on = await stage(t);
    const process = await on.process();
    const request = await confirming(process, await plannedOn(process));
    const late: Record<string, boolean> = {};
    const begun = new AbortController();
    const refusal = refuse("configuration-differs", { cause: "edited", vmid: request.of.step.vmid });
    const actuator: Actuator = {
      ...process.ground.actuator,
      send: async (...given) => {
        await change(process, late);
        if (late["ending"]) begun.abort();
        return process.ground.actuator.send(...given);
      },
    };
    const ended = await performed(on, process, request, {
      actuator,
      edited: () => (late["edited"] ? refusal : undefined),
      ending: { begun: begun.signal, over: new AbortController().signal },
      owns: async () => late["lost"] !== true,
    });
    assert.ok(ended.at === "done");
    assert.deepEqual([ended.end.cause, ended.end.outcome, calls(on)], [cause, "failed", 0]);
    await replayedEqual(process);
  });

test("a call that nobody objects to while its connection is made leaves once", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const ended = await performed(on, process, await confirming(process, await plannedOn(process)));
  assert.ok(ended.at === "done");
  assert.deepEqual([ended.end.outcome, calls(on)], ["succeeded", 1]);
});
