// doctor --env: what stands between an environment and its place, with exactly what would mend it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROXMOX_WORDS } from "../../src/adapters/proxmox/words.ts";
import type { Facts } from "../../src/spine/model.ts";
import { atCluster, type Cluster, THREE_NODES, WANTED } from "./cluster.ts";

/** The clocks agree, as they must. */
const CLOCK = { kind: "follows", nowMs: () => Date.now() } as const;

type Found = {
  readonly check: string;
  readonly commands?: readonly string[];
  readonly detail: string;
  readonly title: string;
  readonly refusals: readonly {
    readonly code: string;
    readonly facts: Facts;
    readonly text: { readonly detail: string; readonly next: string };
  }[];
};
const findings = async ({ value }: Cluster): Promise<readonly Found[]> =>
  (await value<{ readonly checks: readonly Found[] }>("doctor", "--env", "home")).checks;

const edited = ({ folder }: Cluster, from: string | RegExp, to: string): void => {
  const file = join(folder, "dedalus.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
};

const LEAST = THREE_NODES.replace(", Sys.Audit] }", "] }").replace("privileges: [VM.Audit, ", "privileges: [");

test("doctor --env says that a provider is as it must be, and looks only", async () => {
  await atCluster(
    async (cluster) => {
      const { code, out } = await cluster.dedalus("doctor", "--env", "home");
      assert.equal(code, 0, out);
      assert.match(out, /ok {4}provider of home: proxmox, 5 VMs registered/);
      assert.match(out, /ok {4}TLS: it is the pinned certificate/);
      assert.match(out, /ok {4}version: Proxmox VE 9\.2\.3/);
      assert.match(out, /ok {4}clock: /);
      assert.match(out, /ok {4}rights to observe: every desired VM may be seen, and nothing may be changed/);
      assert.match(out, /ok {4}rights to act: every action on every desired VM/);
      assert.deepEqual(cluster.mutations(), []);
    },
    { clock: CLOCK, scenario: LEAST },
  );
});

test("doctor --env names the missing privilege, its path, and the commands that would grant it", async () => {
  const scenario = LEAST.replace(
    "{ path: /, who: dedalus@pve!apply, role: DedalusApply, propagate: true }",
    "{ path: /vms/101, who: dedalus@pve!apply, role: DedalusApply, propagate: true }",
  ).replace(
    "{ path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
    "{ path: /vms, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
  );
  await atCluster(
    async (cluster) => {
      const { code, out } = await cluster.dedalus("doctor", "--env", "home");
      assert.equal(code, 2);
      assert.match(out, /WRONG rights to observe: missing: Sys\.Audit on \/\n/);
      assert.match(out, /\n {8}pveum acl modify \/ --tokens 'dedalus@pve!observe' --roles PVEAuditor\n/);
      assert.match(out, /WRONG rights to act: .*VM\.PowerMgmt.* on \/vms\/102,\/vms\/105,\/vms\/200/);
      assert.match(out, /\n {8}pveum role add Dedalus-VM\.PowerMgmt --privs 'VM\.PowerMgmt'/);
      assert.match(
        out,
        /\n {8}pveum acl modify \/vms\/102 --tokens 'dedalus@pve!apply' --roles Dedalus-VM\.PowerMgmt\n/,
      );
      assert.doesNotMatch(out, /pveum .*(?:VM\.Allocate|VM\.Config|VM\.Snapshot)/, "one privilege, and no other");
      assert.doesNotMatch(out, /pveum acl modify \/vms\/101 /);
      assert.doesNotMatch(out, /pveum acl modify \/vms\/103 /, "prod-db is production");
    },
    { clock: CLOCK, scenario },
  );
});

test("doctor --env tells a provider that is silent from one that is not believed and from a token that is refused", async () => {
  await atCluster(
    async (cluster) => {
      const codes = async (): Promise<readonly string[]> =>
        (await findings(cluster)).flatMap(({ refusals }) => refusals.map(({ code }) => code));
      writeFileSync(
        join(cluster.folder, "secrets/observe"),
        "dedalus@pve!observe=00000000-0000-4000-8000-000000000000",
      );
      assert.deepEqual(await codes(), ["provider-unready"]);
      assert.equal((await cluster.dedalus("doctor", "--env", "home")).code, 2);
      edited(cluster, /sha256: "[^"]*"/, `sha256: "${"AB:".repeat(31)}AB"`);
      assert.deepEqual(await codes(), ["provider-untrusted"]);
      assert.equal((await cluster.dedalus("doctor", "--env", "home")).code, 7);
      await cluster.simulator.stop();
      assert.deepEqual(await codes(), ["provider-unreachable"]);
      assert.equal((await cluster.dedalus("doctor", "--env", "home")).code, 8);
    },
    { clock: { kind: "driven", requestMs: 0 }, scenario: LEAST },
  );
});

test("what doctor --env finds wrong is a code with facts, and reads in the words of its adapter", async () => {
  await atCluster(
    async (cluster) => {
      edited(cluster, /sha256: "[^"]*"/, `sha256: "${"AB:".repeat(31)}AB"`);
      const wrong = (await findings(cluster)).find(({ refusals }) => refusals.length > 0);
      const [refusal] = wrong?.refusals ?? [];
      assert.ok(wrong !== undefined && refusal !== undefined);
      const { check, finding } = refusal.facts;
      assert.deepEqual([check, finding], ["tls", "certificate-other"]);
      assert.equal(refusal.text.detail, wrong.detail);
      assert.equal(refusal.text.next, PROXMOX_WORDS.next["certificate-other"]);
      assert.ok(!("words" in wrong), "a program is given no catalogue");
    },
    { clock: { kind: "driven", requestMs: 0 }, scenario: LEAST },
  );
});

test("doctor --env takes the desired file while nothing is registered, and knows its environments", async () => {
  await atCluster(
    async (cluster) => {
      edited(cluster, "ledger/dedalus.db", "ledger/other.db");
      edited(cluster, "anchor/checkpoints.txt", "anchor/other.txt");
      assert.match(
        (await cluster.dedalus("doctor", "--env", "home")).out,
        /provider of home: proxmox, 5 VMs of desired\.yaml/,
      );
      const unknown = await cluster.dedalus("doctor", "--env", "away");
      assert.equal(unknown.code, 2);
      assert.match(unknown.out, /WRONG provider of away[\s\S]*The configured environments are: home\./);
    },
    { clock: CLOCK, wanted: WANTED },
  );
});

test("doctor --env asks nothing of an environment whose secret is not there", async () => {
  await atCluster(async (cluster) => {
    const before = cluster.simulator.requests().length;
    edited(cluster, "secrets/observe", "secrets/none");
    const { code, out } = await cluster.dedalus("doctor", "--env", "home");
    assert.equal(code, 2);
    assert.match(out, /WRONG provider of home: proxmox[\s\S]*secret-absent/);
    assert.equal(cluster.simulator.requests().length, before);
  });
});

test("the roles that docs/proxmox.md gives are enough, and leaving one out hides the VM from the first token", async () => {
  const scenario = (role: string): string =>
    LEAST.replace("{ path: /, who: dedalus@pve, role: Administrator, propagate: true }", () =>
      [
        "{ path: /, who: dedalus@pve, role: PVEAuditor, propagate: true }",
        "  - { path: /vms/101, who: dedalus@pve, role: DedalusApply, propagate: true }",
        `  - { path: /vms/101, who: dedalus@pve, role: ${role}, propagate: true }`,
      ].join("\n"),
    ).replace("{ path: /, who: dedalus@pve!apply", "{ path: /vms/101, who: dedalus@pve!apply");
  const wanted = WANTED.split("\n").slice(0, 4).join("\n");
  await atCluster(
    async (cluster) => {
      const { code, out } = await cluster.dedalus("doctor", "--env", "home");
      assert.equal(code, 0, out);
    },
    { clock: CLOCK, scenario: scenario("PVEAuditor"), wanted },
  );
  await atCluster(
    async (cluster) => {
      const looking = (await findings(cluster)).find(({ title }) => title === "rights to observe");
      assert.equal(looking?.detail, "missing: VM.Audit on /vms/101");
      assert.deepEqual(looking?.commands, [
        "pveum acl modify /vms/101 --users 'dedalus@pve' --roles PVEAuditor",
        "pveum acl modify /vms/101 --tokens 'dedalus@pve!observe' --roles PVEAuditor",
      ]);
    },
    { clock: CLOCK, scenario: scenario("DedalusApply"), wanted },
  );
});

test("doctor --env names an entry NoAccess with the command that removes it", async () => {
  const scenario = LEAST.replace(
    "acl:\n",
    "acl:\n  - { path: /vms/102, who: dedalus@pve!observe, role: NoAccess, propagate: true }\n",
  );
  await atCluster(
    async (cluster) => {
      const looking = (await findings(cluster)).find(({ title }) => title === "rights to observe");
      assert.equal(
        looking?.detail,
        "missing: VM.Audit on /vms/102; taken away by NoAccess of dedalus@pve!observe on /vms/102",
      );
      assert.deepEqual(looking?.commands, [
        "pveum acl delete /vms/102 --tokens 'dedalus@pve!observe' --roles NoAccess",
      ]);
    },
    { clock: CLOCK, scenario },
  );
});
