// From the words of a scenario to the world: every key of a node, a guest, an account and a fault arrives.

import assert from "node:assert/strict";
import { test } from "node:test";
import { advance } from "../../src/simulator/acts/advance.ts";
import { scenarioFrom } from "./server.ts";

const HEAD = 'version: 1\nseed: 3\npve: "9.2.3"\ncluster: lab\nstart: "2026-05-01T00:00:00Z"\n';
const START_MS = 1_777_593_600_000;

const worldOf = (rest: string) => scenarioFrom(`${HEAD}${rest}`).world;
const ONE = "nodes: [{ name: a }]\nguests: [{ vmid: 101, node: a }]\n";

test("the world begins at the scenario's start, or at the time that it is given", () => {
  assert.equal(worldOf(ONE).nowMs, START_MS);
  assert.equal(scenarioFrom(ONE.replace(/^/, 'version: 1\nseed: 3\npve: "8.4.1"\n')).dialect, "8");
});

test("nodes are members, up and reached unless they say otherwise", () => {
  const { nodes } = worldOf(
    "nodes: [{ name: a, cpus: 4, memory: 8 GiB }, { name: b, up: false }, { name: c, member: false }, { name: d, reached: false }]\nguests: []\n",
  );
  const flags = (name: string) => {
    const node = nodes.get(name);
    return [node?.isMember, node?.isUp, node?.isReached];
  };
  assert.deepEqual(flags("a"), [true, true, true]);
  assert.deepEqual([nodes.get("a")?.cpus, nodes.get("a")?.memory], [4, 2 ** 33]);
  assert.deepEqual(flags("b"), [true, false, true]);
  assert.deepEqual(flags("c"), [false, true, true]);
  assert.deepEqual(flags("d"), [true, true, false]);
});

test("guests are as they are written", () => {
  const { guests } = worldOf(`nodes: [{ name: a }]
guests:
  - { vmid: 101, node: a, name: web, status: paused, uptime: 2 min, cores: 3, memory: 1 GiB, tags: [x, y], settings: { lock: backup, onboot: 1 } }
  - { vmid: 102, node: a, status: running, monitor: silent, deaf: true, ha: started, pool: p }
  - { vmid: 103, node: a, kind: ct, name: dns }
`);
  const [web, hung, dns] = [guests.get(101), guests.get(102), guests.get(103)];
  assert.ok(web?.run.kind === "running" && hung?.run.kind === "running");
  assert.deepEqual([web.run.state, web.run.sinceMs, web.run.monitor], ["paused", START_MS - 120_000, "answers"]);
  const { settings } = web.file;
  assert.deepEqual(
    ["name", "cores", "memory", "tags", "lock", "onboot"].map((key) => settings.get(key)),
    ["web", "3", "1024", "x;y", "backup", "1"],
  );
  assert.deepEqual(
    [hung.run.monitor, hung.isDeaf, hung.ha, hung.pool],
    ["silent", true, { state: "started", wanted: "started" }, "p"],
  );
  assert.deepEqual([dns?.kind, dns?.run.kind, dns?.file.settings.get("hostname")], ["ct", "stopped", "dns"]);
});

test("the same seed gives the same identities, another seed others", () => {
  const uuid = (seed: string) =>
    scenarioFrom(`${HEAD.replace("seed: 3", `seed: ${seed}`)}${ONE}`)
      .world.guests.get(101)
      ?.file.settings.get("smbios1");
  assert.equal(uuid("3"), uuid("3"));
  assert.notEqual(uuid("3"), uuid("4"));
});

test("accounts are as they are written", () => {
  const { accounts } = scenarioFrom(`${HEAD}${ONE}users: [{ name: a@pve, password: p }]
tokens: [{ id: a@pve!t, secret: s, privsep: false }]
roles: [{ name: R, privileges: [VM.Audit] }]
acl: [{ path: /vms, who: a@pve!t, role: R, propagate: false }]
`);
  assert.deepEqual(accounts, {
    acl: [{ isPropagated: false, path: "/vms", role: "R", who: "a@pve!t" }],
    roles: new Map([["R", ["VM.Audit"]]]),
    tokens: [{ id: "a@pve!t", isSeparated: false, secret: "s" }],
    users: [{ name: "a@pve", password: "p" }],
  });
});

test("weather and faults arrive with their times counted from the start", () => {
  const world = worldOf(`${ONE}weather: { lies: 7 }
faults:
  - { at: 5 min, change: { kind: node-dies, node: a } }
  - { on: { call: start, nth: 2 }, fate: { kind: fails, text: no } }
  - { on: { call: stop }, fate: { kind: late, by: 3 s } }
  - { before: { call: observe, vmid: 101 }, change: { kind: unset, vmid: 101, key: cores } }
`);
  assert.deepEqual(world.weather, { lies: 7 });
  assert.deepEqual(world.faults, [
    { atMs: START_MS + 300_000, change: { kind: "node-dies", node: "a" }, kind: "change" },
    { fate: { kind: "fails", text: "no" }, kind: "fate", on: { call: "start", nth: 2, times: 1 } },
    { fate: { kind: "late", ms: 3000 }, kind: "fate", on: { call: "stop", nth: 1, times: 1 } },
    {
      change: { key: "cores", kind: "unset", vmid: 101 },
      kind: "change",
      moment: "before",
      on: { call: "observe", nth: 1, times: 1, vmid: 101 },
    },
  ]);
  assert.equal(advance(world, START_MS + 300_000).nodes.get("a")?.isUp, false);
});

test("every change of the language changes something, and its opposite takes it back", () => {
  const rest =
    "nodes: [{ name: a }, { name: b }, { name: c, member: false }]\nguests: [{ vmid: 101, node: a, name: n, status: running }]\n";
  const after = (...changes: readonly string[]) =>
    advance(
      worldOf(`${rest}faults:\n${changes.map((change) => `  - { at: 1 s, change: ${change} }\n`).join("")}`),
      START_MS + 1000,
    );
  const plain = advance(worldOf(rest), START_MS + 1000);
  const pairs: readonly (readonly [string, string])[] = [
    ["{ kind: monitor-hangs, vmid: 101 }", "{ kind: monitor-answers, vmid: 101 }"],
    ["{ kind: node-cut, node: b }", "{ kind: node-returns, node: b }"],
    ["{ kind: reports-stop, node: b }", "{ kind: reports-resume, node: b }"],
    ["{ kind: quorum-lost }", "{ kind: quorum-returns }"],
    ["{ kind: run-state, vmid: 101, state: io-error }", "{ kind: run-state, vmid: 101, state: running }"],
  ];
  const { faults: _, ...same } = plain;
  for (const [change, back] of pairs) {
    const { faults: __, ...changedWorld } = after(change);
    const { faults: ___, ...restored } = after(change, back);
    assert.notDeepEqual(changedWorld, same, change);
    assert.deepEqual(restored, same, back);
  }
  assert.equal(after("{ kind: node-joined, node: c }").nodes.get("c")?.isMember, true);
  assert.equal(
    after("{ kind: node-dies, node: b }", "{ kind: node-returns, node: b }").nodes.get("b")?.bootedMs,
    START_MS + 1000,
  );
});
