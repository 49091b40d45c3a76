// make demo tells its story to the end, from nothing, and leaves what it made.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { installIntegration } from "../integrations/integration-package.ts";

const DEMO = fileURLToPath(new URL("../../examples/demo/demo.ts", import.meta.url));

const folderFor = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-demo-"));
  t.after(() => rmSync(folder, { force: true, recursive: true }));
  return folder;
};

const played = async (folder: string): Promise<{ readonly code: number | null; readonly said: string }> => {
  const child = spawn(process.execPath, [DEMO, folder], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      said += text;
    });
  }
  const [code] = await once(child, "close");
  return { code, said };
};

const assertInOrder = (said: string, patterns: readonly RegExp[]): void => {
  let rest = said;
  for (const pattern of patterns) {
    const found = pattern.exec(rest);
    assert.ok(found, `${pattern} is not where it belongs in:\n${said}`);
    rest = rest.slice(found.index + found[0].length);
  }
};

test("the demo tells the whole story and leaves its files", async (t) => {
  await installIntegration("mcp-client");
  const folder = join(folderFor(t), "demo");
  const { code, said } = await played(folder);
  assert.equal(code, 0, said);
  const inOrder = [
    /\+ 101 {2}start web-01: stopped → running/,
    /\+ step 1: VM 101 start succeeded/,
    /production-touched/,
    /! 105 {2}refused: .* \(N1, vm-unknown\)/,
    /--only 101,102,103,104,106\n[\s\S]*?verdict clear/,
    /\$ kill -9/,
    /\+ open +VM 106 {2}start/,
    /reconcile-early/,
    /\? blocked +VM 106/,
    /step-consumed/,
    /approval-missing/,
    /approved by bob/,
    /\+ step 1: VM 104 resume succeeded/,
    /agent {2}apply_step: refused, approval-missing \(P7-A2\)/,
    /agent {2}hands on an address that a person must open: http:\/\/localhost:\d+\/approve\/\w{26}\/1/,
    /dana {3}presses Approve/,
    /agent {2}apply_step: intent \w{26}; again: the same/,
    /agent {2}intent_status: succeeded/,
    /VM 106 report-01 is running; the outcome of start stays unknown/,
    /every decision comes out the same/,
    /audit holds/,
  ];
  assertInOrder(said, inOrder);
  assertInOrder(said, excerpt());
  assert.equal(JSON.parse(readFileSync(join(folder, "result.json"), "utf8")).outcome, "succeeded");
  for (const name of ["plan.json", "audit/audit_export.jsonl", "anchor/checkpoints.txt", "ledger/dedalus.db"]) {
    assert.ok(existsSync(join(folder, name)), name);
  }
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The lines of the page's excerpt, each as a pattern in which … stands for anything. */
const excerpt = (): readonly RegExp[] => {
  const page = readFileSync(new URL("../../docs/simulator.md", import.meta.url), "utf8");
  const [, block] = /## The demo\n[\s\S]*?```text\n([\s\S]*?)```/.exec(page) ?? [];
  assert.ok(block !== undefined, "the page shows the demo");
  return block
    .trimEnd()
    .split("\n")
    .map((line) => new RegExp(`^${line.split("…").map(escaped).join(".*")}$`, "m"));
};

test("the demo takes no folder that somebody else made", async (t) => {
  const folder = join(folderFor(t), "mine");
  mkdirSync(folder);
  const { code, said } = await played(folder);
  assert.equal(code, 1);
  assert.match(said, /no earlier demo made it; move it away/);
});
