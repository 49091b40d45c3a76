// What an apply asks its source for: the VM's number, and the identity that its entry demands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VMID, wantRunning } from "../spine/world.ts";
import { confirming, performed, plannedOn, stage } from "./stage.ts";

test("both observations of an apply ask for the VM by its number and by the identity that its entry demands", async (t) => {
  const on = await stage(t);
  const process = await on.process();
  const { source } = process.ground;
  const [vm] = (await source.observe([{ vmid: VMID }], new AbortController().signal)).vms;
  const identity = vm?.identity ?? assert.fail("it shows one");
  const asked: unknown[] = [];
  const observe: typeof source.observe = (wanted, ...rest) => {
    asked.push(wanted);
    return source.observe(wanted, ...rest);
  };
  const request = await confirming(process, await plannedOn(process, wantRunning({ identity })));
  const ended = await performed(on, process, request, { source: { observe } });
  assert.ok(ended.at === "done" && ended.end.outcome === "succeeded");
  assert.deepEqual(asked, [[{ identity, vmid: VMID }], [{ identity, vmid: VMID }]]);
});
