// What differs between two desired states: which VMs, and which attributes of those that are in both.

import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../src/service/entry-changes.ts";
import type { DesiredState, DesiredVm } from "../../src/spine/model.ts";
import { desiredStateOf } from "../../src/spine/plan/desired-state.ts";
import { vmid } from "../simulator/lab.ts";

const stateOf = (...vms: readonly DesiredVm[]): DesiredState => {
  const made = desiredStateOf("home", vms);
  return "kind" in made ? assert.fail(made.code) : made;
};
const WEB: DesiredVm = {
  cpus: 2,
  kind: "desired",
  memory: 2 ** 31,
  name: "web-01",
  target: "running",
  vmid: vmid(101),
};
const DB: DesiredVm = { kind: "desired", name: "db-01", target: "running", vmid: vmid(102) };

test("an entry that changed carries what each attribute was and is", () => {
  const { cpus: _, ...rest } = WEB;
  const after: DesiredVm = { ...rest, memory: 2 ** 32, protected: true, stop: "shutdown", target: "stopped" };
  assert.deepEqual(differences(stateOf(WEB, DB), stateOf(after, DB)), [
    {
      attributes: [
        { attribute: "target", now: "stopped", was: "running" },
        { attribute: "stop", now: "shutdown" },
        { attribute: "cpus", was: 2 },
        { attribute: "memory", now: 2 ** 32, was: 2 ** 31 },
        { attribute: "protected", now: true },
      ],
      change: "changed",
      name: "web-01",
      vmid: 101,
    },
  ]);
});

test("what is only in one of them was added or removed, and what is the same is not told", () => {
  assert.deepEqual(differences(stateOf(WEB), stateOf(DB)), [
    { change: "removed", name: "web-01", vmid: 101 },
    { change: "added", name: "db-01", vmid: 102 },
  ]);
  assert.deepEqual(differences(undefined, stateOf(WEB)), [{ change: "added", name: "web-01", vmid: 101 }]);
  assert.deepEqual(differences(stateOf(WEB, DB), stateOf(WEB, DB)), []);
});
