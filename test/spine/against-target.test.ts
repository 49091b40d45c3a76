// A requested action that leads away from the registered target says so, and no other does.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action, DesiredVm } from "../../src/spine/model.ts";
import { againstTarget } from "../../src/spine/plan/against-target.ts";
import { wantRunning, wantStopped } from "./world.ts";

const RUNS: DesiredVm = { ...wantRunning(), cpus: 2, memory: 1024 };
const STOPS = wantStopped("shutdown");

const CASES: readonly (readonly [Action, DesiredVm, readonly string[]])[] = [
  [{ kind: "vm.shutdown" }, RUNS, ["status"]],
  [{ kind: "vm.stop" }, RUNS, ["status"]],
  [{ kind: "vm.stop" }, STOPS, []],
  [{ kind: "vm.start" }, STOPS, ["status"]],
  [{ kind: "vm.start" }, RUNS, []],
  [{ kind: "vm.reboot" }, RUNS, []],
  // A paused VM runs, and where a rollback leads is a matter of its snapshot.
  [{ kind: "vm.resume" }, STOPS, []],
  [{ kind: "vm.snapshot.rollback", snapshot: "a" }, RUNS, []],
  [{ kind: "vm.snapshot.create", snapshot: "a" }, STOPS, []],
  [{ cpus: 4, kind: "vm.resize", memory: 2048 }, RUNS, ["cpus", "memory"]],
  [{ cpus: 2, kind: "vm.resize" }, RUNS, []],
  [{ cpus: 4, kind: "vm.resize" }, STOPS, []],
];

for (const [action, entry, against] of CASES) {
  const said = against.length === 0 ? "goes with" : `is against the ${against.join(" and ")} of`;
  test(`${JSON.stringify(action)} ${said} a target of ${entry.target}`, () => {
    assert.deepEqual(againstTarget(action, entry), against);
  });
}
