// The MCP Inspector, by its command line, over HTTP and over pipes, in both revisions: the tools, a read, a refusal;
// and the configuration file as docs/agents.md shows it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Printed } from "../cli/desk.ts";
import { codesIn } from "../live/cluster.ts";
import { type AgentService, serveAgents } from "./agent-service.ts";
import { type IntegrationPackage, installIntegration } from "./integration-package.ts";
import { throughLyingDoor } from "./lying-door.ts";

const INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/** Its own catalogue of servers stays in a folder that is removed. */
const inspectorFor = async (t: TestContext) => {
  const inspector = await installIntegration("mcp-inspector");
  const home = mkdtempSync(join(tmpdir(), "dedalus-inspector-"));
  t.after(() => rmSync(home, { force: true, recursive: true }));
  return inspect(inspector, home);
};

const inspect =
  ({ run }: IntegrationPackage, home: string) =>
  (...argv: readonly string[]): Promise<Printed> =>
    run([INSPECTOR, "--cli", ...argv, "--quiet", "--format", "json"], {
      env: { HOME: home },
    });

const overHttp = (server: string, token: string): readonly string[] => [
  `${server}/mcp`,
  "--transport",
  "http",
  "--header",
  `Authorization: Bearer ${token}`,
];

/** Each way to the tools, as words of the Inspector; over pipes as an agent's configuration file says it. */
const waysTo = ({ env, folder }: AgentService): Readonly<Record<string, readonly string[]>> => {
  const { DEDALUS: command = "", DEDALUS_SERVER = "", DEDALUS_TOKEN = "", PATH = process.env["PATH"] ?? "" } = env;
  const http = overHttp(DEDALUS_SERVER, DEDALUS_TOKEN);
  const dedalus = { args: ["mcp", "--server", DEDALUS_SERVER], command, env: { DEDALUS_TOKEN, PATH } };
  const file = join(folder, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { dedalus } }));
  const stdio = ["--config", file, "--server", "dedalus"];
  return {
    "stdio legacy": [...stdio, "--protocol-era", "legacy"],
    "stdio modern": [...stdio, "--protocol-era", "modern"],
    "http legacy": [...http, "--protocol-era", "legacy"],
    "http modern": [...http, "--protocol-era", "modern"],
  };
};

const LIST = ["--method", "tools/list", "--strict"];
const call = (tool: string, given: object): readonly string[] => {
  const named = ["--method", "tools/call", "--tool-name", tool];
  return [...named, "--tool-args-json", JSON.stringify(given)];
};
/** How the Inspector ends where a tool gave an error. */
const REFUSED = 5;
const UNKNOWN_PLAN = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

test("the Inspector lists the tools, reads with one and is refused by one, over every door and revision", async (t) => {
  const ask = await inspectorFor(t);
  await serveAgents(async (service) => {
    for (const [title, words] of Object.entries(waysTo(service))) {
      const [listed, read, refused] = await Promise.all([
        ask(...words, ...LIST),
        ask(...words, ...call("list_vms", { environment: "home" })),
        ask(...words, ...call("plan_status", { plan: UNKNOWN_PLAN })),
      ]);
      assert.equal(listed.code, 0, `${title}: ${listed.err}`);
      assert.equal(JSON.parse(listed.out).result.tools.length, 14, title);
      assert.equal(read.code, 0, `${title}: ${read.err}`);
      assert.match(read.out, /"web-01"/, title);
      assert.deepEqual([refused.code, codesIn(JSON.parse(refused.out))], [REFUSED, ["plan-unknown"]], title);
      assert.match(refused.err, /"tool_is_error"/, title);
    }
  });
});

test("the Inspector notices an answer that the tool did not promise", async (t) => {
  const ask = await inspectorFor(t);
  await serveAgents(async ({ env }) => {
    const lie = (body: string): string => body.replaceAll('"answer":', '"anwser":');
    await throughLyingDoor(env["DEDALUS_SERVER"] ?? "", lie, async (url) => {
      const words = [...overHttp(url, env["DEDALUS_TOKEN"] ?? ""), "--protocol-era", "modern"];
      const { code, err } = await ask(...words, ...call("list_vms", { environment: "home" }));
      assert.notEqual(code, 0);
      assert.match(err, /must have required property 'answer'/);
    });
  });
});
