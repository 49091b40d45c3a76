// What is recorded of a configuration: the same for the same meaning, another for another, and without a secret.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configTemplate } from "../../src/cli/commands/init-templates.ts";
import { configToRecord } from "../../src/formats/dedalus/config-to-record.ts";
import { type Config, parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import { configHash } from "../../src/kernel/command/recorded-config.ts";
import type { Policy } from "../../src/spine/plan/policy.ts";
import { canonical } from "../../src/spine/values/canonical.ts";
import { known } from "../../src/wire.ts";

const configOf = (text: string): Config => {
  const parsed = parseConfig(text, "dedalus.yaml", known);
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  return parsed.value;
};
const NO_POLICIES = new Map();
const TEXT = configTemplate("alice", []);

test("comments, order and layout change nothing; every value does", () => {
  const hash = configHash(configToRecord(configOf(TEXT), NO_POLICIES));
  const bare = TEXT.replaceAll(/ *#.*$/gm, "");
  assert.equal(configHash(configToRecord(configOf(bare), NO_POLICIES)), hash);
  const [, operator = ""] = /^(operator: .*\n)/m.exec(bare) ?? [];
  assert.equal(configHash(configToRecord(configOf(bare.replace(operator, "") + operator), NO_POLICIES)), hash);
  for (const [from, to] of [
    ["alice", "bob"],
    ["ledger/dedalus.db", "other.db"],
    ["anchor/checkpoints.txt", "anchor.txt"],
    ["single-operator", "four-eyes"],
    ["5 min", "6 min"],
    ["keys/ledger.key", "other.key"],
  ] as const) {
    assert.notEqual(configHash(configToRecord(configOf(bare.replace(from, to)), NO_POLICIES)), hash, from);
  }
});

test("the place of a secret is recorded, and nothing more of it", () => {
  const config = configOf(TEXT.replace(/engine: sqlite.*\n.*\n/, "engine: postgres\n  url: { env: LEDGER_URL }\n"));
  const text = canonical(configToRecord(config, NO_POLICIES));
  assert.match(text, /"url":\{"env":"LEDGER_URL"\}/);
  assert.equal(text, canonical(configToRecord(config, NO_POLICIES)));
});

const POLICY = { tighten: [{ action: "vm.stop", to: "refused" }], version: 1 } as const satisfies Policy;
const RULED = TEXT.replace(/# (policy: policy\.yaml) .*$/m, "$1");

test("what a policy file says is recorded, as a value; its path stands beside it", () => {
  const config = configOf(RULED);
  const home = configToRecord(config, new Map([["home", POLICY]])).environments["home"];
  assert.deepEqual([home?.policy, home?.policyFile], [POLICY, "policy.yaml"]);
  const other: Policy = { tighten: [{ action: "vm.stop", to: "irreversible" }], version: 1 };
  const hashes = [POLICY, other].map((policy) => configHash(configToRecord(config, new Map([["home", policy]]))));
  assert.notEqual(hashes[0], hashes[1]);
});

test("a policy that is named and was not read is recorded as nothing else", () => {
  assert.throws(() => configToRecord(configOf(RULED), NO_POLICIES), /policy\.yaml is named and was not read/);
});
