// policy.yaml: what is read, what is refused and where, and that no text makes it ask for less.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePolicy } from "../../src/formats/policy-yaml.ts";
import type { Problem } from "../../src/formats/problem.ts";
import { policyDigest } from "../../src/spine/plan/policy.ts";

const problems = (text: string): readonly Problem[] => {
  const parsed = parsePolicy(text, "policy.yaml");
  return parsed.kind === "ok" ? [] : parsed.problems;
};
const placed = (text: string): readonly string[] =>
  problems(text).map(({ at, code, rule }) => `${at.file}:${at.line}:${at.column} ${at.field} ${code} ${rule}`);
const lines = (...list: readonly string[]): string =>
  ["version: 1", "tighten:", ...list.map((line) => `  - ${line}`), ""].join("\n");
const line = (keys: string): readonly string[] => placed(lines(`{ ${keys} }`));

test("the documented file is read, its lines in the order of their actions", () => {
  const text = `version: 1
tighten:
  - action: vm.stop
    to: refused
  - action: vm.start
    to: high
`;
  const parsed = parsePolicy(text, "policy.yaml");
  assert.deepEqual(parsed, {
    kind: "ok",
    value: {
      tighten: [
        { action: "vm.start", to: "high" },
        { action: "vm.stop", to: "refused" },
      ],
      version: 1,
    },
  });
});

test("two files that say the same are one policy", () => {
  const digests = [
    ["{ action: vm.stop, to: refused }", "{ to: high, action: vm.start } # a comment"],
    ["{ action: vm.start, to: high }", "{ action: vm.stop, to: refused }"],
  ].map((list) => {
    const parsed = parsePolicy(lines(...list), "policy.yaml");
    assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
    return policyDigest(parsed.value);
  });
  assert.equal(digests[0], digests[1]);
});

test("an explicit empty list tightens nothing, and nothing in its place is no list", () => {
  assert.deepEqual(problems("version: 1\ntighten: []\n"), []);
  assert.deepEqual(placed("version: 1\ntighten:\n"), ["policy.yaml:2:9 tighten type-wrong P7-F1"]);
  assert.deepEqual(placed(""), ["policy.yaml:1:1  file-empty P7-F1"]);
  assert.deepEqual(placed("version: 1\n"), ["policy.yaml:1:1 tighten key-missing P7-F1"]);
});

test("all problems are listed at once, in the order of the text, each at its place", () => {
  const text = `version: 2
tightn: []
tighten:
  - { action: vm.stp, to: refused }
  - { action: vm.stop, to: refusd }
  - { action: vm.stop, to: refused, fro: alice }
  - { to: high }
  - { action: 7, to: [high] }
  - vm.stop
`;
  assert.deepEqual(placed(text), [
    "policy.yaml:1:10 version version-unknown P7-F1",
    "policy.yaml:2:1 tightn key-unknown P7-F1",
    "policy.yaml:4:15 tighten[0].action action-unknown B7",
    "policy.yaml:5:28 tighten[1].to value-wrong P7-F1",
    "policy.yaml:6:15 tighten[2].action action-duplicate P7-F1",
    "policy.yaml:6:37 tighten[2].fro key-unknown P7-F1",
    "policy.yaml:7:5 tighten[3].action key-missing P7-F1",
    "policy.yaml:8:15 tighten[4].action type-wrong P7-F1",
    "policy.yaml:8:22 tighten[4].to type-wrong P7-F1",
    "policy.yaml:9:5 tighten[5] type-wrong P7-F1",
  ]);
  const meant = problems(text).map(({ cause, facts }) => [cause, facts["meant"]]);
  assert.deepEqual(meant[1], ["meant", "tighten"]);
  assert.deepEqual(meant[2], ["action-meant", "vm.stop"]);
  assert.deepEqual(meant[3], ["word-meant", "refused"]);
});

test("one action has one line, even when both say the same", () => {
  const twice = "{ action: vm.stop, to: refused }";
  assert.deepEqual(placed(lines(twice, "{ action: vm.start, to: high }", twice)), [
    "policy.yaml:5:15 tighten[2].action action-duplicate P7-F1",
  ]);
  assert.deepEqual(problems(lines(twice, twice))[0]?.facts, { action: "vm.stop", firstLine: 3 });
});

test("a line may be for a kind or a name, and may limit hours and applies; each is read as it is written", () => {
  const text = lines(
    "{ for: agent, only: { hours: [08:00-12:00, 13:00-24:00], days: [fri, mon] }, perHour: 4 }",
    "{ action: vm.stop, for: robo, to: refused }",
    "{ action: vm.stop, for: agent, to: irreversible, perHour: 1 }",
    "{ action: vm.stop, to: high }",
    "{ only: { days: [mon] } }",
    "{ action: vm.start, perHour: 1000 }",
  );
  const parsed = parsePolicy(text, "policy.yaml");
  assert.deepEqual(parsed.kind === "ok" && parsed.value.tighten, [
    { only: { days: ["mon"] } },
    { for: "agent", only: { days: ["mon", "fri"], hours: ["08:00-12:00", "13:00-24:00"] }, perHour: 4 },
    { action: "vm.start", perHour: 1000 },
    { action: "vm.stop", to: "high" },
    { action: "vm.stop", for: "agent", perHour: 1, to: "irreversible" },
    { action: "vm.stop", for: "robo", to: "refused" },
  ]);
});

test("what a line limits is read strictly, each problem at its place", () => {
  const [at, field] = ["policy.yaml:3:", "tighten[0]"];
  const WRONG: Readonly<Record<string, readonly string[]>> = {
    "for: agent": [`5 ${field}.action key-missing P7-F1`, `5 ${field}.to key-missing P7-F1`],
    "for: agent, to: high": [`5 ${field}.action key-missing P7-F1`],
    "for: Agent, perHour: 1": [`12 ${field}.for value-wrong P7-F1`],
    "for: 7, perHour: 1": [`12 ${field}.for type-wrong P7-F1`],
    "for: nobody, perHour: 1": [`12 ${field}.for value-wrong P7-F1`],
    "only: {}": [`13 ${field}.only.days key-missing P7-F1`, `13 ${field}.only.hours key-missing P7-F1`],
    "only: [mon]": [`13 ${field}.only type-wrong P7-F1`],
    "only: { day: [mon] }": [
      `13 ${field}.only.days key-missing P7-F1`,
      `13 ${field}.only.hours key-missing P7-F1`,
      `15 ${field}.only.day key-unknown P7-F1`,
    ],
    "only: { days: [] }": [`21 ${field}.only.days type-wrong P7-F1`],
    "only: { days: mon }": [`21 ${field}.only.days type-wrong P7-F1`],
    "only: { days: [mo] }": [`22 ${field}.only.days[0] value-wrong P7-F1`],
    "only: { days: [mon, mon] }": [`27 ${field}.only.days[1] value-wrong P7-F1`],
    "only: { hours: [8:00-18:00] }": [`23 ${field}.only.hours[0] value-wrong P7-F1`],
    "only: { hours: [08:00-24:01] }": [`23 ${field}.only.hours[0] value-wrong P7-F1`],
    "only: { hours: [24:00-24:00] }": [`23 ${field}.only.hours[0] value-wrong P7-F1`],
    "only: { hours: [18:00-08:00] }": [`23 ${field}.only.hours[0] value-wrong P7-F1`],
    "only: { hours: [08:00-08:00] }": [`23 ${field}.only.hours[0] value-wrong P7-F1`],
    "only: { hours: [08:00-12:00, 12:00-13:00] }": [`36 ${field}.only.hours[1] value-wrong P7-F1`],
    "only: { hours: [] }": [`22 ${field}.only.hours type-wrong P7-F1`],
    "perHour: 0": [`16 ${field}.perHour value-wrong P7-F1`],
    "perHour: 1001": [`16 ${field}.perHour value-wrong P7-F1`],
    "perHour: 1.5": [`16 ${field}.perHour value-wrong P7-F1`],
    "perHour: four": [`16 ${field}.perHour type-wrong P7-F1`],
  };
  for (const [keys, found] of Object.entries(WRONG))
    assert.deepEqual([...line(keys)].sort(), found.map((one) => `${at}${one}`).sort(), keys);
  for (const keys of ["only: { hours: [08:00-12:00, 12:01-13:00] }", "perHour: 1", "for: person, perHour: 1000"])
    assert.deepEqual(line(keys), []);
});

test("no two lines are about the same action for the same, whatever they ask", () => {
  const [agents, rate] = ["{ for: agent, only: { days: [mon] } }", "{ for: agent, perHour: 1 }"];
  const [stop, other] = ["{ action: vm.stop, for: agent, to: high }", "{ action: vm.stop, for: agent, perHour: 1 }"];
  const facts = (...two: readonly [string, string]) => problems(lines(...two)).map((one) => [one.cause, one.facts]);
  assert.deepEqual(facts(agents, rate), [["every-whom", { firstLine: 3, whom: "agent" }]]);
  assert.deepEqual(facts(stop, other), [["action-whom", { action: "vm.stop", firstLine: 3, whom: "agent" }]]);
  assert.deepEqual(facts("{ perHour: 2 }", "{ perHour: 1 }"), [["every", { firstLine: 3 }]]);
  assert.deepEqual(facts("{ perHour: 2 }", rate), []);
  assert.deepEqual(facts(agents, stop), []);
});

test("whatever asks for less is turned away under P7-A3, where it stands", () => {
  for (const word of ["read", "allow", "allowed", "Permit", "lower", "auto-approve", "clear", "exempt", "skip"]) {
    assert.deepEqual(line(`action: vm.start, to: ${word}`), ["policy.yaml:3:29 tighten[0].to policy-loosens P7-A3"]);
  }
  for (const [action, to] of [
    ["vm.stop", "low"],
    ["vm.stop", "medium"],
    ["vm.shutdown", "low"],
    ["vm.delete", "high"],
  ] as const) {
    const [problem, ...more] = problems(lines(`{ action: ${action}, to: ${to} }`));
    assert.deepEqual([problem?.code, problem?.rule, more], ["policy-loosens", "P7-A3", []]);
    assert.equal(problem?.cause, "lower");
    assert.deepEqual([problem.facts["action"], problem.facts["to"]], [action, to]);
  }
  for (const key of ["allow", "loosen", "lower", "exceptions", "override", "prefer"]) {
    assert.deepEqual(placed(`version: 1\ntighten: []\n${key}: []\n`), [`policy.yaml:3:1 ${key} policy-loosens P7-A3`]);
  }
});

test("a tier of the action's own is a line that may stand", () => {
  for (const [action, to] of [
    ["vm.start", "low"],
    ["vm.resize", "medium"],
    ["vm.stop", "high"],
    ["vm.delete", "irreversible"],
  ]) {
    assert.deepEqual(line(`action: ${action}, to: ${to}`), []);
  }
});
