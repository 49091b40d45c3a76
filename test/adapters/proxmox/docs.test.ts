// docs/proxmox.md and the template of init agree with the parser: what an operator copies is taken.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CALLS } from "../../../src/adapters/proxmox/api/pve-calls.ts";
import { PROXMOX_BEGINNING } from "../../../src/adapters/proxmox/beginning.ts";
import { configTemplate } from "../../../src/cli/commands/init-templates.ts";
import { parseConfig } from "../../../src/formats/dedalus/dedalus-yaml.ts";
import { known } from "../../../src/wire.ts";

const TEXT = readFileSync(new URL("../../../docs/proxmox.md", import.meta.url), "utf8");

const HEAD = `version: 1
operator: alice
ledger: { engine: sqlite, path: ledger/dedalus.db }
anchor: anchor/checkpoints.txt
signingKey: keys/ledger.key
`;

test("the environment of docs/proxmox.md is one", () => {
  const [, block = ""] = /```yaml\n([\s\S]*?)```/.exec(TEXT) ?? [];
  const parsed = parseConfig(HEAD + block, "dedalus.yaml", known);
  assert.equal(parsed.kind, "ok", JSON.stringify(parsed));
  assert.equal(parsed.value.environments.get("home")?.adapter, "proxmox");
});

test("the live environment of the template is one, when its comment signs are taken away", () => {
  const template = configTemplate("alice", [PROXMOX_BEGINNING]).replaceAll(/^ {2}# (cluster:| {2}\w)/gm, "  $1");
  const parsed = parseConfig(
    template.replace(/^ {2}# A live.*\n/m, "").replaceAll(/^ {2}# {3}/gm, "    "),
    "dedalus.yaml",
    known,
  );
  assert.equal(parsed.kind, "ok", JSON.stringify(parsed));
  assert.equal(parsed.value.environments.get("cluster")?.adapter, "proxmox");
});

test("docs/proxmox.md names every privilege that an action needs, and no other", () => {
  const table = TEXT.slice(TEXT.indexOf("| action | privilege")).split("\n\n")[0] ?? "";
  const named = Array.from(table.matchAll(/`(VM\.[\w.]+)`/g), ([, name]) => name);
  const needed = Object.values(CALLS).flatMap(({ privileges }) => privileges);
  assert.deepEqual([...new Set(named)].sort(), [...new Set<string>(needed)].sort());
});
