// The conformance runner of the protocol: transport, discovery, versioning, caching and headers of both revisions pass,
// and what does not is listed with its reason. Where the door lies, the runner notices.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../tools/sources.ts";
import type { Printed } from "../cli/desk.ts";
import { serveAgents } from "./agent-service.ts";
import { installIntegration } from "./integration-package.ts";
import { throughLyingDoor } from "./lying-door.ts";

/** Scenarios that pass with all of their checks, and how many checks pass at least. */
const REQUIRED = {
  "2025-11-25": {
    passed: 30,
    whole: ["dns-rebinding-protection", "ping", "resources-list", "server-initialize", "tools-list"],
  },
  "2026-07-28": {
    passed: 95,
    whole: [
      "dns-rebinding-protection",
      "http-header-validation",
      "input-required-result-unsupported-methods",
      "input-required-result-validate-input",
      "resources-list",
      "sep-2164-resource-not-found",
      "server-sse-multiple-streams",
      "tools-list",
    ],
  },
} as const;
type Revision = keyof typeof REQUIRED;

const conform = async (revision: Revision, env: Readonly<Record<string, string>>): Promise<Printed> =>
  (await installIntegration("mcp-conformance")).run(["run-scenarios.ts", revision], { env });

test("both revisions of the protocol are kept, as the conformance runner sees it", async () => {
  const { run } = await installIntegration("mcp-conformance");
  const compiled = await run([join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."]);
  assert.equal(compiled.code, 0, compiled.out);
  await serveAgents(async ({ env, performed }) => {
    for (const [revision, { passed, whole }] of Object.entries(REQUIRED)) {
      const { code, err, out } = await conform(revision as Revision, env);
      assert.equal(code, 0, `${revision}: ${out}${err}`);
      const told = JSON.parse(out);
      assert.ok(told.passed >= passed, `${revision}: ${told.passed} checks passed`);
      assert.deepEqual(told.whole, whole, revision);
    }
    assert.deepEqual(performed(), []);
  });
});

test("an answer without what the protocol requires is noticed", async () => {
  await serveAgents(async ({ env }) => {
    const lie = (body: string): string => body.replaceAll('"ttlMs":', '"ttl":');
    await throughLyingDoor(env["DEDALUS_SERVER"] ?? "", lie, async (url) => {
      const { code, out } = await conform("2026-07-28", { ...env, DEDALUS_SERVER: url });
      assert.equal(code, 1);
      assert.match(JSON.parse(out).failed.join("\n"), /^caching:sep-2549-tools-list-caching-hints/m);
    });
  });
});
