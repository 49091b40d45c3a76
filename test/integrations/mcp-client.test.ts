// The official clients of both revisions of the protocol, over HTTP and over pipes, take a change from an observation
// to a proof; a person decides in between. Where the door lies, they notice.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../tools/sources.ts";
import type { Printed } from "../cli/desk.ts";
import { codesIn } from "../live/cluster.ts";
import { type AgentService, serveAgents } from "./agent-service.ts";
import { installIntegration } from "./integration-package.ts";
import { throughLyingDoor } from "./lying-door.ts";

const COMPILE = join(ROOT, "node_modules/typescript/bin/tsc");

const TOOLS = [
  "list_environments",
  "list_vms",
  "get_vm",
  "observe",
  "plan_desired",
  "plan_action",
  "explain_step",
  "request_approval",
  "plan_status",
  "apply_step",
  "intent_status",
  "cancel_plan",
  "search_records",
  "prove_record",
];

/** Revision, door, and whether the client can open an address for a person. */
const PLAYS = [
  ["2026-07-28", "http", "page"],
  ["2026-07-28", "http", "text"],
  ["2026-07-28", "stdio", "page"],
  ["2026-07-28", "stdio", "text"],
  ["2025-11-25", "http", "page"],
  ["2025-11-25", "http", "text"],
  ["2025-11-25", "stdio", "page"],
  ["2025-11-25", "stdio", "text"],
] as const;

type Told = Readonly<Record<string, never>> & { readonly told: string };
const toldIn = ({ out }: Printed): readonly Told[] =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const played = async ({ approve, approveAt, env }: AgentService, ...words: readonly string[]): Promise<Printed> => {
  const client = await installIntegration("mcp-client");
  return client.run(["play-agent.ts", ...words], {
    env,
    onLine: async (line) => {
      const { plan, step, told, url } = line.startsWith("{") ? JSON.parse(line) : {};
      if (told === "page") await approveAt(url);
      if (told === "asked" && words[2] === "text") await approve(plan, step);
    },
  });
};

/** What each play tells, by kind; the last of a kind counts. */
const toldBy = (printed: Printed): Readonly<Record<string, Told | undefined>> =>
  Object.fromEntries(toldIn(printed).map((one) => [one.told, one]));

test("an agent's program takes a change from an observation to a proof, by every official client and door", async () => {
  const { run } = await installIntegration("mcp-client");
  const compiled = await run([COMPILE, "-p", "."]);
  assert.equal(compiled.code, 0, compiled.out);
  await serveAgents(async (service) => {
    for (const [at, [revision, door, asking]] of PLAYS.entries()) {
      const title = `${revision} ${door} ${asking}`;
      const snapshot = `by-agent-${at}`;
      const wanted = at === 0 ? ["101"] : ["105", JSON.stringify({ kind: "vm.snapshot.create", snapshot })];
      const printed = await played(service, revision, door, asking, ...wanted);
      assert.equal(printed.code, 0, `${title}: ${printed.err}`);
      const { applied, asked, connected, ended, page, planned, refused } = toldBy(printed);
      assert.equal(connected?.["revision"], revision, title);
      assert.deepEqual(connected?.["tools"], TOOLS, title);
      assert.deepEqual(codesIn(refused), ["approval-missing"], title);
      const address = asking === "page" ? page?.["url"] : Object(asked?.["decide"])["url"];
      assert.match(String(address), new RegExp(`^http://localhost:\\d+/approve/${planned?.["plan"]}/1$`), title);
      assert.equal(page === undefined, asking === "text", title);
      assert.deepEqual([applied?.["again"], applied?.["replayed"]], [applied?.["intent"], true], title);
      assert.equal(ended?.["outcome"], "succeeded", title);
      writeFileSync(join(service.folder, "its.tlog-proof"), String(ended?.["proof"]));
      assert.equal((await service.dedalus("ledger", "verify", "--proof", "its.tlog-proof")).code, 0, title);
    }
    const snapshots = Array.from({ length: PLAYS.length - 1 }, () => "105/snapshot");
    assert.deepEqual(service.performed(), ["101/status/start", ...snapshots]);
  });
});

test("a client takes nothing for an answer that the tool did not promise", async () => {
  await serveAgents(async (service) => {
    const { env, performed } = service;
    const lie = (body: string): string => body.replaceAll('"answer":', '"anwser":');
    await throughLyingDoor(env["DEDALUS_SERVER"] ?? "", lie, async (url) => {
      const lied = { ...service, env: { ...env, DEDALUS_SERVER: url } };
      const { code, err } = await played(lied, "2026-07-28", "http", "page", "101");
      assert.equal(code, 1);
      assert.match(err, /does not match the tool's output schema/);
      assert.deepEqual(performed(), []);
    });
  });
});
