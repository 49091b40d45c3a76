// What can be applied from here is said before anybody tries: by doctor and init, derived from the table that decides;
// and what init writes works on this machine.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { EnvironmentConfig } from "../../src/formats/dedalus/dedalus-environment.ts";
import { AGREEMENT } from "../../src/kernel/decide/agreement-table.ts";
import { applyingFinding } from "../../src/service/examine/applying.ts";
import { NO_POLICY } from "../../src/spine/plan/policy.ts";
import { ACTION_KINDS, ACTIONS } from "../../src/spine/rules/actions.ts";
import { APPLY_TOKEN, applied, atCluster, codesIn, OBSERVE_TOKEN, type PlanValue, planned, WANTED } from "./cluster.ts";

const LIVE: EnvironmentConfig = {
  acts: true,
  adapter: "proxmox",
  approval: "single-operator",
  desired: "desired.yaml",
  live: true,
  maxObservationAgeMs: 60_000,
  numbers: "provider",
  secrets: [],
  settings: {},
};

test("what needs an approval first is what the table says, by the tier of each action", () => {
  const { code, facts } = applyingFinding("home", LIVE, NO_POLICY, "local");
  const { person } = AGREEMENT["single-operator"];
  const approved = ACTION_KINDS.filter((kind) => Object(person[ACTIONS[kind].tier]).approvals > 0);
  assert.ok(approved.length > 0 && approved.length < ACTION_KINDS.length);
  assert.deepEqual([code, facts["approved"], facts["refused"]], ["applies", approved, "none"]);
});

test("a policy moves an action to those that are approved first, or refuses it", () => {
  const policy = {
    tighten: [
      { action: "vm.start", to: "high" },
      { action: "vm.reboot", to: "refused" },
    ],
    version: 1,
  } as const;
  const { facts } = applyingFinding("home", LIVE, policy, "local");
  assert.ok((facts["approved"] as readonly string[]).includes("vm.start"));
  assert.deepEqual(facts["refused"], ["vm.reboot"]);
});

const NOTHING: Readonly<Record<string, Partial<EnvironmentConfig>>> = {
  "applies-nothing-here": { approval: "four-eyes" },
  "applies-nothing-observed": { acts: false },
  "applies-nothing-recorded": { acts: false, adapter: "replay", live: false },
};
for (const [code, more] of Object.entries(NOTHING)) {
  test(`an environment of which nothing can be applied says why: ${code}`, () => {
    assert.equal(applyingFinding("home", { ...LIVE, ...more }, NO_POLICY, "local").code, code);
    assert.equal(applyingFinding("home", LIVE, NO_POLICY, "local").code, "applies");
  });
}

test("through a service four eyes apply", () => {
  assert.equal(applyingFinding("home", { ...LIVE, approval: "four-eyes" }, NO_POLICY, "service").code, "applies");
});

test("doctor says of four eyes what an apply is then refused for", async () => {
  await atCluster(
    async (cluster) => {
      const { out } = await cluster.dedalus("doctor");
      assert.match(out, /applying in home: nothing from here/);
      const { id } = await planned(cluster, "start", 101);
      assert.ok(codesIn(await applied(cluster, id)).includes("service-needed"));
    },
    { approval: "four-eyes" },
  );
});

/** The live environment that the template shows, for this cluster. */
const uncommented = (template: string, url: string, fingerprint: string): string =>
  template
    .replace(/^ {2}# (?=cluster:| {2})/gm, "  ")
    .replace("https://pve1.example:8006", url)
    .replace(/tls: \{ verify: system \}.*/, `tls: { verify: pinned, sha256: "${fingerprint}" }`)
    .replace("{ env: CLUSTER_OBSERVE_TOKEN }", "{ file: secrets/cluster-observe }");

test("the template of init works here: simulate, plan, apply", async () => {
  await atCluster(async ({ dedalus, folder, mutations, simulator }) => {
    const made = await dedalus("init", "lab", "--operator", "alice");
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^applying in home: nothing: replay /m);
    const lab = join(folder, "lab");
    const file = join(lab, "dedalus.yaml");
    writeFileSync(file, uncommented(readFileSync(file, "utf8"), simulator.url, simulator.fingerprint));
    mkdirSync(join(lab, "secrets"));
    writeFileSync(join(lab, "secrets/cluster-observe"), OBSERVE_TOKEN, { mode: 0o600 });
    writeFileSync(join(lab, "secrets/cluster-apply"), APPLY_TOKEN, { mode: 0o600 });
    writeFileSync(join(lab, "cluster-desired.yaml"), WANTED.replace("environment: home", "environment: cluster"));
    const at = ["--config", "lab/dedalus.yaml"];
    const doctor = await dedalus("doctor", "--env", "cluster", ...at);
    assert.match(doctor.out, /applying in cluster: possible from here/);
    const plan: PlanValue = JSON.parse((await dedalus("plan", "--env", "cluster", ...at, "--json")).out);
    const shown = JSON.parse((await dedalus("explain", plan.id, "--challenge", ...at, "--json")).out);
    const done = await dedalus("apply", plan.id, "--step", "1", "--confirm", shown.challenge.hash, ...at);
    assert.equal(done.code, 0, done.err);
    assert.equal(mutations().length, 1);
  });
});

const BACKWARDS = `version: 1
environment: home
vms:
  - { vmid: 105, name: cache-01, target: stopped, stop: shutdown }
  - { vmid: 102, name: batch-01, target: stopped, stop: shutdown }
  - { vmid: 101, name: web-01, target: running }
`;

test("steps run in the order of vmid, whatever the order of the desired file", async () => {
  await atCluster(
    async ({ dedalus, mutations, value }) => {
      const plan = await value<PlanValue>("plan");
      assert.deepEqual(
        plan.steps.map(({ vmid }) => vmid),
        [101, 102, 105],
      );
      const { code, err } = await dedalus("apply", plan.id);
      assert.equal(code, 0, err);
      assert.deepEqual(
        mutations().map((call) => Number(/\/(\d+)\/status/.exec(call)?.[1])),
        [101, 102, 105],
      );
    },
    { answer: () => "y", wanted: BACKWARDS },
  );
});

/** What a command says of every VM alike is said once. */
for (const words of [["observe"], ["plan"], ["drift"], ["list"], ["doctor", "--env", "home"]]) {
  test(`${words.join(" ")} repeats no sentence on every line`, async () => {
    await atCluster(async ({ dedalus }) => {
      const { out } = await dedalus(...words);
      const sentences = out.split("\n").map((line) => line.split(/: |; /).slice(1));
      const counts = new Map<string, number>();
      for (const one of sentences.flat()) counts.set(one, (counts.get(one) ?? 0) + 1);
      assert.deepEqual(
        [...counts].filter(([text, count]) => count > 2 && text.split(" ").length > 3),
        [],
      );
    });
  });
}
