// node run-scenarios.ts REVISION: what the conformance runner requires of a server by that revision, run against the
// service at DEDALUS_SERVER as the agent of DEDALUS_TOKEN, and held against the list of what is left out.
//
// Prints one line of JSON. It fails when a check fails that is not listed, and when a listed one passes.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LEFT_OUT } from "./left-out.ts";
import { startTokenProxy } from "./token-proxy.ts";

const RUNNER = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

type Check = { readonly errorMessage?: string; readonly id: string; readonly status: string };
type Named = Check & { readonly name: string; readonly scenario: string };

/** What the protocol only recommends counts as failed too; what was skipped or only told counts as nothing. */
const FAILED: ReadonlySet<string> = new Set(["FAILURE", "WARNING"]);

const checksIn = (folder: string): readonly Named[] =>
  readdirSync(folder).flatMap((run) => {
    const [, scenario = run] = /^server-(.*)-\d{4}-\d{2}-\d{2}T[\d-]+Z$/.exec(run) ?? [];
    const checks: readonly Check[] = JSON.parse(readFileSync(join(folder, run, "checks.json"), "utf8"));
    return checks.map((check) => ({ ...check, name: `${scenario}:${check.id}`, scenario }));
  });

const [, , revision = ""] = process.argv;
const given = (name: string): string => process.env[name] ?? assert.fail(`${name} is not set`);
const leftOut = LEFT_OUT[revision] ?? assert.fail(`${revision} is no revision`);

const folder = mkdtempSync(join(tmpdir(), "dedalus-conformance-"));
const proxy = await startTokenProxy(given("DEDALUS_SERVER"), given("DEDALUS_TOKEN"));
try {
  const argv = ["server", "--url", `${proxy.url}/mcp`, "--requirements", revision, "--output-dir", folder];
  // It fails where anything fails; what it wrote down says more.
  await once(spawn(process.execPath, [RUNNER, ...argv], { stdio: "ignore" }), "close");
  const checks = checksIn(folder);
  const failed = checks.filter(({ status }) => FAILED.has(status));
  const listed = new Set(leftOut.flatMap(({ checks: names }) => names));
  const unlisted = failed.filter(({ name }) => !listed.has(name));
  const failedNames = new Set(failed.map(({ name }) => name));
  const passing = [...listed].filter((name) => !failedNames.has(name));
  const passed = checks.filter(({ status }) => status === "SUCCESS");
  const whole = new Set(passed.map(({ scenario }) => scenario));
  for (const { scenario } of failed) whole.delete(scenario);
  const told = {
    failed: unlisted.map(({ errorMessage = "", name }) => `${name}: ${errorMessage}`),
    passed: passed.length,
    passing,
    whole: [...whole].sort(),
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  if (unlisted.length > 0 || passing.length > 0) process.exitCode = 1;
} finally {
  proxy.close();
  rmSync(folder, { force: true, recursive: true });
}
