// Texts of PVE that prove that nothing happened: one for each that is known, each as its source writes it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalProvesNothing } from "../../../src/adapters/proxmox/act/proofs.ts";

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
