// What the real daemon showed or its source says: reverted settings, migration's preconditions, nodes that are away, a
// monitor that hangs, and a list of tasks that nobody goes through.

import assert from "node:assert/strict";
import { test } from "node:test";
import { APPLY, jsonOf, rowOf, rowsOf, simulated, THREE_NODES } from "./server.ts";

const ADMIN = THREE_NODES.replace(
  "{ path: /, who: dedalus@pve!apply, role: DedalusApply, propagate: true }",
  "{ path: /, who: dedalus@pve!apply, role: Administrator, propagate: true }",
);
const APPLYING = { auth: APPLY } as const;
const errorsOf = (body: string): unknown => rowOf(jsonOf(body))["errors"];

test("revert gives up what waits for a restart, and nothing else", async () => {
  await simulated(async ({ ask, data, simulator }) => {
    const config = "/nodes/pve1/qemu/102/config";
    const file = () => simulator.world().guests.get(102)?.file;
    await data("PUT", config, { ...APPLYING, body: "cores=2&memory=1024" });
    assert.deepEqual([...(file()?.pending ?? [])].sort(), [
      ["cores", "2"],
      ["memory", "1024"],
    ]);
    assert.equal(await data("PUT", config, { ...APPLYING, body: "revert=cores" }), null);
    assert.deepEqual([...(file()?.pending ?? [])], [["memory", "1024"]]);
    assert.equal(file()?.settings.get("cores"), "4");
    await data("PUT", config, { ...APPLYING, body: "delete=cores" });
    assert.deepEqual(file()?.doomed, ["cores"]);
    assert.match(
      `${await data("POST", config, { ...APPLYING, body: "revert=cores,memory" })}`,
      /^UPID:pve1:.*qmconfig/,
    );
    simulator.advance(1000);
    assert.deepEqual([file()?.doomed, file()?.pending.size], [[], 0]);
    assert.equal((await ask("PUT", config, APPLYING)).reason, "no options specified");
  }, ADMIN);
});

test("what is reverted, written and removed at the same time is refused in the original's words", async () => {
  await simulated(async ({ ask }) => {
    const refused = async (path: string, body: string): Promise<unknown> => {
      const answer = await ask("PUT", path, { ...APPLYING, body });
      assert.equal(answer.status, 400, answer.reason);
      return errorsOf(answer.body);
    };
    const [vm, ct] = ["/nodes/pve1/qemu/102/config", "/nodes/pve1/lxc/200/config"];
    assert.deepEqual(await refused(vm, "revert=banana"), { revert: "unknown option 'banana'" });
    assert.deepEqual(await refused(vm, "revert=digest"), { revert: "unknown option 'digest'" });
    assert.deepEqual(await refused(vm, "revert=cores&cores=2"), {
      delete: "you can't use '-cores' and -revert cores' at the same time",
    });
    assert.deepEqual(await refused(vm, "delete=cores&revert=cores"), {
      revert: "you can't use '-delete cores' and -revert cores' at the same time",
    });
    assert.deepEqual(await refused(vm, "delete=cores&cores=2"), {
      delete: "you can't use '-cores' and -delete cores' at the same time",
    });
    assert.deepEqual(await refused(ct, "revert=cores&cores=2"), {
      revert: "you can't use '-cores' and '-revert cores' at the same time",
    });
    assert.deepEqual(await refused(ct, "delete=cores&revert=cores"), {
      delete: "you can't use '-delete cores' and '-revert cores' at the same time",
    });
  }, ADMIN);
});

test("reverting a setting needs the privilege of writing it", async () => {
  const few = THREE_NODES.replace("VM.Config.CPU, VM.Config.Memory", "VM.Config.CPU");
  await simulated(async ({ ask, data }) => {
    const config = "/nodes/pve1/qemu/102/config";
    assert.equal(await data("PUT", config, { ...APPLYING, body: "revert=cores" }), null);
    const denied = await ask("PUT", config, { ...APPLYING, body: "revert=memory" });
    assert.deepEqual([denied.status, denied.reason], [403, "Permission check failed (/vms/102, VM.Config.Memory)"]);
  }, few);
});

test("a digest of more than 64 characters is a wrong parameter, and one of 64 another file's", async () => {
  await simulated(async ({ ask }) => {
    const put = (digest: string) =>
      ask("PUT", "/nodes/pve1/qemu/102/config", { ...APPLYING, body: `tags=x&digest=${digest}` });
    const long = await put("a".repeat(65));
    assert.deepEqual([long.status, errorsOf(long.body)], [400, { digest: "value may only be 64 characters long" }]);
    assert.match((await put("a".repeat(64))).reason, /^checksum mismatch/);
  }, ADMIN);
});

test("a snapshot's name of more than 40 characters is a wrong parameter", async () => {
  await simulated(async ({ ask, data }) => {
    const make = (snapname: string) =>
      ask("POST", "/nodes/pve1/qemu/102/snapshot", { ...APPLYING, body: `snapname=${snapname}` });
    const long = await make("a".repeat(45));
    assert.deepEqual([long.status, errorsOf(long.body)], [400, { snapname: "value may only be 40 characters long" }]);
    assert.equal((await make("Pending")).reason, "unable to use snapshot name 'pending' (reserved name)");
    const vzdump = { ...APPLYING, body: "snapname=vzdump" };
    const ct = await ask("POST", "/nodes/pve1/lxc/200/snapshot", vzdump);
    assert.equal(ct.reason, "unable to use snapshot name 'vzdump' (reserved name)");
    assert.match(`${await data("POST", "/nodes/pve1/qemu/102/snapshot", vzdump)}`, /^UPID:/);
  }, ADMIN);
});

test("migration's precondition has the fields of the original, which differ between VMs and containers", async () => {
  await simulated(async ({ data, simulator }) => {
    simulator.change({ kind: "set", key: "scsi0", value: "local:102/vm-102-disk-0.qcow2,size=1G", vmid: 102 });
    assert.deepEqual(await data("GET", "/nodes/pve1/qemu/102/migrate", APPLYING), {
      allowed_nodes: ["pve2", "pve3"],
      "has-dbus-vmstate": 1,
      local_disks: [{ cdrom: 0, size: 2 ** 30, volid: "local:102/vm-102-disk-0.qcow2" }],
      local_resources: [],
      "mapped-resource-info": {},
      "mapped-resources": [],
      not_allowed_nodes: { pve2: {}, pve3: {} },
      running: 1,
    });
    assert.deepEqual(await data("GET", "/nodes/pve1/lxc/200/migrate", APPLYING), {
      "allowed-nodes": ["pve2", "pve3"],
      "not-allowed-nodes": {},
      running: 1,
    });
  }, ADMIN);
});

test("a migration is refused in the order of the original, parameters first", async () => {
  await simulated(async ({ ask, simulator }) => {
    const migrate = async (body: string, path = "/nodes/pve1/qemu/102/migrate") => {
      const answer = await ask("POST", path, { ...APPLYING, body });
      return answer.status === 400 ? errorsOf(answer.body) : answer.reason;
    };
    const root = "Only root may use this option.";
    assert.deepEqual(await migrate(""), { target: "property is missing and it is not optional" });
    assert.deepEqual(await migrate("target=-x-"), {
      target: "invalid format - value does not look like a valid node name\n",
    });
    assert.deepEqual(await migrate("target=pve1"), { target: "target is local node." });
    assert.deepEqual(await migrate("target=pve2&force=1"), { force: root });
    assert.deepEqual(await migrate("target=pve2&migration_type=secure"), { migration_type: root });
    assert.deepEqual(await migrate("target=pve2&migration_network=10.0.0.0/8"), { migration_network: root });
    assert.equal(await migrate("target=pve9"), "no such cluster node 'pve9'");
    assert.equal(await migrate("target=pve2"), "can't migrate running VM without --online");
    assert.equal(
      await migrate("target=pve2", "/nodes/pve1/lxc/200/migrate"),
      "can't migrate running container without --online or --restart",
    );
    simulator.change({ key: "lock", kind: "set", value: "backup", vmid: 102 });
    assert.equal(await migrate("target=pve2&online=1"), "VM is locked (backup)");
    simulator.change({ kind: "quorum-lost" });
    assert.equal(await migrate("target=pve9"), "cluster not ready - no quorum?");
    assert.deepEqual(await migrate("target=pve1"), { target: "target is local node." });
  }, ADMIN);
});

test("a member that is down is offline, with its sizes as long as its report is kept, and its certificate for good", async () => {
  await simulated(async ({ ask, data, simulator }) => {
    const row = async (name: string) =>
      rowsOf(await data("GET", "/nodes")).find(({ node }) => node === name) ?? assert.fail(name);
    const before = await row("pve2");
    simulator.change({ kind: "node-dies", node: "pve2" });
    const { maxcpu, maxdisk, maxmem, ssl_fingerprint } = before;
    const away = { id: "node/pve2", node: "pve2", ssl_fingerprint, status: "offline", type: "node" };
    assert.deepEqual(await row("pve2"), { ...away, level: "", maxcpu, maxdisk, maxmem });
    simulator.advance(6 * 60_000);
    assert.deepEqual(await row("pve2"), away);
    const index = rowsOf(await data("GET", "/nodes/pve2")).map(({ name }) => name);
    assert.deepEqual(index, ["lxc", "qemu", "status", "tasks"]);
    assert.equal((await ask("GET", "/nodes/pve2/status")).status, 595);
    assert.equal((await ask("GET", "/nodes/-nope-")).status, 400);
  });
});

test("a member that is up and does not report is unknown after five minutes", async () => {
  await simulated(async ({ data, simulator }) => {
    const status = async () => rowsOf(await data("GET", "/nodes")).find(({ node }) => node === "pve3")?.["status"];
    simulator.change({ kind: "reports-stop", node: "pve3" });
    assert.equal(await status(), "online");
    simulator.advance(6 * 60_000);
    assert.equal(await status(), "unknown");
  });
});

test("a shutdown whose monitor hangs fails by itself, soon, and a stop kills it late", async () => {
  await simulated(async ({ data, simulator }) => {
    simulator.change({ kind: "monitor-hangs", vmid: 102 });
    const exit = async (upid: unknown): Promise<unknown> =>
      rowOf(await data("GET", `/nodes/pve1/tasks/${encodeURIComponent(`${upid}`)}/status`, APPLYING))["exitstatus"];
    const asked = simulator.world().nowMs;
    const shutdown = await data("POST", "/nodes/pve1/qemu/102/status/shutdown", APPLYING);
    assert.ok(simulator.world().nowMs - asked >= 5000, "it is asked whether it is paused");
    simulator.advance(10_000);
    assert.equal(await exit(shutdown), "VM quit/powerdown failed");
    const stop = await data("POST", "/nodes/pve1/qemu/102/status/stop", APPLYING);
    simulator.advance(70_000);
    assert.equal(simulator.world().guests.get(102)?.run.kind, "running");
    simulator.advance(10_000);
    assert.equal(await exit(stop), "OK");
    assert.equal(simulator.world().guests.get(102)?.run.kind, "stopped");
  });
});

test("a task whose daemon is gone stays RUNNING in the list until somebody goes through it", async () => {
  await simulated(async ({ data, simulator }) => {
    const active = async (): Promise<readonly unknown[]> =>
      rowsOf(await data("GET", "/nodes/pve1/tasks?source=active")).map(({ status, type }) => `${type} ${status}`);
    const archived = async () => rowsOf(await data("GET", "/nodes/pve1/tasks")).length;
    simulator.change({ kind: "reports-stop", node: "pve1" });
    const upid = await data("POST", "/nodes/pve1/qemu/101/status/start", APPLYING);
    simulator.change({ kind: "daemon-restarts", node: "pve1" });
    simulator.advance(60_000);
    const path = `/nodes/pve1/tasks/${encodeURIComponent(`${upid}`)}/status`;
    assert.equal(rowOf(await data("GET", path))["exitstatus"], "OK", "the task itself is over");
    assert.deepEqual([await active(), await archived()], [["qmstart RUNNING"], 0]);
    await data("POST", "/nodes/pve1/qemu/102/status/stop", APPLYING);
    assert.deepEqual(await active(), ["qmstop RUNNING"], "the next worker went through the list");
    simulator.advance(60_000);
    assert.deepEqual([await active(), await archived()], [[], 2]);
  });
  await simulated(async ({ data, simulator }) => {
    await data("POST", "/nodes/pve1/qemu/101/status/start", APPLYING);
    simulator.change({ kind: "daemon-restarts", node: "pve1" });
    simulator.advance(60_000);
    assert.deepEqual(await data("GET", "/nodes/pve1/tasks?source=active"), [], "pvestatd goes through it");
  });
});
