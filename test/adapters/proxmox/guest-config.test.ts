// A guest's configuration, key by key: what is active, what waits, who it is; and doubt wherever PVE's words are not
// plain.

import assert from "node:assert/strict";
import { test } from "node:test";
import { resized } from "../../../src/adapters/proxmox/act/resize.ts";
import { isSet, wholeOf } from "../../../src/adapters/proxmox/api/values.ts";
import {
  activeLayout,
  activeSizes,
  type ConfigSettings,
  configDigest,
  identityOf,
  nameOf,
  settingsOf,
  tagsOf,
  waitingSizes,
} from "../../../src/adapters/proxmox/observe/guest-config.ts";
import { snapshotsOf } from "../../../src/adapters/proxmox/observe/snapshot-list.ts";
import { activeOf } from "../../../src/adapters/proxmox/observe/task-list.ts";
import { config, containerConfig, DIGEST, UUID, vmid } from "./answers.ts";

const MIB = 1024 * 1024;
type More = Parameters<typeof config>[1];
const vm = (more: More = {}): ConfigSettings => settingsOf(config(101, more)) ?? assert.fail("a list");
const ct = (more: More = {}): ConfigSettings => settingsOf(containerConfig(101, more)) ?? assert.fail("a list");

test("a list in which a key is missing, twice or no text is not read at all", () => {
  assert.equal(settingsOf({}), undefined);
  assert.equal(settingsOf([{ value: 1 }]), undefined);
  assert.equal(settingsOf([7]), undefined);
  assert.equal(
    settingsOf([
      { key: "cores", value: 1 },
      { key: "cores", value: 2 },
    ]),
    undefined,
  );
  assert.equal(settingsOf([{ key: "cores", value: 1 }])?.size, 1);
});

test("sizes with nothing pending wait for nothing, and what waits is only what differs", () => {
  assert.equal(waitingSizes(vm(), "vm"), undefined);
  assert.equal(waitingSizes(vm({ cores: { pending: 2, value: 2 } }), "vm"), undefined);
  assert.deepEqual(waitingSizes(vm({ cores: { pending: 4, value: 2 } }), "vm"), { cpus: 4 });
  assert.deepEqual(waitingSizes(vm({ memory: { pending: "1024", value: "512" } }), "vm"), { maxmem: 1024 * MIB });
  assert.deepEqual(waitingSizes(vm({ sockets: { pending: 2, value: 1 } }), "vm"), { cpus: 4 });
  assert.deepEqual(waitingSizes(vm({ sockets: { delete: 1, value: 2 } }), "vm"), { cpus: 2 }, "one socket is left");
});

test("cpus are cores times sockets, or what is plugged in; a container has cores alone", () => {
  assert.deepEqual(activeSizes(vm(), "vm"), { cpus: 2, maxmem: 512 * MIB });
  assert.deepEqual(activeSizes(vm({ sockets: 3 }), "vm").cpus, 6);
  assert.deepEqual(activeSizes(vm({ sockets: undefined }), "vm").cpus, 2);
  assert.deepEqual(activeSizes(vm({ sockets: 2, vcpus: 3 }), "vm").cpus, 3);
  assert.deepEqual(activeSizes(ct({ sockets: 2 }), "ct"), { cpus: 1, maxmem: 512 * MIB });
  for (const more of [{ cores: "two" }, { cores: 0 }, { sockets: "x" }, { sockets: 0 }, { vcpus: "x" }, { vcpus: 0 }]) {
    assert.equal(activeSizes(vm(more), "vm").cpus, undefined, JSON.stringify(more));
    assert.equal(activeLayout(vm(more)), undefined, JSON.stringify(more));
  }
  for (const cores of ["x", 0]) assert.equal(activeSizes(ct({ cores }), "ct").cpus, undefined);
});

test("memory is a number, a text or current=, and nothing else", () => {
  const memory = (value: unknown): number | undefined => activeSizes(vm({ memory: value as string }), "vm").maxmem;
  assert.equal(memory("1024"), 1024 * MIB);
  assert.equal(memory(1024), 1024 * MIB);
  assert.equal(memory("current=2048"), 2048 * MIB);
  for (const value of ["max=2048", "0", 0, "1.5", "-1", "much"]) assert.equal(memory(value), undefined, String(value));
});

test("who a guest is comes from what survives our own actions", () => {
  assert.equal(identityOf(vm(), "vm"), `uuid ${UUID}, created 1794000000`);
  assert.equal(identityOf(vm({ smbios1: `uuid=${UUID.toUpperCase()}` }), "vm"), `uuid ${UUID}, created 1794000000`);
  assert.equal(identityOf(vm({ meta: undefined }), "vm"), `uuid ${UUID}`);
  assert.equal(identityOf(vm({ smbios1: undefined }), "vm"), undefined);
  assert.equal(identityOf(vm({ smbios1: `uuid=${"a".repeat(400)}` }), "vm"), undefined, "longer than any uuid");
  assert.equal(identityOf(ct(), "ct"), "rootfs local:101/vm-101-disk-0.raw, hostname ct-101");
  assert.equal(identityOf(ct({ rootfs: undefined }), "ct"), undefined);
  assert.equal(identityOf(ct({ hostname: undefined }), "ct"), undefined);
  assert.equal(nameOf(vm(), "vm"), "vm-101");
  assert.equal(nameOf(ct(), "ct"), "ct-101");
  assert.equal(configDigest(vm()), DIGEST);
  assert.equal(configDigest(vm({ digest: "no" })), undefined);
});

test("no tag is dropped: a tag can protect", () => {
  const tags = (value: unknown): readonly string[] | undefined => tagsOf(vm({ tags: value as string }));
  assert.deepEqual(tags(undefined), []);
  assert.deepEqual(tags(""), []);
  assert.deepEqual(tags("web;prod, db  web"), ["db", "prod", "web"]);
  assert.deepEqual(tags(";prod;"), ["prod"]);
  assert.equal(tags(7), undefined);
  assert.equal(tags("prod;\u0007"), undefined);
});

const sized = (action: { cpus?: number; memory?: number }, settings = vm(), kind: "ct" | "vm" = "vm") => {
  const made = resized({ kind: "vm.resize", ...action }, settings, kind);
  return made.kind === "sizes" ? made.sizes : "refused";
};

test("wanted sizes become PVE's settings only where they come out even", () => {
  assert.deepEqual(sized({ memory: 1024 * MIB }), { memoryMib: 1024 });
  assert.equal(sized({ memory: 1024 * MIB + 1 }), "refused");
  assert.equal(sized({ cpus: 2, memory: MIB - 1 }), "refused");
  assert.deepEqual(sized({ cpus: 4, memory: MIB }), { cores: 4, memoryMib: 1 });
  assert.deepEqual(sized({ cpus: 4 }, vm({ sockets: 2 })), { cores: 2 });
  assert.equal(sized({ cpus: 3 }, vm({ sockets: 2 })), "refused");
  assert.deepEqual(sized({ cpus: 4 }, vm({ sockets: 2, vcpus: 1 })), { vcpus: 4 });
  assert.equal(sized({ cpus: 5 }, vm({ sockets: 2, vcpus: 1 })), "refused");
  assert.equal(sized({ cpus: 4 }, vm({ cores: undefined })), "refused");
  assert.deepEqual(sized({ cpus: 3 }, ct({ sockets: 2 }), "ct"), { cores: 3 });
});

test("a list of snapshots is read whole or not at all", () => {
  const now = (parent?: string): object => ({ name: "current", ...(parent === undefined ? {} : { parent }) });
  const read = (list: unknown): unknown => snapshotsOf(list, "vm");
  assert.deepEqual(read([{ name: "b" }, { name: "a" }, now("b")]), { names: ["a", "b"], parent: "b" });
  assert.deepEqual(read([now()]), { names: [], withRam: [] });
  for (const list of [
    {},
    [7],
    [],
    [{ name: "a" }],
    [now(), now()],
    [{ name: 7 }, now()],
    [{ name: "a" }, { name: "a" }, now()],
    [{ name: "a" }, now("b")],
  ]) {
    assert.equal(read(list), undefined, JSON.stringify(list));
  }
});

test("at work is a task of a guest that acts on it and has not ended", () => {
  const upid = (type: string, id: string): string => `UPID:pve1:0000A1B2:00C3D4E5:6740A1B2:${type}:${id}:root@pam:`;
  const working = (entry: object): readonly unknown[] => [...activeOf([entry])];
  assert.deepEqual(working({ upid: upid("qmstart", "101") }), [[vmid(101), "qmstart"]]);
  assert.deepEqual(working({ status: "RUNNING", upid: upid("vzdump", "101") }), [[vmid(101), "vzdump"]]);
  assert.deepEqual(working({ upid: upid("hamigrate", "101") }), [[vmid(101), "hamigrate"]]);
  assert.deepEqual(working({ endtime: 1, upid: upid("qmstart", "101") }), []);
  assert.deepEqual(working({ status: "OK", upid: upid("qmstart", "101") }), []);
  assert.deepEqual(working({ upid: upid("vncproxy", "101") }), []);
  assert.deepEqual(working({ upid: upid("qmstart", "") }), []);
  assert.deepEqual(working({ upid: "UPID:nonsense" }), []);
  assert.deepEqual([...activeOf({})], []);
});

test("a value says one thing plainly or nothing", () => {
  assert.deepEqual([wholeOf("10"), wholeOf(10), wholeOf(0), wholeOf("0")], [10, 10, 0, 0]);
  for (const value of ["010", "1e3", "", " 1", -1, 1.5, true, null, 2 ** 53]) {
    assert.equal(wholeOf(value), undefined, String(value));
  }
  assert.deepEqual([1, "1", true].map(isSet), [true, true, true]);
  assert.deepEqual([0, "0", "", false, undefined, 2, "yes"].map(isSet), Array(7).fill(false));
});
