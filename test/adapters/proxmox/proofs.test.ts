// Texts of PVE that prove that nothing happened: one for each that is known, each as its source writes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorProvesNothing, isAnswered, refusalProvesNothing } from "../../../src/adapters/proxmox/act/proofs.ts";

const PROVING = [
  "Configuration file 'nodes/pve1/qemu-server/101.conf' does not exist",
  "VM is locked (backup)",
  "CT is locked (snapshot)",
  "VM 101 not running",
  "CT 101 already running",
  "VM is paused - cannot shutdown",
  "cluster not ready - no quorum?",
  "checksum mismatch (file change by other user?)",
  "detected modified configuration - file changed by other user? Try again.",
  "you can't start a vm if it's a template",
  "you can't start a CT if it's a template",
  "unable to use snapshot name 'current' (reserved name)",
  "snapshot name 'before' already used",
  "snapshot 'before' does not exist",
  "VM 101 is running - destroy failed",
  "can't remove VM 101 - protection mode enabled",
  "unable to remove VM 101 - used in HA resources and purge parameter not set.",
  "no options specified",
  "hostname lookup 'pve2' failed - failed to get address info for: pve2: Name or service not known",
  "can't lock file '/var/lock/qemu-server/lock-101.conf' - got timeout",
  "can't lock file '/run/lock/lxc/pve-config-101.lock' - got timeout",
  "unable to open file '/etc/pve/nodes/pve1/qemu-server/101.conf.tmp.1' - Permission denied",
];
const proves = (text: string): boolean =>
  refusalProvesNothing({ isApi: true, isPve: true, kind: "refused", status: 500, text });

test("each text that PVE writes before the work begins proves that nothing happened", () => {
  for (const text of PROVING) assert.ok(proves(text), text);
});

test("the same words elsewhere in a text prove nothing, where PVE writes them first", () => {
  const anywhere = [
    "can't remove VM 101 - protection mode enabled",
    "unable to remove VM 101 - used in HA resources and purge parameter not set.",
  ];
  for (const text of PROVING.filter((one) => !anywhere.includes(one)))
    assert.ok(!proves(`start failed: ${text}`), text);
  assert.ok(!proves("can't lock file '/var/lock/pve-manager/pve-task' - got timeout"), "a worker may have begun");
  assert.ok(!proves("unable to open file '/var/log/pve/tasks/index' - Permission denied"), "not the cluster's folder");
});

test("a call that was denied did nothing, whatever PVE wrote with it", () => {
  const denied = (status: number): boolean =>
    refusalProvesNothing({ isApi: true, isPve: true, kind: "refused", status, text: "no" });
  assert.deepEqual([401, 403, 501].map(denied), [true, true, true]);
  assert.deepEqual([402, 404, 500, 502].map(denied), [false, false, false, false]);
});

test("a lock that was not had proves it of a task that takes one and works under it, and of no other", () => {
  const proven = (type: string, folder = "/var/lock/qemu-server/lock-101.conf"): boolean =>
    errorProvesNothing(type, `can't lock file '${folder}' - got timeout`);
  for (const type of ["qmstart", "qmstop", "qmshutdown", "qmpause", "qmresume", "qmreset", "vzstart", "vzstop"]) {
    assert.ok(proven(type), type);
    assert.ok(!proven(type, "/var/lock/pve-manager/pve-task"), type);
  }
  for (const type of ["qmreboot", "vzshutdown", "qmconfig", "qmsnapshot", "qmdestroy"]) assert.ok(!proven(type), type);
});

test("an error is an answer when the API wrote it, under its own status, and no worker can have begun", () => {
  const answered = (status: number, text = "no", isApi = true): boolean =>
    isAnswered({ isApi, isPve: true, kind: "refused", status, text });
  assert.deepEqual(
    [400, 500].map((status) => answered(status)),
    [true, true],
  );
  assert.deepEqual(
    [401, 501, 503, 596].map((status) => answered(status)),
    [false, false, false, false],
  );
  assert.ok(!answered(500, "no", false), "a page of something else");
  assert.ok(!answered(500, "got timeout"));
});
