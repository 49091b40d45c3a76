// list, history and whoami against a simulated cluster: what was recorded, told without asking a provider.

import assert from "node:assert/strict";
import { test } from "node:test";
import { applied, atCluster, type Cluster, codesIn, planned } from "./cluster.ts";

type Listed = {
  readonly vms: readonly {
    readonly environment: string;
    readonly name: string;
    readonly observed?: { readonly ageSeconds: number; readonly vmStatus: string };
    readonly target: string;
    readonly vmid: number;
  }[];
};
type History = {
  readonly events: readonly {
    readonly action?: string;
    readonly end?: { readonly outcome: string };
    readonly id: string;
    readonly intent?: string;
    readonly kind: string;
    readonly planId?: string;
    readonly reason?: string;
    readonly refusals?: readonly { readonly code: string }[];
    readonly seq: number;
  }[];
  readonly vmid: number;
};

const kindsOf = ({ events }: History): readonly string[] => events.map(({ kind }) => kind);
const requests = ({ simulator }: Cluster): number => simulator.requests().length;

test("list shows what is registered, and beside it the newest observation of each VM", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const before = (await value<Listed>("list")).vms;
    assert.deepEqual(
      before.map(({ name, observed, target, vmid }) => [vmid, name, target, observed]),
      [
        [101, "web-01", "running", undefined],
        [102, "batch-01", "running", undefined],
        [103, "prod-db", "running", undefined],
        [105, "cache-01", "running", undefined],
        [200, "dns-01", "running", undefined],
      ],
    );
    assert.equal(requests(cluster), 0, "no provider is asked");
    await dedalus("observe", "--env", "home");
    // It sees one VM; the others keep what the observation before saw.
    const { id } = await planned(cluster, "vm.start", 101);
    await applied(cluster, id);
    await planned(cluster, "vm.reboot", 102);
    const seen = (await value<Listed>("list", "--env", "home")).vms;
    assert.deepEqual(
      seen.map(({ observed }) => observed?.vmStatus),
      // 101 is shown as its apply has proven it, after the observation before its start.
      ["running", "running", "running", "running", "running"],
    );
    assert.ok(seen.every(({ observed }) => observed !== undefined && observed.ageSeconds < 60));
    const text = (await dedalus("list")).out.split("\n");
    assert.match(text[0] ?? "", /^ENV +VM +NAME +TARGET +STATUS +OBSERVED$/);
    assert.match(text[2] ?? "", /^home +102 +batch-01 +running +running +(?:just now|\d+ s ago) \(20[0-9: -]+Z\)$/);
  });
});

test("list of an environment that is not configured is an error", async () => {
  await atCluster(async ({ dedalus, value }) => {
    assert.equal((await dedalus("list", "--env", "nowhere")).code, 2);
    assert.deepEqual(codesIn(await value("list", "--env", "nowhere")), ["environment-unknown"]);
  });
});

test("history has every record of a VM, by its number and by its name, and none of another", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const whole = await value<{ readonly id: string }>("plan", "--env", "home");
    await applied(cluster, whole.id);
    const { id } = await planned(cluster, "vm.reboot", 102);
    assert.equal((await dedalus("deny", id, "--step", "1", "--reason", "not today")).code, 0);
    await dedalus("cancel", id, "--reason", "no longer wanted");

    const of101 = await value<History>("history", "101");
    assert.deepEqual(kindsOf(of101), ["plan", "challenge", "apply", "dispatched", "outcome"]);
    const [plan, , apply, , outcome] = of101.events;
    assert.deepEqual([plan?.id, apply?.planId, apply?.action], [whole.id, whole.id, "vm.start"]);
    assert.deepEqual([outcome?.intent, outcome?.end?.outcome], [apply?.id, "succeeded"]);
    assert.deepEqual(await value<History>("history", "web-01", "--env", "home"), of101);

    const of102 = await value<History>("history", "batch-01");
    assert.deepEqual(kindsOf(of102), ["observe", "plan", "deny", "cancel"], "also what was observed for it alone");
    assert.deepEqual(
      of102.events.map(({ reason }) => reason),
      [undefined, undefined, "not today", "no longer wanted"],
    );
    const seqs = of101.events.map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      seqs.toSorted((one, other) => one - other),
    );
    assert.equal((await dedalus("history", "101")).out.trimEnd().split("\n").length, of101.events.length + 1);
  });
});

test("history of a VM that no record names is an error, whatever it is called", async () => {
  await atCluster(async ({ dedalus, value }) => {
    for (const vm of ["999", "no-such-vm", "0", "101"]) {
      assert.equal((await dedalus("history", vm)).code, 2, vm);
      assert.deepEqual(codesIn(await value("history", vm)), ["usage"]);
    }
  });
});

test("history by a name that two VMs have asks which", async () => {
  await atCluster(
    async ({ dedalus, value }) => {
      assert.equal((await dedalus("history", "twin")).code, 2);
      const refused = JSON.stringify(await value("history", "twin"));
      assert.match(refused, /"home 101"/);
      assert.match(refused, /"home 102"/);
    },
    {
      wanted: `version: 1
environment: home
vms:
  - { vmid: 101, name: twin, target: running }
  - { vmid: 102, name: twin, target: running }
`,
    },
  );
});

test("whoami names the operator, the subject of a token and its end, and nobody for a token that is unknown", async (t) => {
  await atCluster(async ({ dedalus, value }) => {
    const actor = async () => await value<{ readonly actor: object; readonly provenBy: string }>("whoami");
    assert.deepEqual(await actor(), {
      actor: { id: "alice", kind: "person" },
      grants: [{ environments: "all", roles: ["approver", "auditor", "observer", "operator"] }],
      provenBy: "operator",
    });
    const words = ["token", "create", "--name", "ci", "--role", "agent", "--days", "1"];
    const { expiresAt, token } = await value<{ readonly expiresAt: string; readonly token: string }>(...words);
    t.after(() => delete process.env["DEDALUS_TOKEN"]);
    process.env["DEDALUS_TOKEN"] = token;
    assert.deepEqual(await actor(), {
      actor: { id: "ci", kind: "agent" },
      expiresAt,
      grants: [{ environments: "all", roles: ["agent"] }],
      provenBy: "token",
    });
    const { out } = await dedalus("whoami");
    assert.doesNotMatch(out, new RegExp(token));
    assert.match(out, new RegExp(`^expires in 24 h \\(${expiresAt.slice(0, 10)} ${expiresAt.slice(11, 19)}Z\\)$`, "m"));
    process.env["DEDALUS_TOKEN"] = `${token}x`;
    assert.equal((await dedalus("whoami")).code, 3);
  });
});
