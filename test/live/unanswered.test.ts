// A provider that does not answer, or not to us: the observation is recorded, everything is unknown, and exit code 8
// says where the matter is. A provider that answers and hides something is refused as before.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atCluster, type Cluster, THREE_NODES } from "./cluster.ts";

const edited = ({ folder }: Cluster, change: (text: string) => string): void => {
  const file = join(folder, "dedalus.yaml");
  writeFileSync(file, change(readFileSync(file, "utf8")));
};

const SILENCES: readonly (readonly [string, (cluster: Cluster) => Promise<void> | void, RegExp])[] = [
  ["refuses connections", ({ simulator }) => simulator.stop(), /ECONNREFUSED|connection was refused|no connection/],
  [
    "has another certificate than the pinned one",
    (cluster) => edited(cluster, (text) => text.replace(/sha256: "[^"]+"/, `sha256: "${"AB:".repeat(31)}AB"`)),
    /pin|certificate/,
  ],
  [
    "does not know the token",
    ({ folder }) =>
      writeFileSync(join(folder, "secrets/observe"), "dedalus@pve!observe=00000000-0000-4000-8000-000000000000"),
    /401/,
  ],
  ["cannot be asked with this secret", ({ folder }) => writeFileSync(join(folder, "secrets/observe"), "x"), /secret/],
];

for (const [name, silence, why] of SILENCES) {
  test(`a provider that ${name} ends an observation and a plan with exit code 8 and says why; both are recorded`, async () => {
    await atCluster(async (cluster) => {
      const { dedalus, value } = cluster;
      await silence(cluster);
      const seen = await dedalus("observe", "--env", "home");
      assert.equal(seen.code, 8, seen.out + seen.err);
      assert.match(seen.out, /0 VMs seen .*; the observation is not complete/);
      const told = (out: string): void => {
        const [cause = "", , examine] = out.split("\n").slice(-4);
        assert.match(cause, /^could not observe home: /);
        assert.match(cause, why);
        assert.equal(examine?.trim(), "dedalus doctor --env home");
      };
      told(seen.out);
      const planned = await dedalus("plan", "--env", "home");
      assert.equal(planned.code, 8, planned.out);
      told(planned.out);
      assert.equal(planned.out.match(/dedalus observe --env home/g)?.length, 1, planned.out);
      const listed = await dedalus("import", "--env", "home", "--out", "draft.yaml");
      assert.equal(listed.code, 8, listed.out + listed.err);
      told(listed.out);
      assert.equal(existsSync(join(cluster.folder, "draft.yaml")), false);
      const plan = await dedalus("plan", "--env", "home", "--json");
      assert.equal(plan.code, 8, plan.out);
      const { unanswered, verdict } = JSON.parse(plan.out);
      assert.equal(unanswered.code, name.includes("secret") ? "credential-unusable" : "list-not-seen");
      assert.match(unanswered.detail, why);
      assert.equal(verdict.kind, "refused");
      const { records } = await value<{ readonly records: readonly { readonly kind: string }[] }>("ledger", "show");
      assert.deepEqual(
        records.map(({ kind }) => kind).filter((kind) => kind === "observe" || kind === "plan"),
        ["observe", "observe", "plan", "observe", "plan"],
      );
      assert.match((await dedalus("replay")).out, /every decision comes out the same/);
    });
  });
}

test("a provider that answers and shows none of the VMs, or has a dead node, is not called unreachable", async () => {
  const hiding = THREE_NODES.replaceAll(/\n[^\n]*who: dedalus@pve!observe[^\n]*/g, "");
  assert.notEqual(hiding, THREE_NODES);
  await atCluster(
    async ({ dedalus }) => {
      const seen = await dedalus("observe", "--env", "home");
      assert.equal(seen.code, 0, seen.out);
      assert.match(seen.out, /0 VMs seen[\s\S]*\n \? /);
      assert.equal((await dedalus("plan", "--env", "home")).code, 3);
    },
    { scenario: hiding },
  );
  await atCluster(async ({ dedalus, simulator }) => {
    simulator.change({ kind: "node-dies", node: "pve3" });
    assert.equal((await dedalus("observe", "--env", "home")).code, 0);
    assert.equal((await dedalus("plan", "--env", "home")).code, 3);
  });
});
