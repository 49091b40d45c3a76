// Acting over HTTPS: tasks and their verdicts, configuration and digest, snapshots, high availability, and each fault
// as a client on the wire meets it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseJson } from "../../src/formats/json/json-text.ts";
import { APPLY, type Client, rowOf, rowsOf, simulated, THREE_NODES } from "./server.ts";

const AS = { auth: APPLY };

const act = async ({ data }: Client, path: string, body = "", method = "POST"): Promise<string> =>
  `${await data(method, path, { ...AS, ...(body === "" ? {} : { body }) })}`;

const taskAt = async ({ data }: Client, upid: string) =>
  rowOf(await data("GET", `/nodes/${upid.split(":")[1]}/tasks/${encodeURIComponent(upid)}/status`, AS));

/** The verdict, ten virtual minutes later. */
const verdict = async (client: Client, upid: string): Promise<unknown> => {
  client.simulator.advance(600_000);
  return (await taskAt(client, upid))["exitstatus"];
};

const current = async ({ data }: Client, node: string, vmid: number, kind = "qemu") =>
  rowOf(await data("GET", `/nodes/${node}/${kind}/${vmid}/status/current`));

const withFaults = (...lines: readonly string[]): string =>
  THREE_NODES.replace("faults: []", `faults:\n${lines.map((line) => `  - ${line}\n`).join("")}`);

test("a start answers with a task, which is running and then OK, and has a log", async () => {
  await simulated(async (client) => {
    const upid = await act(client, "/nodes/pve1/qemu/101/status/start");
    assert.match(upid, /^UPID:pve1:[0-9A-F]{8}:[0-9A-F]{8}:[0-9A-F]{8}:qmstart:101:dedalus@pve!apply:$/);
    const task = await taskAt(client, upid);
    assert.deepEqual(
      [task["status"], task["user"], task["tokenid"], task["id"]],
      ["running", "dedalus@pve", "apply", "101"],
    );
    assert.equal(await verdict(client, upid), "OK");
    assert.equal((await current(client, "pve1", 101))["status"], "running");
    const log = rowsOf(await client.data("GET", `/nodes/pve1/tasks/${upid}/log`, AS));
    assert.deepEqual(log, [{ n: 1, t: "TASK OK" }]);
  });
});

test("tasks are found by guest, hidden from others, and listed as active while they run", async () => {
  await simulated(async (client) => {
    const upid = await act(client, "/nodes/pve1/qemu/101/status/start");
    const active = rowsOf(await client.data("GET", "/nodes/pve1/tasks?source=active&vmid=101", AS));
    assert.deepEqual(
      active.map((row) => [row["upid"], row["status"]]),
      [[upid, "RUNNING"]],
    );
    assert.deepEqual(await client.data("GET", "/nodes/pve1/tasks", AS), []);
    await act(client, "/nodes/pve1/qemu/102/status/reset");
    await verdict(client, upid);
    assert.equal(rowsOf(await client.data("GET", "/nodes/pve1/tasks?vmid=101", AS)).length, 1);
    assert.equal(rowsOf(await client.data("GET", "/nodes/pve1/tasks?limit=1", AS)).length, 1);
    assert.equal(rowsOf(await client.data("GET", "/nodes/pve1/tasks?typefilter=qmreset", AS)).length, 1);
    assert.equal(rowsOf(await client.data("GET", "/nodes/pve1/tasks?errors=1", AS)).length, 0);
    assert.equal(rowsOf(await client.data("GET", "/cluster/tasks", AS)).length, 2);
  }, THREE_NODES);
  const blind = THREE_NODES.replace(
    "who: dedalus@pve!observe, role: PVEAuditor",
    "who: dedalus@pve!observe, role: PVEPoolUser",
  );
  await simulated(async (client) => {
    const upid = await act(client, "/nodes/pve1/qemu/101/status/start");
    assert.deepEqual(await client.data("GET", "/nodes/pve1/tasks?source=all"), []);
    const { reason } = await client.ask("GET", `/nodes/pve1/tasks/${upid}/status`);
    assert.equal(reason, "Permission check failed (/nodes/pve1, Sys.Audit)");
  }, blind);
});

test("a locked VM and a template answer with a task, and only the task says no", async () => {
  await simulated(async (client) => {
    assert.equal(
      await verdict(client, await act(client, "/nodes/pve3/qemu/106/status/start")),
      "VM is locked (backup)",
    );
    const template = await act(client, "/nodes/pve1/qemu/107/status/start");
    assert.equal(await verdict(client, template), "you can't start a vm if it's a template");
  });
});

test("a container that is not running is refused at once", async () => {
  await simulated(async (client) => {
    const { reason } = await client.ask("POST", "/nodes/pve1/lxc/200/status/start", AS);
    assert.equal(reason, "CT 200 already running");
    assert.equal(await verdict(client, await act(client, "/nodes/pve1/lxc/200/status/stop")), "OK");
    assert.equal((await current(client, "pve1", 200, "lxc"))["status"], "stopped");
    assert.equal((await client.ask("POST", "/nodes/pve1/lxc/200/status/reset", AS)).status, 501);
  });
});

test("sizes of a running VM wait: config shows them, current=1 does not, pending names both", async () => {
  await simulated(async (client) => {
    const path = "/nodes/pve1/qemu/102/config";
    const before = rowOf(await client.data("GET", `${path}?current=1`));
    assert.deepEqual([before["cores"], before["memory"]], [4, "4096"]);
    const stale = await client.ask("PUT", path, { ...AS, body: `cores=8&digest=${"0".repeat(40)}` });
    assert.equal(stale.reason, "checksum mismatch (file change by other user?)");
    await client.data("PUT", path, { ...AS, body: `cores=8&digest=${before["digest"]}` });
    assert.equal(rowOf(await client.data("GET", path))["cores"], 8);
    assert.equal(rowOf(await client.data("GET", `${path}?current=1`))["cores"], 4);
    const waiting = rowsOf(await client.data("GET", "/nodes/pve1/qemu/102/pending")).find(
      (row) => row["key"] === "cores",
    );
    assert.deepEqual(waiting, { key: "cores", pending: 8, value: 4 });
    assert.notEqual(rowOf(await client.data("GET", path))["digest"], before["digest"]);
    await verdict(client, await act(client, "/nodes/pve1/qemu/102/status/reboot"));
    assert.equal(rowOf(await client.data("GET", `${path}?current=1`))["cores"], 8);
  });
});

test("POST config is a task, and null when it ends within its delay", async () => {
  await simulated(async (client) => {
    const path = "/nodes/pve1/qemu/101/config";
    assert.match(await act(client, path, "cores=3"), /:qmconfig:101:/);
    client.simulator.advance(1000);
    assert.equal(await client.data("POST", path, { ...AS, body: "cores=4&background_delay=5" }), null);
    assert.equal(rowOf(await client.data("GET", path))["cores"], 4);
    const json = { ...AS, body: '{"cores":5}', type: "application/json" };
    assert.equal(await client.data("PUT", path, json), null);
    assert.equal(rowOf(await client.data("GET", path))["cores"], 5);
  });
});

test("keys that are not there are removed in pending with the original's quirk", async () => {
  const text = THREE_NODES.replace(
    "{ vmid: 102, node: pve1, name: batch-01, status: running, cores: 4, memory: 4 GiB }",
    '{ vmid: 102, node: pve1, status: running, config: "balloon: 64\\nmemory: 512\\n\\n[PENDING]\\ndelete: balloon,shares\\n" }',
  );
  await simulated(async (client) => {
    const rows = rowsOf(await client.data("GET", "/nodes/pve1/qemu/102/pending"));
    assert.deepEqual(
      rows.filter((row) => Object.hasOwn(row, "delete")),
      [
        { delete: 1, key: "balloon", value: 64 },
        { delete: 2, key: "shares" },
      ],
    );
  }, text);
});

test("snapshots are listed with the place where one stands, and can be rolled back and removed", async () => {
  await simulated(async (client) => {
    const base = "/nodes/pve1/qemu/101/snapshot";
    assert.equal(await verdict(client, await act(client, base, "snapname=s1&description=one")), "OK");
    const [first, here] = rowsOf(await client.data("GET", base));
    assert.deepEqual([first?.["name"], first?.["description"], first?.["vmstate"]], ["s1", "one", 0]);
    assert.deepEqual([here?.["name"], here?.["parent"], here?.["running"]], ["current", "s1", 0]);
    assert.equal(await verdict(client, await act(client, `${base}/s1/rollback`)), "OK");
    assert.equal(await verdict(client, await act(client, `${base}/s1`, "", "DELETE")), "OK");
    assert.equal(rowsOf(await client.data("GET", base)).length, 1);
    assert.equal((await client.ask("POST", base, { ...AS, body: "snapname=1" })).status, 400);
  });
});

test("destroying needs a stopped VM, and then nothing of it remains", async () => {
  await simulated(async (client) => {
    const { reason } = await client.ask("DELETE", "/nodes/pve1/qemu/102", AS);
    assert.equal(reason, "VM 102 is running - destroy failed");
    assert.equal(await verdict(client, await act(client, "/nodes/pve1/qemu/101", "", "DELETE")), "OK");
    assert.match((await client.ask("GET", "/nodes/pve1/qemu/101/config")).reason, /does not exist$/);
  });
});

test("high availability says OK at once and acts later", async () => {
  await simulated(async (client) => {
    const upid = await act(client, "/nodes/pve2/qemu/108/status/start");
    client.simulator.advance(1000);
    const task = await taskAt(client, upid);
    assert.deepEqual([task["type"], task["exitstatus"]], ["hastart", "OK"]);
    const early = await current(client, "pve2", 108);
    assert.deepEqual(
      [early["status"], rowOf(early["ha"])["managed"], rowOf(early["ha"])["state"]],
      ["stopped", 1, "request_start"],
    );
    client.simulator.advance(30_000);
    assert.equal((await current(client, "pve2", 108))["status"], "running");
  });
});

test("lost-reply on the wire: the connection breaks, and the VM starts", async () => {
  await simulated(async (client) => {
    await assert.rejects(client.ask("POST", "/nodes/pve1/qemu/101/status/start", AS), { code: "ECONNRESET" });
    client.simulator.advance(60_000);
    assert.equal((await current(client, "pve1", 101))["status"], "running");
    const found = rowsOf(await client.data("GET", "/nodes/pve1/tasks?vmid=101", AS));
    assert.deepEqual(
      found.map((row) => row["type"]),
      ["qmstart"],
    );
  }, withFaults("{ on: { call: start, vmid: 101 }, fate: { kind: lost-reply, how: reset } }"));
});

test("silence on the wire: the request stays open until the simulator stops", async () => {
  await simulated(async (client) => {
    const asking = client.ask("POST", "/nodes/pve1/qemu/101/status/start", AS).then(
      () => "answered",
      () => "broken",
    );
    assert.equal((await client.ask("GET", "/version")).status, 200);
    assert.deepEqual(
      client.simulator.requests().map(({ status }) => status),
      [undefined, 200],
    );
    await client.simulator.stop();
    assert.equal(await asking, "broken");
  }, withFaults("{ on: { call: start }, fate: { kind: unheard, how: silence } }"));
});

test("half-done, lies, warns, fails and verdict-lost on the wire", async () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["{ kind: half-done }", "unexpected status", "running", "prelaunch"],
    ["{ kind: lies }", "OK", "stopped", "stopped"],
    ["{ kind: warns }", "WARNINGS: 1", "running", "running"],
    ["{ kind: fails, text: no luck }", "no luck", "stopped", "stopped"],
    ["{ kind: verdict-lost }", "unexpected status", "running", "running"],
  ];
  for (const [fate, said, status, qmpstatus] of cases) {
    await simulated(
      async (client) => {
        assert.equal(await verdict(client, await act(client, "/nodes/pve1/qemu/101/status/start")), said);
        const row = await current(client, "pve1", 101);
        assert.deepEqual([row["status"], row["qmpstatus"]], [status, qmpstatus], fate);
      },
      withFaults(`{ on: { call: start }, fate: ${fate} }`),
    );
  }
});

test("slow on the wire: the answer costs virtual time", async () => {
  await simulated(async (client) => {
    const before = client.simulator.world().nowMs;
    await act(client, "/nodes/pve1/qemu/101/status/start");
    assert.ok(client.simulator.world().nowMs - before >= 20_000);
  }, withFaults("{ on: { call: start }, fate: { kind: slow, by: 20 s } }"));
});

test("between observations and by the clock: others rename, replace, remove, move and lock", async () => {
  const text = withFaults(
    "{ after: { call: observe, vmid: 101 }, change: { kind: renamed, vmid: 101, name: other } }",
    "{ at: 1 min, change: { kind: replaced, vmid: 102 } }",
    "{ at: 1 min, change: { kind: disappears, vmid: 103 } }",
    "{ at: 1 min, change: { kind: moved, vmid: 105, node: pve1 } }",
    "{ at: 1 min, change: { kind: set, vmid: 101, key: lock, value: backup } }",
  );
  await simulated(async (client) => {
    assert.equal((await current(client, "pve1", 101))["name"], "web-01");
    assert.equal((await current(client, "pve1", 101))["name"], "other");
    const before = rowOf(await client.data("GET", "/nodes/pve1/qemu/102/config"));
    client.simulator.advance(61_000);
    assert.notEqual(rowOf(await client.data("GET", "/nodes/pve1/qemu/102/config"))["smbios1"], before["smbios1"]);
    assert.match((await client.ask("GET", "/nodes/pve2/qemu/103/config")).reason, /does not exist$/);
    assert.match((await client.ask("GET", "/nodes/pve3/qemu/105/config")).reason, /does not exist$/);
    assert.equal((await current(client, "pve1", 105))["status"], "running");
    assert.equal((await current(client, "pve1", 101))["lock"], "backup");
  }, text);
});

test("an observation can be lost too", async () => {
  await simulated(async (client) => {
    await assert.rejects(client.ask("GET", "/nodes/pve1/qemu/101/status/current"), { code: "ECONNRESET" });
    assert.equal((await client.ask("GET", "/nodes/pve1/qemu/101/status/current")).status, 200);
  }, withFaults("{ on: { call: observe, vmid: 101 }, fate: { kind: unheard, how: reset } }"));
});

test("an answer can be a page of HTML, half an answer, or more than a client should read", async () => {
  const text = withFaults(
    "{ on: { call: observe, vmid: 101 }, fate: { kind: unheard, how: html } }",
    "{ on: { call: observe, vmid: 101, nth: 2 }, fate: { kind: unheard, how: cut } }",
    "{ on: { call: observe, vmid: 101, nth: 3 }, fate: { kind: unheard, how: huge } }",
  );
  await simulated(async ({ ask }) => {
    const path = "/nodes/pve1/qemu/101/status/current";
    const page = await ask("GET", path);
    assert.deepEqual([page.status, page.type], [200, "text/html"]);
    const half = await ask("GET", path);
    assert.equal(parseJson(half.body, "half").kind, "bad");
    assert.equal((await ask("GET", path)).body.length, 128 * 2 ** 20);
    assert.equal((await ask("GET", path)).status, 200);
  }, text);
});
