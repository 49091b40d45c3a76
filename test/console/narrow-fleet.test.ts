// Which state a VM of the fleet is told in, and which rows an address shows, in which order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type FleetRow, narrowFleet, stateOfVm, type VmRead } from "../../src/console/fleet/narrow-fleet.ts";
import { vmidOf } from "../spine/world.ts";

const vm = (more: Partial<VmRead>): VmRead =>
  ({ judged: "in-sync", name: "web-01", target: "running", vmStatus: "running", vmid: 101, ...more }) as VmRead;

test("what is blocked, missing or unknown is told as that before what a plan would answer", () => {
  const told = [
    vm({}),
    vm({ judged: "step", vmStatus: "stopped" }),
    vm({ judged: "refusal" }),
    vm({ judged: "refusal", vmStatus: "missing" }),
    vm({ judged: "refusal", vmStatus: "unknown" }),
    vm({ blockedBy: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1" as VmRead["blockedBy"] & string, judged: "step" }),
  ];
  assert.deepEqual(told.map(stateOfVm), ["in sync", "step", "refused", "missing", "unknown", "blocked"]);
});

const row = (environment: string, vmid: number, onNode?: string): FleetRow => {
  const of = vm({ ...(onNode === undefined ? {} : { lastObserved: { name: "web-01", onNode } }), vmid: vmidOf(vmid) });
  return { environment, state: stateOfVm(of), vm: of };
};
const ROWS = [row("away", 7, "pve2"), row("home", 5), row("home", 9, "pve1"), row("home", 90, "pve2")];
const shown = (view: Parameters<typeof narrowFleet>[1]): readonly number[] =>
  narrowFleet(ROWS, view).map((one) => one.vm.vmid);

test("rows stay as the service gave them, by node those that are not known come last", () => {
  assert.deepEqual(shown({}), [7, 5, 9, 90]);
  assert.deepEqual(shown({ by: "node" }), [9, 7, 90, 5]);
});

test("a number finds the VM of that number, a text whatever has it in its name or node", () => {
  assert.deepEqual(shown({ find: "9" }), [9]);
  assert.deepEqual(shown({ find: "PVE2" }), [7, 90]);
  assert.deepEqual(shown({ environment: "home", find: "web" }), [5, 9, 90]);
  assert.deepEqual(shown({ show: "missing" }), []);
});
