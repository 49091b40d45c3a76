// PVE's plain answers and tables, read without a connection: where VMs are, what a token may see, what an action
// becomes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gate } from "../../../src/adapters/proxmox/api/gate.ts";
import {
  isConfigDigest,
  isNodeName,
  isSnapshotName,
  parseUpid,
  whyNoSnapshot,
} from "../../../src/adapters/proxmox/api/names.ts";
import { secondsOfDate } from "../../../src/adapters/proxmox/api/provider-clock.ts";
import { callOf, isSentKind, UNFINISHED } from "../../../src/adapters/proxmox/api/pve-calls.ts";
import type { PveReader } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { type PveReply, type RawAnswer, readReply, whyNot } from "../../../src/adapters/proxmox/api/pve-reply.ts";
import { findAbsenceGaps } from "../../../src/adapters/proxmox/observe/absence.ts";
import type { Cluster } from "../../../src/adapters/proxmox/observe/cluster.ts";
import { has, mayReach, rightsAtPaths, rightsOf } from "../../../src/adapters/proxmox/observe/permissions.ts";
import { whereaboutsOf } from "../../../src/adapters/proxmox/observe/whereabouts.ts";
import { addressOf, whyNotConnected } from "../../../src/dial/trust.ts";
import type { ActionKind, Vmid } from "../../../src/spine/model.ts";
import type { Gap } from "../../../src/spine/observed-codes.ts";
import { ACTIONS } from "../../../src/spine/rules/actions.ts";
import { row, vmid } from "./answers.ts";

const KINDS = Object.keys(ACTIONS) as readonly ActionKind[];

test("each action that is sent needs these privileges and becomes one of these tasks", () => {
  const rows = KINDS.filter(isSentKind).map((kind) => {
    const { privileges, tasks } = callOf(kind);
    return `${kind}: ${privileges.join(" ")}; ${tasks.vm.join(" ")}; ${tasks.ct.join(" ")}`;
  });
  assert.deepEqual(rows.sort(), [
    "vm.delete: VM.Allocate; qmdestroy; vzdestroy",
    "vm.reboot: VM.PowerMgmt; qmreboot; vzreboot",
    "vm.reset: VM.PowerMgmt; qmreset; ",
    "vm.resize: VM.Config.CPU VM.Config.Memory; qmconfig; ",
    "vm.resume: VM.PowerMgmt; qmresume; ",
    "vm.shutdown: VM.PowerMgmt; qmshutdown hastop; vzshutdown hastop",
    "vm.snapshot.create: VM.Snapshot; qmsnapshot; vzsnapshot",
    "vm.snapshot.delete: VM.Snapshot; qmdelsnapshot; vzdelsnapshot",
    "vm.snapshot.rollback: VM.Snapshot.Rollback; qmrollback; vzrollback",
    "vm.start: VM.PowerMgmt; qmstart hastart; vzstart hastart",
    "vm.stop: VM.PowerMgmt; qmstop hastop; vzstop hastop",
    "vm.suspend: VM.PowerMgmt; qmpause; ",
  ]);
  assert.deepEqual(Object.keys(UNFINISHED).sort(), ["hastart", "hastop", "qmreboot", "vzreboot"]);
});

test("where a VM is comes from one readable row, and from nothing else", () => {
  const of = (...entries: readonly unknown[]): string => {
    const list = whereaboutsOf(entries);
    if (list.kind === "unreadable") return "unreadable";
    const found = list.rows.get(vmid(101));
    const text =
      found?.kind === "at" ? `${found.guest.kind} ${found.guest.node} ${found.lastReport} ${found.name}` : found?.kind;
    return `${text}, ${list.unread} unread`;
  };
  assert.equal(of(row(101)), "vm pve1 stopped vm-101, 0 unread");
  assert.equal(of(row(101, { type: "lxc" })), "ct pve1 stopped vm-101, 0 unread");
  assert.equal(of(row(101, { vmid: "101" })), "vm pve1 stopped vm-101, 0 unread");
  assert.equal(of(row(101), row(101)), "doubtful, 0 unread");
  assert.equal(of(row(101, { type: "storage" })), "doubtful, 0 unread");
  assert.equal(of(row(101, { type: "toString" })), "doubtful, 0 unread");
  assert.equal(of(row(101, { node: "../access" })), "doubtful, 0 unread");
  assert.equal(of(row(101, { node: 7 })), "doubtful, 0 unread");
  assert.equal(of(row(101, { name: "\u0007", status: undefined })), "vm pve1 unknown , 0 unread");
  assert.equal(of(row(0), 7, row(101)), "vm pve1 stopped vm-101, 2 unread");
  assert.equal(whereaboutsOf({}).kind, "unreadable");
});

test("a right holds on its own path, and further down only where it propagates", () => {
  const rights =
    rightsOf({
      "/": { "Sys.Audit": 0 },
      "/vms": { "VM.Audit": 1, "VM.PowerMgmt": 0 },
      "/vms/101": { "VM.Snapshot": 0 },
    }) ?? assert.fail("rights");
  const reach = (privilege: string): boolean => mayReach(rights, vmid(101), privilege);
  assert.deepEqual(["VM.Audit", "VM.PowerMgmt", "VM.Snapshot", "Sys.Audit", "VM.Allocate"].map(reach), [
    true,
    false,
    true,
    false,
    false,
  ]);
  assert.equal(mayReach(rightsOf({ "/": { "VM.Audit": 1 } }) ?? assert.fail(), vmid(101), "VM.Audit"), true);
  assert.ok(has(rights, "/vms", "VM.PowerMgmt"));
  assert.ok(!has(rights, "/vms/102", "VM.Audit"));
  assert.equal(rightsOf([]), undefined);
  assert.equal(rightsOf({ "/": 1 }), undefined);
  assert.equal(rightsAtPaths(["VM.Audit", "VM.Backup"], ["/vms/1", "/vms/2"], 2), "VM.Audit,VM.Backup@/vms/*");
  assert.equal(rightsAtPaths(["VM.Audit"], ["/vms/1", "/vms/2"], 3), "VM.Audit@/vms/1,/vms/2");
  assert.equal(rightsAtPaths(["VM.Audit"], ["/vms/1"], 1), "VM.Audit@/vms/1");
});

const data = (value: unknown): PveReply => ({ data: value, date: undefined, kind: "data" });
const NO: PveReply = { kind: "none", left: true, why: { code: "answer-cut-off" } };
const gapsOf = async (
  absent: readonly number[],
  more: { everywhere?: PveReply; own?: PveReply; quorum?: Cluster["quorum"]; unread?: number } = {},
): Promise<readonly Gap[]> => {
  const { everywhere = data({ "/": { "VM.Audit": 1 } }), own, quorum = "present", unread = 0 } = more;
  const permissions = async (of: Vmid | "everywhere") =>
    of === "everywhere" ? everywhere : (own ?? data({ [`/vms/${of}`]: { "VM.Audit": 1 } }));
  const reader = { permissions } as Partial<PveReader> as PveReader;
  return findAbsenceGaps(
    reader,
    absent.map(vmid),
    unread,
    { offline: new Set(), quorum },
    new AbortController().signal,
  );
};

test("absence is believed with quorum, a whole list and the right to see that very VM, and never without one", async () => {
  assert.deepEqual(await gapsOf([101, 102]), []);
  assert.deepEqual(await gapsOf([], { everywhere: NO, quorum: "lost", unread: 1 }), [], "nothing is absent");
  const one = async (more: Parameters<typeof gapsOf>[1]): Promise<number> => (await gapsOf([101], more)).length;
  assert.equal(await one({ quorum: "lost" }), 1);
  assert.equal(await one({ quorum: { diagnostic: { code: "cluster-without-nodes" } } }), 1);
  assert.equal(await one({ unread: 1 }), 1);
  assert.equal(await one({ everywhere: NO }), 1);
  assert.equal(await one({ everywhere: data(7) }), 1);
  assert.equal(await one({ everywhere: data({}) }), 1);
  assert.equal(await one({ own: NO }), 1);
  assert.equal(await one({ own: data({ "/vms/101": {} }) }), 1);
  assert.equal(await one({ own: data(7) }), 1);
});

test("twenty gaps are told one by one, and more are counted", async () => {
  const many = (count: number): Promise<readonly Gap[]> =>
    gapsOf(
      Array.from({ length: count }, (_, at) => at + 1),
      { everywhere: data({}) },
    );
  assert.equal((await many(20)).length, 20);
  const more = await many(23);
  assert.equal(more.length, 21);
  assert.deepEqual(more.at(-1), { code: "more-not-visible", facts: { more: 3 } });
});

test("names that become part of a path have a grammar, and everything else is none", () => {
  for (const name of ["pve1", "a", "A-1", "a".repeat(63)]) assert.ok(isNodeName(name), name);
  for (const name of ["", "-a", "a-", "a.b", "../a", "a/b", "a".repeat(64), 7])
    assert.ok(!isNodeName(name), String(name));
  for (const name of ["ab", "before_2", "a".repeat(40)]) assert.ok(isSnapshotName(name), name);
  for (const name of ["a", "1x", "current", "a".repeat(41), "a/b", 7]) {
    assert.ok(!isSnapshotName(name), String(name));
  }
  assert.ok(isConfigDigest("a".repeat(40)) && isConfigDigest("0".repeat(64)));
  for (const digest of ["a".repeat(39), "a".repeat(65), "G".repeat(40), 7]) assert.ok(!isConfigDigest(digest));
  const task = parseUpid("UPID:pve1:0000A1B2:00C3D4E5:6740A1B2:qmstart:101:root@pam!x:");
  assert.deepEqual(
    [task?.node, task?.type, task?.vmid, task?.user, task?.startedAt],
    ["pve1", "qmstart", 101, "root@pam!x", 0x6740a1b2],
  );
  assert.equal(parseUpid("UPID:pve1:0000A1B2:00C3D4E5:6740A1B2:vncshell::root@pam:")?.vmid, undefined);
  assert.equal(parseUpid("UPID:-pve:0000A1B2:00C3D4E5:6740A1B2:qmstart:101:root@pam:"), undefined);
  assert.equal(parseUpid(7), undefined);
});

test("a date is read in the one form of HTTP", () => {
  assert.equal(secondsOfDate("Sun, 15 Nov 2026 10:00:00 GMT"), Date.UTC(2026, 10, 15, 10) / 1_000);
  assert.equal(secondsOfDate("Thu, 01 Jan 2026 00:00:00 GMT"), Date.UTC(2026, 0, 1) / 1_000);
  assert.equal(secondsOfDate("Thu, 31 Dec 2026 23:59:59 GMT"), Date.UTC(2026, 11, 31, 23, 59, 59) / 1_000);
  for (const month of ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].entries()) {
    assert.equal(secondsOfDate(`Mon, 01 ${month[1]} 2026 00:00:00 GMT`), Date.UTC(2026, month[0], 1) / 1_000);
  }
  for (const text of [undefined, "", "Sun, 15 Nix 2026 10:00:00 GMT", "Sun, 31 Feb 2026 10:00:00 GMT", "2026-11-15"]) {
    assert.equal(secondsOfDate(text), undefined, String(text));
  }
});

const raw = (status: number, body: string | Buffer, reason = ""): RawAnswer => ({
  body: Buffer.from(body),
  date: undefined,
  reason,
  status,
});

test("an answer is data, PVE's refusal, or nothing that can be used", () => {
  const kind = (...of: Parameters<typeof raw>): string => readReply(raw(...of)).kind;
  assert.equal(kind(200, '{"data":1}'), "data");
  for (const body of ["", " \n", "{", "[]", '{"other":1}', "<html>", Buffer.from([0xff])]) {
    assert.equal(kind(200, body), "unreadable", String(body));
  }
  assert.equal(kind(201, '{"data":1}'), "unreadable");
  assert.equal(kind(300, ""), "unreadable");
  assert.equal(kind(399, ""), "unreadable");
  assert.equal(kind(400, ""), "refused");
  const told = (...of: Parameters<typeof raw>): readonly unknown[] => {
    const reply = readReply(raw(...of));
    return reply.kind === "refused" ? [reply.text, reply.isPve] : [];
  };
  assert.deepEqual(told(500, "", "no such VM"), ["no such VM", true]);
  assert.deepEqual(told(500, '{"data":null,"message":"VM is locked\\n"}', "x"), ["VM is locked", true]);
  assert.deepEqual(told(500, '{"message":" "}', "no such VM"), ["no such VM", false]);
  assert.deepEqual(told(400, '{"data":null,"errors":{"memory":"too much","x":7}}', "bad"), [
    "bad memory: too much x",
    true,
  ]);
  assert.deepEqual(told(502, "<html>", "Bad Gateway"), ["Bad Gateway", false]);
  const silent = whyNot({ isApi: true, isPve: true, kind: "refused", status: 500, text: "" });
  assert.deepEqual(silent, { code: "http-refusal", facts: { httpStatus: 500 } });
});

test("a place is a host, a port and what stands before the paths of the API", () => {
  assert.deepEqual(addressOf("https://pve.example:8006/"), { host: "pve.example", port: 8006, prefix: "" });
  assert.deepEqual(addressOf("https://[::1]/lab/pve//"), { host: "::1", port: 443, prefix: "/lab/pve" });
  assert.deepEqual(whyNotConnected(Object.assign(new Error("x"), { code: "ECONNREFUSED" })), {
    code: "connection-refused",
  });
  const odd = whyNotConnected(Object.assign(new Error("x"), { code: "EODD" }));
  assert.deepEqual(odd, { code: "connection-failed", said: "EODD" });
  assert.deepEqual(whyNotConnected(new Error("odd\u0007")), { code: "connection-failed", said: "odd\\u{7}" });
});

test("a gate lets its number through, the rest in their order, and a failure frees its slot", async () => {
  const through = gate(2);
  const order: string[] = [];
  const waits = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      order.push(name);
      waits.set(name, resolve);
    });
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => through(work(name)));
  const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
  await turn();
  assert.deepEqual(order, ["a", "b"]);
  waits.get("b")?.();
  await b;
  await turn();
  assert.deepEqual(order, ["a", "b", "c"]);
  waits.get("a")?.();
  waits.get("c")?.();
  await Promise.all([a, c]);
  await turn();
  waits.get("d")?.();
  await d;
  await assert.rejects(through(() => Promise.reject(new Error("no"))));
  await assert.rejects(through(() => Promise.reject(new Error("no"))));
  assert.equal(await through(async () => 7), 7, "both slots are free again");
  const last = ["e", "f", "g"].map((name) => through(work(name)));
  await turn();
  assert.deepEqual(order.slice(4), ["e", "f"], "and no third one is");
  for (const name of ["e", "f"]) waits.get(name)?.();
  await Promise.all(last.slice(0, 2));
  await turn();
  waits.get("g")?.();
  await last[2];
});

test("a container's snapshot may be called pending, and not vzdump", () => {
  assert.equal(whyNoSnapshot("pending", "ct"), undefined);
  for (const name of ["current", "vzdump"]) {
    assert.deepEqual(whyNoSnapshot(name, "ct"), { code: "snapshot-name-reserved", facts: { snapshot: name } });
  }
  assert.deepEqual(whyNoSnapshot("1x", "ct"), { code: "snapshot-name-unfit", facts: { max: 40, min: 2 } });
});
