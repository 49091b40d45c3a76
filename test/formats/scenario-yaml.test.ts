// scenario.yaml: the ready example is read whole, and each slip is named with its line, its field and what would be
// right.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Problem } from "../../src/formats/problem.ts";
import { parseScenario, type ScenarioFile } from "../../src/formats/scenario/scenario-yaml.ts";

const EXAMPLE = readFileSync(new URL("../../examples/three-nodes.yaml", import.meta.url), "utf8");

const read = (text: string): ScenarioFile => {
  const parsed = parseScenario(text, "s.yaml");
  assert.equal(parsed.kind, "ok", parsed.kind === "bad" ? JSON.stringify(parsed.problems, null, 1) : "");
  return parsed.value;
};
const problemsOf = (text: string): readonly Problem[] => {
  const parsed = parseScenario(text, "s.yaml");
  assert.equal(parsed.kind, "bad", "the scenario was taken");
  return parsed.problems;
};

const SMALL = `version: 1
seed: 1
pve: "9.2.3"
nodes: [{ name: pve1 }]
guests: [{ vmid: 101, node: pve1 }]
`;

test("the example is a scenario", () => {
  const { api, cluster, guests, nodes, pve, tokens } = read(EXAMPLE);
  assert.deepEqual([api, cluster, pve, nodes.length, guests.length, tokens.length], ["pve1", "lab", "9.2.3", 3, 9, 2]);
  assert.deepEqual(guests[0], {
    cores: 2,
    memory: 2 ** 31,
    name: "web-01",
    node: "pve1",
    status: "stopped",
    tags: ["web"],
    vmid: 101,
  });
});

test("a scenario needs nodes and guests and nothing more", () => {
  assert.deepEqual(read(SMALL), {
    acl: [],
    api: "pve1",
    faults: [],
    guests: [{ node: "pve1", vmid: 101 }],
    nodes: [{ name: "pve1" }],
    pve: "9.2.3",
    roles: [],
    seed: 1,
    tokens: [],
    users: [],
    weather: {},
  });
});

test("every kind of fault can be written", () => {
  const { faults, start, weather } = read(`${SMALL}start: "2026-03-01T00:00:00Z"
weather: { lies: 10, lost-reply: 5 }
faults:
  - { at: 90 s, change: { kind: node-dies, node: pve1 } }
  - { at: 1 h, change: { kind: quorum-lost } }
  - { before: { call: start, vmid: 101, nth: 2, times: 3 }, change: { kind: set, vmid: 101, key: lock, value: backup } }
  - { after: { call: observe }, change: { kind: run-state, vmid: 101, state: io-error } }
  - { on: { call: stop }, fate: { kind: late, by: 500 ms } }
  - { on: { call: any }, fate: { kind: lost-reply, how: silence } }
`);
  assert.equal(start, "2026-03-01T00:00:00.000Z");
  assert.deepEqual(weather, { lies: 10, "lost-reply": 5 });
  assert.deepEqual(faults, [
    { afterMs: 90_000, change: { kind: "node-dies", node: "pve1" }, kind: "timed" },
    { afterMs: 3_600_000, change: { kind: "quorum-lost" }, kind: "timed" },
    {
      change: { key: "lock", kind: "set", value: "backup", vmid: 101 },
      kind: "triggered",
      moment: "before",
      on: { call: "start", nth: 2, times: 3, vmid: 101 },
    },
    {
      change: { kind: "run-state", state: "io-error", vmid: 101 },
      kind: "triggered",
      moment: "after",
      on: { call: "observe", nth: 1, times: 1 },
    },
    { fate: { byMs: 500, kind: "late" }, kind: "fate", on: { call: "stop", nth: 1, times: 1 } },
    { fate: { how: "silence", kind: "lost-reply" }, kind: "fate", on: { call: "any", nth: 1, times: 1 } },
  ]);
});

test("a whole configuration file can be given as text", () => {
  const { guests } = read(
    SMALL.replace(
      "guests: [{ vmid: 101, node: pve1 }]",
      "guests:\n  - vmid: 101\n    node: pve1\n    config: |\n      cores: banana\n      name: broken",
    ),
  );
  assert.equal(guests[0]?.config, "cores: banana\nname: broken\n");
});

const ACL = "acl: [{ path: /, who: a@pve, role: PVEAuditer, propagate: true }]";

const SLIPS: readonly {
  readonly what: string;
  readonly text: string;
  readonly code: string;
  readonly line: number;
  readonly field: string;
}[] = [
  {
    code: "key-unknown",
    field: "guests[0].nam",
    line: 5,
    text: SMALL.replace("node: pve1 }]", "node: pve1, nam: x }]"),
    what: "a key that nobody knows",
  },
  { code: "key-missing", field: "seed", line: 1, text: SMALL.replace("seed: 1\n", ""), what: "no seed" },
  {
    code: "value-wrong",
    field: "pve",
    line: 3,
    text: SMALL.replace("9.2.3", "7.4.1"),
    what: "a release that is not simulated",
  },
  {
    code: "value-wrong",
    field: "guests[0].node",
    line: 5,
    text: SMALL.replace("101, node: pve1", "101, node: pve9"),
    what: "a guest on a node that is not there",
  },
  {
    code: "vmid-duplicate",
    field: "guests",
    line: 5,
    text: SMALL.replace("[{ vmid: 101", "[{ vmid: 101, node: pve1 }, { vmid: 101"),
    what: "a vmid written twice",
  },
  {
    code: "value-wrong",
    field: "nodes",
    line: 4,
    text: SMALL.replace("[{ name: pve1 }]", "[{ name: pve1 }, { name: pve1 }]"),
    what: "a node written twice",
  },
  {
    code: "value-wrong",
    field: "nodes",
    line: 4,
    text: SMALL.replace("[{ name: pve1 }]", "[]").replace("[{ vmid: 101, node: pve1 }]", "[]"),
    what: "no node at all",
  },
  {
    code: "value-wrong",
    field: "api",
    line: 6,
    text: `${SMALL}api: pve9\n`,
    what: "an API on a node that is not there",
  },
  { code: "value-wrong", field: "guests[0].vmid", line: 5, text: SMALL.replace("101", "7"), what: "a vmid below 100" },
  {
    code: "value-wrong",
    field: "guests[0].status",
    line: 5,
    text: SMALL.replace("node: pve1 }]", "node: pve1, status: runing }]"),
    what: "a status that no guest has",
  },
  {
    code: "value-wrong",
    field: "guests[0].name",
    line: 5,
    text: SMALL.replace("node: pve1 }]", 'node: pve1, name: a, config: "cores: 1" }]'),
    what: "a name beside a configuration text",
  },
  {
    code: "type-wrong",
    field: "tokens[0].privsep",
    line: 7,
    text: `${SMALL}users: [{ name: a@pve }]\ntokens: [{ id: a@pve!b, secret: c, privsep: 1 }]\n`,
    what: "a number for yes or no",
  },
  {
    code: "value-wrong",
    field: "tokens[0].id",
    line: 6,
    text: `${SMALL}tokens: [{ id: a@pve, secret: c, privsep: true }]\n`,
    what: "a token without its name",
  },
  {
    code: "value-wrong",
    field: "acl[0].path",
    line: 6,
    text: `${SMALL}acl: [{ path: vms, who: a@pve, role: PVEAuditor, propagate: true }]\n`,
    what: "a path that does not begin at the root",
  },
  {
    code: "value-wrong",
    field: "faults[0].at",
    line: 6,
    text: `${SMALL}faults: [{ at: 5 m, change: { kind: quorum-lost } }]\n`,
    what: "a span that means two things",
  },
  {
    code: "value-wrong",
    field: "faults[0]",
    line: 6,
    text: `${SMALL}faults: [{ change: { kind: quorum-lost } }]\n`,
    what: "a fault without a time",
  },
  {
    code: "key-unknown",
    field: "faults[0].fate",
    line: 6,
    text: `${SMALL}faults: [{ at: 5 s, change: { kind: quorum-lost }, fate: { kind: lies } }]\n`,
    what: "a fate at a time",
  },
  {
    code: "key-unknown",
    field: "faults[0].change.node",
    line: 6,
    text: `${SMALL}faults: [{ at: 5 s, change: { kind: quorum-lost, node: pve1 } }]\n`,
    what: "a key of another change",
  },
  {
    code: "key-missing",
    field: "faults[0].fate.how",
    line: 6,
    text: `${SMALL}faults: [{ on: { call: start }, fate: { kind: unheard } }]\n`,
    what: "a lost call that does not say how",
  },
  {
    code: "value-wrong",
    field: "weather.lies",
    line: 6,
    text: `${SMALL}weather: { lies: 1001 }\n`,
    what: "more than a thousand of a thousand",
  },
  {
    code: "value-wrong",
    field: "start",
    line: 6,
    text: `${SMALL}start: "2026-02-30T00:00:00Z"\n`,
    what: "a day that no calendar has",
  },
  {
    code: "value-wrong",
    field: "faults[0].change.node",
    line: 6,
    text: `${SMALL}faults: [{ at: 5 s, change: { kind: node-dies, node: pve9 } }]\n`,
    what: "a fault on a node that is not there",
  },
  { code: "value-wrong", field: "acl[0].role", line: 6, text: `${SMALL}${ACL}\n`, what: "a misspelt role" },
  {
    code: "value-wrong",
    field: "tokens[0].id",
    line: 6,
    text: `${SMALL}tokens: [{ id: a@pve!b, secret: c, privsep: true }]\n`,
    what: "a token of nobody",
  },
  {
    code: "value-wrong",
    field: "faults[0]",
    line: 6,
    text: `${SMALL}faults: [{ at: 5 s, before: { call: start }, change: { kind: quorum-lost } }]\n`,
    what: "a fault with two times",
  },
  {
    code: "version-unknown",
    field: "version",
    line: 1,
    text: SMALL.replace("version: 1", "version: 2"),
    what: "another version",
  },
];

for (const { code, field, line, text, what } of SLIPS) {
  test(`a scenario with ${what} is not taken: ${code} at ${field}`, () => {
    const found = problemsOf(text).map((problem) => [problem.code, problem.at.field, problem.at.line]);
    assert.deepEqual(found, [[code, field, line]]);
  });
}

test("snapshots are read oldest first, and one with RAM is no container's", () => {
  const guest = (words: string): string => SMALL.replace("node: pve1 }]", `node: pve1, ${words} }]`);
  const { guests } = read(guest("snapshots: [{ name: cold }, { name: warm, ram: true }]"));
  assert.deepEqual(guests[0]?.snapshots, [{ name: "cold" }, { name: "warm", ram: true }]);
  const cause = (words: string): string | undefined => problemsOf(guest(words))[0]?.cause;
  assert.equal(cause("kind: ct, snapshots: [{ name: warm, ram: true }]"), "ct-ram");
  assert.equal(read(guest("kind: ct, snapshots: [{ name: cold, ram: false }]")).guests.length, 1);
  assert.equal(cause("snapshots: [{ name: a1 }, { name: a1 }]"), "snapshot-twice");
  assert.equal(cause("snapshots: [{ name: 1x }]"), "snapshot-name");
  assert.equal(cause('config: "cores: 1", snapshots: [{ name: a1 }]'), "said-by-config");
});
