// Rights over HTTPS: what tokens, paths, propagation, pools and roles let somebody see and do.

import assert from "node:assert/strict";
import { test } from "node:test";
import { APPLY, jsonOf, rowOf, rowsOf, simulated, THREE_NODES } from "./server.ts";

const LIMITED = `${THREE_NODES.replace(
  "  - { path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
  "  - { path: /vms/101, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
)}`;

test("a token without rights gets shorter lists and no error, and 403 before existence", async () => {
  await simulated(async (client) => {
    const { ask, data } = client;
    assert.deepEqual(
      rowsOf(await data("GET", "/cluster/resources?type=vm")).map((row) => row["vmid"]),
      [101],
    );
    assert.deepEqual(rowsOf(await data("GET", "/nodes/pve2/qemu")), []);
    assert.equal(Object.hasOwn(rowsOf(await data("GET", "/nodes"))[0] ?? {}, "maxmem"), false);
    for (const vmid of [102, 999]) {
      const { reason, status } = await ask("GET", `/nodes/pve1/qemu/${vmid}/status/current`);
      assert.deepEqual([status, reason], [403, `Permission check failed (/vms/${vmid}, VM.Audit)`]);
    }
    assert.equal((await ask("GET", "/cluster/status")).reason, "Permission check failed (/, Sys.Audit)");
    assert.deepEqual(await data("GET", "/access/permissions?path=/vms/102"), { "/vms/102": {} });
    assert.deepEqual(Object.keys(rowOf(await data("GET", "/access/permissions"))), ["/vms/101"]);
  }, LIMITED);
});

test("a separated token has only what its user has too", async () => {
  const userOnly = THREE_NODES.replace("who: dedalus@pve, role: Administrator", "who: dedalus@pve, role: PVEVMUser");
  await simulated(async ({ ask }) => {
    assert.equal((await ask("GET", "/cluster/status")).status, 403);
    assert.equal((await ask("GET", "/nodes/pve1/qemu/101/status/current")).status, 200);
  }, userOnly);
});

const withAcl = (...entries: readonly string[]): string =>
  THREE_NODES.replace(
    "  - { path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }\n",
    entries.map((entry) => `  - ${entry}\n`).join(""),
  );

test("an entry that is not propagated holds at its path alone, and a nearer entry replaces a farther one", async () => {
  const here = withAcl("{ path: /vms, who: dedalus@pve!observe, role: PVEAuditor, propagate: false }");
  await simulated(async ({ data }) => {
    assert.deepEqual(await data("GET", "/cluster/resources?type=vm"), []);
    const rights = rowOf(rowOf(await data("GET", "/access/permissions?path=/vms"))["/vms"]);
    assert.equal(rights["VM.Audit"], 0);
  }, here);
  const nearer = withAcl(
    "{ path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
    "{ path: /vms/101, who: dedalus@pve!observe, role: NoAccess, propagate: true }",
  );
  await simulated(async ({ ask }) => {
    assert.equal((await ask("GET", "/nodes/pve1/qemu/101/config")).status, 403);
    assert.equal((await ask("GET", "/nodes/pve1/qemu/102/config")).status, 200);
  }, nearer);
});

test("rights on a pool are rights on its guests", async () => {
  const pool = withAcl("{ path: /pool/web, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }");
  await simulated(
    async ({ data }) => {
      const rows = rowsOf(await data("GET", "/cluster/resources?type=vm"));
      assert.deepEqual(
        rows.map(({ pool: name, vmid }) => [name, vmid]),
        [["web", 101]],
      );
    },
    pool.replace("name: web-01, status", "name: web-01, pool: web, status"),
  );
});

test("some options are for root alone, and a token of root is not root", async () => {
  const text = THREE_NODES.replace("tokens:\n", "tokens:\n  - { id: root@pam!t, secret: s, privsep: false }\n");
  await simulated(async ({ ask }) => {
    const path = "/nodes/pve1/qemu/101/status/start";
    const { body, status } = await ask("POST", path, { auth: "PVEAPIToken=root@pam!t=s", body: "skiplock=1" });
    assert.deepEqual([status, rowOf(jsonOf(body))["errors"]], [400, { skiplock: "Only root may use this option." }]);
    const given = rowOf(
      jsonOf((await ask("POST", "/access/ticket", { auth: "", body: "username=root@pam&password=simulated" })).body),
    );
    const { CSRFPreventionToken, ticket } = rowOf(given["data"]);
    const headers = {
      CSRFPreventionToken: `${CSRFPreventionToken}`,
      Cookie: `PVEAuthCookie=${encodeURIComponent(`${ticket}`)}`,
    };
    assert.equal((await ask("POST", path, { auth: "", body: "skiplock=1", headers })).status, 200);
  }, text);
});

test("parameters out of their range are named with the bound", async () => {
  await simulated(async ({ ask }) => {
    const errors = async (path: string, body?: string) => {
      const answer = await ask(body === undefined ? "GET" : "POST", path, {
        auth: APPLY,
        ...(body === undefined ? {} : { body }),
      });
      assert.equal(answer.status, 400);
      return rowOf(jsonOf(answer.body))["errors"];
    };
    assert.deepEqual(await errors("/nodes/pve1/qemu/99/config"), { vmid: "value must have a minimum value of 100" });
    assert.deepEqual(await errors("/nodes/pve1/qemu/101/config", "cores=2&background_delay=31"), {
      background_delay: "value must have a maximum value of 30",
    });
    assert.deepEqual(await errors("/nodes/pve1/qemu/101/status/stop", "overrule-shutdown=maybe"), {
      "overrule-shutdown": "type check ('boolean') failed - got 'maybe'",
    });
  });
});

test("what cannot be parsed is missing from the configuration, and the status invents what is missing", async () => {
  const text = THREE_NODES.replace(
    "{ vmid: 101, node: pve1, name: web-01, status: stopped, cores: 2, memory: 2 GiB, tags: [web] }",
    '{ vmid: 101, node: pve1, config: "cores: banana\\nnot a line\\nostype: l26\\n" }',
  );
  await simulated(async ({ data }) => {
    const { digest, ...config } = rowOf(await data("GET", "/nodes/pve1/qemu/101/config"));
    assert.match(`${digest}`, /^[0-9a-f]{40}$/);
    assert.deepEqual(config, { ostype: "l26" });
    const { cpus, maxmem, name } = rowOf(await data("GET", "/nodes/pve1/qemu/101/status/current"));
    assert.deepEqual([cpus, maxmem, name], [1, 2 ** 29, "VM 101"]);
  }, text);
});

test("each key of a configuration needs its own privilege", async () => {
  await simulated(async ({ ask }) => {
    const path = "/nodes/pve1/qemu/101/config";
    assert.equal((await ask("PUT", path, { auth: APPLY, body: "cores=4" })).status, 200);
    const { reason } = await ask("PUT", path, { auth: APPLY, body: "name=other" });
    assert.equal(reason, "Permission check failed (/vms/101, VM.Config.Options)");
  });
});

const GRANTED = THREE_NODES.replace(
  "{ path: /, who: dedalus@pve!apply, role: DedalusApply, propagate: true }",
  "{ path: /vms/101, who: dedalus@pve!apply, role: DedalusApply, propagate: true }",
);

test("destroying a guest removes what was granted on its path, also for the next one with its number", async () => {
  await simulated(async ({ ask, data, simulator }) => {
    const at101 = "/nodes/pve1/qemu/101/status/current";
    assert.equal((await ask("GET", at101, { auth: APPLY })).status, 200);
    await data("DELETE", "/nodes/pve1/qemu/101", { auth: APPLY });
    simulator.advance(60_000);
    assert.equal(simulator.world().guests.has(101), false);
    assert.equal((await ask("GET", at101, { auth: APPLY })).status, 403);
    assert.deepEqual(await data("GET", "/access/permissions?path=/vms/101", { auth: APPLY }), { "/vms/101": {} });
    assert.equal(
      rowsOf(await data("GET", "/access/acl")).some(({ path }) => path === "/vms/101"),
      false,
    );
  }, GRANTED);
  await simulated(async ({ ask, simulator }) => {
    simulator.change({ kind: "replaced", vmid: 101 });
    const denied = await ask("GET", "/nodes/pve1/qemu/101/status/current", { auth: APPLY });
    assert.deepEqual([denied.status, denied.reason], [403, "Permission check failed (/vms/101, VM.Audit)"]);
    assert.equal((await ask("GET", "/nodes/pve1/qemu/101/status/current")).status, 200, "what comes from above stays");
  }, GRANTED);
});

test("NoAccess leaves nothing of the roles beside it, and nothing of those above", async () => {
  const shut = THREE_NODES.replace(
    "acl:\n",
    `acl:
  - { path: /vms/101, who: dedalus@pve!observe, role: NoAccess, propagate: true }
  - { path: /vms/101, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }
`,
  );
  await simulated(async ({ ask, data }) => {
    assert.equal((await ask("GET", "/nodes/pve1/qemu/101/status/current")).status, 403);
    assert.deepEqual(await data("GET", "/access/permissions?path=/vms/101"), { "/vms/101": {} });
    assert.equal((await ask("GET", "/nodes/pve1/qemu/102/status/current")).status, 200);
    const rows = rowsOf(await data("GET", "/access/acl")).filter(({ path }) => path === "/vms/101");
    assert.deepEqual(
      rows.map(({ roleid, type, ugid }) => `${type} ${ugid} ${roleid}`),
      ["token dedalus@pve!observe NoAccess", "token dedalus@pve!observe PVEAuditor"],
    );
  }, shut);
});
