// The snapshot of a configuration: the same for the same meaning, another for another, and without a secret.

import assert from "node:assert/strict";
import { test } from "node:test";
import { configTemplate } from "../../src/cli/init-templates.ts";
import { configHash, configSnapshot } from "../../src/formats/config-snapshot.ts";
import { type Config, parseConfig } from "../../src/formats/dedalus-yaml.ts";
import { canonical } from "../../src/spine/canonical.ts";

const configOf = (text: string): Config => {
  const parsed = parseConfig(text, "dedalus.yaml");
  assert.ok(parsed.kind === "ok", JSON.stringify(parsed));
  return parsed.value;
};
const TEXT = configTemplate("alice");

test("comments, order and layout change nothing; every value does", () => {
  const hash = configHash(configOf(TEXT));
  const bare = TEXT.replaceAll(/ *#.*$/gm, "");
  assert.equal(configHash(configOf(bare)), hash);
  const [, operator = ""] = /^(operator: .*\n)/m.exec(bare) ?? [];
  assert.equal(configHash(configOf(bare.replace(operator, "") + operator)), hash);
  for (const [from, to] of [
    ["alice", "bob"],
    ["ledger/dedalus.db", "other.db"],
    ["anchor/checkpoints.txt", "anchor.txt"],
    ["single-operator", "four-eyes"],
    ["5 min", "6 min"],
    ["keys/ledger.key", "other.key"],
  ] as const) {
    assert.notEqual(configHash(configOf(bare.replace(from, to))), hash, from);
  }
});

test("the place of a secret is in the snapshot, and nothing more of it", () => {
  const config = configOf(TEXT.replace(/engine: sqlite.*\n.*\n/, "engine: postgres\n  url: { env: LEDGER_URL }\n"));
  const text = canonical(configSnapshot(config));
  assert.match(text, /"url":\{"env":"LEDGER_URL"\}/);
  assert.equal(text, canonical(configSnapshot(config)));
});
