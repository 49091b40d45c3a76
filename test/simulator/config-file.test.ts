// The configuration file: its text, its digest, what is dropped and what waits. The digests are those that a real
// Proxmox VE 9.2 gave for the same files.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY_FILE,
  fileDigest,
  fileFromText,
  fileText,
  rewritten,
  settledFile,
  withSettings,
} from "../../src/simulator/world/guest-file.ts";

const VICTIM = "cores: 1\ncpu: qemu64\nkvm: 0\nmemory: 256\nname: victim\nostype: l26\n";
const FRONT = [
  "#web front%3A do not stop",
  "#second line",
  "agent: 1",
  "cores: 1",
  "cpu: qemu64",
  "kvm: 0",
  "memory: 256",
  "name: front01",
  "onboot: 1",
  "ostype: l26",
  "parent: s2",
  "scsi0: local:106/vm-106-disk-0.qcow2,size=1G",
  "scsihw: virtio-scsi-single",
  "tags: prod",
  "",
  "[before-upgrade]",
  "#taken by hand",
  "cores: 1",
  "memory: 256",
  "name: front01",
  "ostype: l26",
  "scsi0: local:106/vm-106-disk-0.qcow2,size=1G",
  "snaptime: 1794000000",
  "",
  "[s2]",
  "#two",
  "agent: 1",
  "cores: 1",
  "cpu: qemu64",
  "kvm: 0",
  "memory: 256",
  "name: front01",
  "onboot: 1",
  "ostype: l26",
  "parent: before-upgrade",
  "scsi0: local:106/vm-106-disk-0.qcow2,size=1G",
  "scsihw: virtio-scsi-single",
  "snaptime: 1794781946",
  "tags: prod",
  "",
].join("\n");

test("a write gives the digest that the real place gave", () => {
  const file = withSettings(fileFromText(VICTIM), { description: "hello" });
  assert.equal(fileDigest(file), "41a11e8936dbf94c2a6f972db4ca5ba34364cc3d");
});

test("a file with snapshots and notes is written as the real place writes it", () => {
  const file = rewritten(fileFromText(FRONT), {});
  assert.equal(fileText(file), FRONT);
  assert.equal(fileDigest(file), "7bf72f0c7af7e9f17aef6c279dd244b1008263f9");
});

test("an empty file has the digest of nothing", () => {
  assert.equal(fileDigest(fileFromText("")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  assert.equal(fileFromText("").settings.size, 0);
});

test("a line that cannot be read is silently not there, and the digest still covers it", () => {
  const text = "cores: banana\nmemory: 256\nthis line is not config\n";
  const file = fileFromText(text);
  assert.deepEqual([...file.settings.keys()], ["memory"]);
  assert.equal(fileText(file), text);
  assert.equal(fileText(withSettings(file, { name: "a" })), "memory: 256\nname: a\n");
});

test("pending values and removals are a section of their own", () => {
  const text = "balloon: 64\nmemory: 256\n\n[PENDING]\ndelete: balloon\nmemory: 512\n";
  const file = fileFromText(text);
  assert.equal(file.settings.get("memory"), "256");
  assert.equal(file.pending.get("memory"), "512");
  assert.deepEqual(file.doomed, ["balloon"]);
  assert.equal(fileText(rewritten(file, {})), text);
  assert.equal(fileText(settledFile(file)), "memory: 512\n");
});

test("the digest changes with a lock and comes back with its removal", () => {
  const file = rewritten({ ...EMPTY_FILE, settings: new Map([["memory", "512"]]) }, {});
  const locked = withSettings(file, { lock: "backup" });
  assert.notEqual(fileDigest(locked), fileDigest(file));
  assert.equal(fileDigest(withSettings(locked, { lock: undefined })), fileDigest(file));
});

test("a description with odd characters survives a write", () => {
  const description = "50% of: ü\tall\nsecond";
  const file = withSettings(EMPTY_FILE, { description });
  assert.equal(fileFromText(fileText(file)).settings.get("description"), description);
});
