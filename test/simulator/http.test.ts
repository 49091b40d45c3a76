// The HTTPS server: who is let in, how errors are written, what lists leave out, and how old the cluster's word is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, type DetailedPeerCertificate } from "node:tls";
import { APPLY, type Client, jsonOf, OBSERVE, rowOf, rowsOf, simulated, THREE_NODES } from "./server.ts";

const resource = async ({ data }: Client, vmid: number) =>
  rowsOf(await data("GET", "/cluster/resources?type=vm")).find((row) => row["vmid"] === vmid);

test("the certificate is the scenario's: the same seed has the same fingerprint, and a client can verify it", async () => {
  let first = "";
  await simulated(async ({ ask, simulator }) => {
    first = simulator.fingerprint;
    assert.equal((await ask("GET", "/version")).status, 200);
    const { port } = new URL(simulator.url);
    const shown = await new Promise<DetailedPeerCertificate>((resolve, reject) => {
      const socket = connect({ ca: simulator.ca, host: "127.0.0.1", port: Number(port) }, () => {
        resolve(socket.getPeerCertificate(true));
        socket.destroy();
      });
      socket.on("error", reject);
    });
    assert.equal(shown.fingerprint256, simulator.fingerprint);
    assert.match(`${shown.subjectaltname}`, /127\.0\.0\.1/);
  });
  await simulated(async ({ simulator }) => assert.equal(simulator.fingerprint, first));
  await simulated(
    async ({ simulator }) => assert.notEqual(simulator.fingerprint, first),
    THREE_NODES.replace("seed: 7", "seed: 8"),
  );
});

test("an expired certificate is refused by a client that verifies", async () => {
  await simulated(
    async ({ ask }) => {
      await assert.rejects(ask("GET", "/version"), { code: "CERT_HAS_EXPIRED" });
    },
    THREE_NODES,
    { validity: { notAfterMs: 1_600_000_000_000, notBeforeMs: 1_500_000_000_000 } },
  );
});

test("it listens on the loopback address alone", async () => {
  await simulated(async ({ simulator }) => assert.equal(new URL(simulator.url).hostname, "127.0.0.1"));
});

test("without a right credential there is an empty 401, three virtual seconds late", async () => {
  await simulated(async ({ ask, simulator }) => {
    const cases = [
      ["", "No ticket"],
      ["Bearer x", "No ticket"],
      ["PVEAPIToken=dedalus@pve!observe=wrong", "Authentication failed!"],
      ["PVEAPIToken=dedalus@pve!nobody=x", "Authentication failed!"],
    ] as const;
    for (const [auth, reason] of cases) {
      const before = simulator.world().nowMs;
      const answer = await ask("GET", "/version", { auth });
      assert.deepEqual([answer.status, answer.reason, answer.body, answer.type], [401, reason, "", undefined]);
      assert.ok(simulator.world().nowMs - before >= 3000);
    }
    assert.equal((await ask("GET", "/version", { auth: OBSERVE.replace("=", " ") })).status, 200);
  });
});

test("a ticket is given for a password, asks for a CSRF token to write, and ends after two hours", async () => {
  await simulated(async ({ ask, data, simulator }) => {
    const wrong = await ask("POST", "/access/ticket", { auth: "", body: "username=root@pam&password=no" });
    assert.deepEqual([wrong.status, wrong.reason], [401, "authentication failure"]);
    const given = rowOf(
      await data("POST", "/access/ticket", { auth: "", body: "username=root@pam&password=simulated" }),
    );
    const Cookie = `PVEAuthCookie=${encodeURIComponent(`${given["ticket"]}`)}`;
    const CSRFPreventionToken = `${given["CSRFPreventionToken"]}`;
    assert.equal((await ask("GET", "/version", { auth: "", headers: { Cookie } })).status, 200);
    const path = "/nodes/pve1/qemu/101/status/start";
    assert.equal((await ask("POST", path, { auth: "", headers: { Cookie } })).status, 401);
    assert.equal((await ask("POST", path, { auth: "", headers: { CSRFPreventionToken, Cookie } })).status, 200);
    simulator.advance(3 * 3_600_000);
    assert.equal((await ask("GET", "/version", { auth: "", headers: { Cookie } })).status, 401);
  });
});

test("errors have a reason phrase and the same text in the body, with a newline", async () => {
  await simulated(async ({ ask }) => {
    const text = "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist";
    const { body, reason, status } = await ask("GET", "/nodes/pve1/qemu/999/status/current");
    assert.deepEqual([status, reason, jsonOf(body)], [500, text, { data: null, message: `${text}\n` }]);
    const wrong = await ask("PUT", "/nodes/pve1/qemu/101/config", { auth: APPLY, body: "cores=0&nonsense=1" });
    assert.deepEqual([wrong.status, wrong.reason], [400, "Parameter verification failed."]);
    assert.deepEqual(Object.keys(rowOf(rowOf(jsonOf(wrong.body))["errors"])).toSorted(), ["cores", "nonsense"]);
  });
});

test("release 8 says the text in the reason phrase alone, and has other keys", async () => {
  await simulated(
    async ({ ask, data }) => {
      const { body, reason } = await ask("GET", "/nodes/pve1/qemu/999/status/current");
      assert.match(reason, /does not exist$/);
      assert.deepEqual(jsonOf(body), { data: null });
      const row = rowOf(await data("GET", "/nodes/pve1/qemu/102/status/current"));
      assert.deepEqual([Object.hasOwn(row, "memhost"), Object.hasOwn(row, "pressurecpusome")], [false, false]);
      const rights = rowOf(rowOf(await data("GET", "/access/permissions?path=/vms/101", { auth: APPLY }))["/vms/101"]);
      assert.equal(rights["VM.PowerMgmt"], 1);
    },
    THREE_NODES.replace('pve: "9.2.3"', 'pve: "8.4.1"'),
  );
});

test("extjs answers 200 for everything and says in the body how it was", async () => {
  await simulated(async ({ ask }) => {
    const bad = await ask("GET", "/api2/extjs/nodes/pve1/qemu/999/status/current");
    assert.equal(bad.status, 200);
    assert.deepEqual([rowOf(jsonOf(bad.body))["success"], rowOf(jsonOf(bad.body))["status"]], [0, 500]);
    const wrong = await ask("GET", "/api2/extjs/nodes/pve1/qemu/abc/status/current");
    assert.deepEqual([wrong.status, rowOf(jsonOf(wrong.body))["status"]], [200, "400"]);
    const good = await ask("GET", "/api2/extjs/version");
    assert.equal(rowOf(jsonOf(good.body))["success"], 1);
  });
});

test("verbs, paths and bodies that nobody knows are turned away", async () => {
  await simulated(async ({ ask }) => {
    const patch = await ask("PATCH", "/version");
    assert.deepEqual([patch.status, patch.reason, patch.body], [501, "method 'PATCH' not available", ""]);
    assert.equal((await ask("GET", "/no/such/path")).reason, "Method 'GET /no/such/path' not implemented");
    assert.equal((await ask("GET", "/version", { body: "a=1" })).status, 501);
    assert.equal((await ask("POST", "/nodes/pve1/qemu/101/config", { body: "x".repeat(600_000) })).status, 501);
    const broken = await ask("PUT", "/nodes/pve1/qemu/101/config", {
      auth: APPLY,
      body: "{",
      type: "application/json",
    });
    assert.equal(broken.status, 501);
    assert.equal((await ask("GET", "/api2/other/version")).status, 404);
    assert.equal((await ask("GET", "/%E2%80%AE")).reason, "Method 'GET /?' not implemented");
    assert.equal((await ask("GET", "/%zz")).status, 404);
    assert.equal((await ask("GET", "/version", { auth: "", headers: { Cookie: "PVEAuthCookie=%zz" } })).status, 401);
  });
});

test("a paused guest is running in the node's list and paused in the cluster's", async () => {
  await simulated(async (client) => {
    const list = rowsOf(await client.data("GET", "/nodes/pve2/qemu"));
    assert.equal(list.find((row) => row["vmid"] === 104)?.["status"], "running");
    assert.equal((await resource(client, 104))?.["status"], "paused");
    const current = rowOf(await client.data("GET", "/nodes/pve2/qemu/104/status/current"));
    assert.deepEqual([current["status"], current["qmpstatus"]], ["running", "paused"]);
  });
});

test("the cluster's word is up to ten seconds old", async () => {
  await simulated(async (client) => {
    client.simulator.change({ kind: "stops", vmid: 105 });
    assert.equal((await resource(client, 105))?.["status"], "running");
    assert.equal(rowOf(await client.data("GET", "/nodes/pve3/qemu/105/status/current"))["status"], "stopped");
    client.simulator.advance(10_000);
    assert.equal((await resource(client, 105))?.["status"], "stopped");
  });
});

test("a guest that moves is at its place at once, and its former owner's word is kept until the next", async () => {
  await simulated(async (client) => {
    client.simulator.change({ kind: "reports-stop", node: "pve3" });
    client.simulator.change({ kind: "moved", node: "pve1", vmid: 105 });
    client.simulator.change({ kind: "stops", vmid: 105 });
    const seen = async () => {
      const row = await resource(client, 105);
      return [row?.["node"], row?.["status"]];
    };
    assert.deepEqual(await seen(), ["pve1", "running"]);
    client.simulator.advance(10_000);
    assert.deepEqual(await seen(), ["pve1", "stopped"]);
  });
});

test("a dead node: its last word is kept for five minutes, then unknown; calls to it are 595 without a body", async () => {
  await simulated(async (client) => {
    const { ask, data, simulator } = client;
    simulator.change({ kind: "node-dies", node: "pve3" });
    simulator.advance(280_000);
    assert.equal((await resource(client, 105))?.["status"], "running");
    simulator.advance(30_000);
    const row = await resource(client, 105);
    assert.deepEqual(row, { id: "qemu/105", node: "pve3", status: "unknown", type: "qemu", vmid: 105 });
    const nodes = rowsOf(await data("GET", "/nodes"));
    assert.deepEqual(
      nodes.map(({ node, status }) => [node, status]),
      [
        ["pve1", "online"],
        ["pve2", "online"],
        ["pve3", "offline"],
      ],
    );
    const answer = await ask("GET", "/nodes/pve3/qemu/105/status/current");
    assert.deepEqual(
      [answer.status, answer.reason, answer.body, answer.type],
      [595, "No route to host", "", undefined],
    );
    assert.equal((await ask("POST", "/nodes/pve3/qemu/105/status/stop", { auth: APPLY })).status, 595);
  });
});

test("a node that is cut off times out after thirty virtual seconds with 596", async () => {
  await simulated(async ({ ask, simulator }) => {
    simulator.change({ kind: "node-cut", node: "pve2" });
    const before = simulator.world().nowMs;
    assert.equal((await ask("GET", "/nodes/pve2/qemu/103/config")).status, 596);
    assert.ok(simulator.world().nowMs - before >= 30_000);
  });
});

test("the node that answers takes its connections with it when it dies", async () => {
  await simulated(async ({ ask, simulator }) => {
    simulator.change({ kind: "node-dies", node: "pve1" });
    await assert.rejects(ask("GET", "/version"), { code: "ECONNRESET" });
  });
});

test("a silent reporter leaves the cluster's word stale while the owner is right", async () => {
  await simulated(async (client) => {
    client.simulator.change({ kind: "reports-stop", node: "pve3" });
    client.simulator.change({ kind: "stops", vmid: 105 });
    client.simulator.advance(120_000);
    const row = await resource(client, 105);
    assert.equal(row?.["status"], "running");
    assert.equal((await resource(client, 105))?.["uptime"], row?.["uptime"]);
    assert.equal(rowOf(await client.data("GET", "/nodes/pve3/qemu/105/status/current"))["status"], "stopped");
  });
});

test("a hung monitor is running, late by three virtual seconds, and without running-qemu", async () => {
  await simulated(async ({ data, simulator }) => {
    simulator.change({ kind: "monitor-hangs", vmid: 102 });
    const before = simulator.world().nowMs;
    const row = rowOf(await data("GET", "/nodes/pve1/qemu/102/status/current"));
    assert.deepEqual(
      [row["status"], row["qmpstatus"], Object.hasOwn(row, "running-qemu")],
      ["running", "running", false],
    );
    assert.ok(simulator.world().nowMs - before >= 3000);
  });
});

test("without quorum the status says so, a start is refused and a stop is taken", async () => {
  await simulated(async ({ ask, data, simulator }) => {
    simulator.change({ kind: "quorum-lost" });
    assert.equal(rowsOf(await data("GET", "/cluster/status"))[0]?.["quorate"], 0);
    const start = await ask("POST", "/nodes/pve1/qemu/101/status/start", { auth: APPLY });
    assert.deepEqual([start.status, start.reason], [500, "cluster not ready - no quorum?"]);
    assert.equal((await ask("POST", "/nodes/pve1/qemu/102/status/stop", { auth: APPLY })).status, 200);
  });
});

test("the next free vmid is told, and one that is taken is refused", async () => {
  const taken = THREE_NODES.replace("vmid: 200, kind: ct", "vmid: 100, kind: ct");
  await simulated(async ({ ask, data }) => {
    assert.equal(await data("GET", "/cluster/nextid"), "109");
    assert.equal((await ask("GET", "/cluster/nextid?vmid=101")).status, 400);
    assert.equal(await data("GET", "/cluster/nextid?vmid=500"), "500");
  }, taken);
});

test("the Date header is virtual, and requests are listed as they came", async () => {
  await simulated(async ({ ask, simulator }) => {
    assert.match(`${(await ask("GET", "/version")).headers["date"]}`, /^Thu, 01 Jan 2026 00:00:00 GMT$/);
    simulator.advance(60_000);
    assert.match(`${(await ask("GET", "/version?a=1")).headers["date"]}`, /00:01:00 GMT$/);
    assert.deepEqual(
      simulator.requests().map(({ method, path, status }) => `${method} ${path} ${status}`),
      ["GET /api2/json/version 200", "GET /api2/json/version?a=1 400"],
    );
  });
});

test("whoever asks is told of each request when it is answered", async () => {
  const told: string[] = [];
  await simulated(
    async ({ ask }) => {
      await ask("GET", "/version");
      await ask("GET", "/nodes/pve1/qemu/999/config");
      assert.deepEqual(told, ["GET /api2/json/version 200", "GET /api2/json/nodes/pve1/qemu/999/config 500"]);
    },
    THREE_NODES,
    { onRequest: ({ method, path, status }) => told.push(`${method} ${path} ${status}`) },
  );
});

test("a clock that is followed moves the world", async () => {
  let nowMs = 1_800_000_000_000;
  await simulated(
    async ({ data, simulator }) => {
      await data("GET", "/version");
      assert.equal(simulator.world().nowMs, nowMs);
      nowMs += 90_000;
      await data("GET", "/version");
      assert.equal(simulator.world().nowMs, nowMs);
    },
    THREE_NODES,
    { clock: { kind: "follows", nowMs: () => nowMs } },
  );
});
