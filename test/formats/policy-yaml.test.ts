// policy.yaml: what is read, what is refused and where, and that no text makes it ask for less.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePolicy } from "../../src/formats/policy-yaml.ts";
import type { Problem } from "../../src/formats/problem.ts";
import { policyDigest } from "../../src/spine/plan/safety.ts";

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
  - { action: vm.stop, to: refused, for: alice }
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
    "policy.yaml:6:37 tighten[2].for key-unknown P7-F1",
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
