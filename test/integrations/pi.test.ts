// Agents made with pi: a loop of pi-agent-core, and pi's own coding agent with our extension, on its scripted model.
// Each is asked in words, plans, waits for a person, applies, and reports; one that does not wait gets nowhere.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ROOT } from "../../tools/sources.ts";
import type { Printed } from "../cli/desk.ts";
import { type AgentService, serveAgents } from "./agent-service.ts";
import { installIntegration } from "./integration-package.ts";
import { throughLyingDoor } from "./lying-door.ts";

const PI = "node_modules/@earendil-works/pi-coding-agent/dist/bundle/cli.js";
const ALONE = ["--offline", "--no-session", "--no-builtin-tools", "-ne", "-ns", "-np", "-nc"];
const EXTENSIONS = ["-e", "./dedalus-extension.ts", "-e", "./scripted-model-extension.ts"];
const MODEL = ["--provider", "faux", "--model", "faux-1"];

/** One tool call, whichever program tells it. */
type Used = { readonly isError: boolean; readonly result: object; readonly tool: string };

const usedIn = (line: string): Used | undefined => {
  if (!line.startsWith("{")) return undefined;
  const { isError, result, tool, toolName, told, type } = JSON.parse(line);
  const isTool = told === "tool" || type === "tool_execution_end";
  return isTool ? { isError, result, tool: tool ?? toolName } : undefined;
};
const linesOf = ({ out }: Printed): readonly string[] => out.trim().split("\n");
const toolsOf = (printed: Printed): readonly string[] => [
  ...new Set(linesOf(printed).flatMap((line) => usedIn(line)?.tool ?? [])),
];

const run = async (
  { approveAt, env }: AgentService,
  argv: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Printed> => {
  const pi = await installIntegration("pi");
  return pi.run(argv, {
    env: { ...env, ...more },
    onLine: async (line) => {
      const [, url] = /^(?:A person decides at |\{"told":"page","url":")([^"\s]+)/.exec(line) ?? [];
      if (url !== undefined) await approveAt(url);
    },
  });
};

const WAY = [
  "list_vms",
  "plan_action",
  "explain_step",
  "request_approval",
  "plan_status",
  "apply_step",
  "intent_status",
];

test("an agent of pi understands, plans, waits for a person, applies and reports", async () => {
  const { run: compile } = await installIntegration("pi");
  const compiled = await compile([join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "."]);
  assert.equal(compiled.code, 0, compiled.out);
  await serveAgents(async (service) => {
    const hasty = await run(service, ["pi-agent.ts", "impatient", "Please start web-01 in home."]);
    assert.equal(hasty.code, 0, hasty.err);
    assert.deepEqual(toolsOf(hasty), ["list_vms", "plan_action", "apply_step", "approve_step"]);
    const [applied] = linesOf(hasty).flatMap((line) => {
      const used = usedIn(line);
      return used?.tool === "apply_step" ? [used] : [];
    });
    assert.equal(applied?.isError, true);
    assert.match(JSON.stringify(applied.result), /approval-missing/);
    assert.match(hasty.out, /I was told: Tool approve_step not found/);
    assert.deepEqual(service.performed(), []);

    const production = await run(service, ["pi-agent.ts", "careful", "Please stop prod-db in home."]);
    assert.match(production.out, /Refused: production-touched/);

    const careful = await run(service, ["pi-agent.ts", "careful", "Please start web-01 in home."]);
    assert.equal(careful.code, 0, careful.err);
    assert.deepEqual(toolsOf(careful), WAY);
    assert.match(careful.out, /"It succeeded\."/);
    assert.deepEqual(service.performed(), ["101/status/start"]);
  });
});

const homeFor = (t: TestContext): string => {
  const home = mkdtempSync(join(tmpdir(), "dedalus-pi-"));
  t.after(() => rmSync(home, { force: true, recursive: true }));
  return home;
};

test("pi's coding agent with the extension takes the same way by the same tools", async (t) => {
  const home = homeFor(t);
  const own = { HOME: home, PI_CODING_AGENT_DIR: home };
  const words = [PI, "--mode", "json", ...ALONE, ...EXTENSIONS, ...MODEL, "Please start web-01 in home."];
  await serveAgents(async (service) => {
    const { env, performed } = service;
    const lie = (body: string): string => body.replaceAll('"name":"request_approval"', '"name":"ask_approval"');
    await throughLyingDoor(env["DEDALUS_SERVER"] ?? "", lie, async (url) => {
      const lied = await run({ ...service, env: { ...env, DEDALUS_SERVER: url } }, words, own);
      assert.match(lied.out, /Tool request_approval not found/);
      assert.deepEqual(performed(), []);
    });
    const printed = await run(service, words, own);
    assert.equal(printed.code, 0, printed.err);
    assert.deepEqual(toolsOf(printed), WAY);
    assert.match(printed.out, /It succeeded\./);
    assert.deepEqual(performed(), ["101/status/start"]);
  });
});
