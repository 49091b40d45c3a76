// What the place refuses at once, and what only the task says: nothing happens in either case.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Work } from "../../src/simulator/world/world-calls.ts";
import { carried, effectsOf, lab, made, statusOf } from "./lab.ts";

const FAILURES: readonly {
  readonly title: string;
  readonly given: Parameters<typeof lab>[0][number];
  readonly work: Work;
  readonly said: string;
}[] = [
  {
    given: { settings: { lock: "backup" }, vmid: 101 },
    said: "VM is locked (backup)",
    title: "a locked VM",
    work: { verb: "start" },
  },
  {
    given: { settings: { template: "1" }, vmid: 101 },
    said: "you can't start a vm if it's a template",
    title: "a template",
    work: { verb: "start" },
  },
  {
    given: { state: "running", vmid: 101 },
    said: "VM 101 already running",
    title: "a running VM",
    work: { verb: "start" },
  },
  {
    given: { isDeaf: true, state: "running", vmid: 101 },
    said: "VM quit/powerdown failed - got timeout",
    title: "a deaf guest",
    work: { verb: "shutdown" },
  },
  {
    given: { isMonitorSilent: true, state: "running", vmid: 101 },
    said: "VM quit/powerdown failed",
    title: "a hung monitor",
    work: { verb: "shutdown" },
  },
  {
    given: { isMonitorSilent: true, state: "running", vmid: 101 },
    said: "VM 101 qmp command failed - got timeout",
    title: "a hung monitor",
    work: { verb: "suspend" },
  },
  {
    given: { isMonitorSilent: true, state: "running", vmid: 101 },
    said: "VM 101 qmp command 'system_reset' failed",
    title: "a hung monitor",
    work: { verb: "reset" },
  },
  {
    given: { vmid: 101 },
    said: "snapshot 'no' does not exist",
    title: "a snapshot that is not there",
    work: { snapshot: "no", verb: "rollback" },
  },
];

for (const { given, said, title, work } of FAILURES) {
  test(`only the task says that ${work.verb} of ${title} cannot be`, () => {
    const world = lab([given]);
    const after = carried(world, 101, work);
    assert.equal(after.said, said);
    assert.deepEqual(effectsOf(after.world), []);
    assert.equal(statusOf(after.world, 101), statusOf(world, 101));
  });
}

const REFUSALS: readonly {
  readonly given: Parameters<typeof lab>[0][number];
  readonly work: Work;
  readonly text: string;
}[] = [
  { given: { vmid: 101 }, text: "VM 101 not running", work: { verb: "reset" } },
  { given: { vmid: 101 }, text: "VM 101 not running", work: { verb: "reboot" } },
  { given: { state: "paused", vmid: 101 }, text: "VM is paused - cannot shutdown", work: { verb: "shutdown" } },
  { given: { kind: "ct", vmid: 101 }, text: "CT 101 not running", work: { verb: "stop" } },
  { given: { kind: "ct", state: "running", vmid: 101 }, text: "CT 101 already running", work: { verb: "start" } },
  {
    given: { settings: { protection: "1" }, vmid: 101 },
    text: "can't remove VM 101 - protection mode enabled",
    work: { verb: "destroy" },
  },
  { given: { state: "running", vmid: 101 }, text: "VM 101 is running - destroy failed", work: { verb: "destroy" } },
  {
    given: { vmid: 101 },
    text: "unable to use snapshot name 'current' (reserved name)",
    work: { snapshot: "current", verb: "snapshot" },
  },
  {
    given: { settings: { lock: "backup" }, vmid: 101 },
    text: "VM is locked (backup)",
    work: { edits: { cores: "2" }, inTask: false, verb: "configure" },
  },
  {
    given: { settings: { lock: "backup" }, vmid: 101 },
    text: "VM is locked (backup)",
    work: { edits: { cores: "2" }, inTask: true, verb: "configure" },
  },
  {
    given: { vmid: 101 },
    text: "checksum mismatch (file change by other user?)",
    work: { digest: "0".repeat(40), edits: { cores: "2" }, inTask: true, verb: "configure" },
  },
  { given: { vmid: 101 }, text: "no options specified", work: { edits: {}, inTask: false, verb: "configure" } },
  { given: { vmid: 101 }, text: "no such cluster node 'pve9'", work: { target: "pve9", verb: "migrate" } },
];

for (const { given, text, work } of REFUSALS) {
  test(`${work.verb}${work.verb === "configure" && work.inTask ? " in a task" : ""} is refused at once: ${text}`, () => {
    const { answer, world } = made(lab([given]), 101, work);
    assert.deepEqual(answer, { kind: "refused", status: 500, text });
    assert.equal(world.tasks.size, 0);
    assert.deepEqual(effectsOf(world), []);
  });
}
