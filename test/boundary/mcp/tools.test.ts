// What an agent is given at its door: which tools there are, what each answers, and that this is the service's own
// answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020, type SchemaObject } from "ajv/dist/2020.js";
import { STATED_FACTS } from "../../../src/boundary/mcp/provider-texts.ts";
import { toolsIn } from "../../../src/boundary/mcp/tool-list.ts";
import { isToolName, TOOL_NAMES, TOOLS } from "../../../src/boundary/mcp/tools.ts";
import { readMcpTools } from "../../../src/cli/files/own-files.ts";
import { DIAGNOSTICS } from "../../../src/spine/diagnostic-codes.ts";
import { BLOCKERS, DOUBTS, GAPS } from "../../../src/spine/observed-codes.ts";
import { atDoor } from "../at-door.ts";
import { agentAt, LEGACY, MODERN, rpcIn, type Structured, type Told } from "./agents.ts";

const listed = toolsIn(readMcpTools());
const ajv = new Ajv2020({ strict: false });
const fits = new Map(
  listed.map(({ name, outputSchema }) => [name as string, ajv.compile({ ...outputSchema } as SchemaObject)]),
);

/** As a client checks it; the text is the same JSON. */
const assertFits = (name: string, { content, structuredContent }: Told): Structured => {
  const check = fits.get(name) ?? assert.fail(name);
  assert.ok(check(structuredContent), `${name}: ${JSON.stringify(check.errors)}`);
  assert.deepEqual(content, [{ text: JSON.stringify(structuredContent), type: "text" }]);
  return structuredContent;
};

test("the tools are these, in this order, for clients of either era", async (t) => {
  const agent = await agentAt(await atDoor(t));
  const { result } = rpcIn(await agent.ask("tools/list"));
  assert.deepEqual(
    (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name),
    [...TOOL_NAMES],
  );
  assert.equal(result?.["cacheScope"], "private");
  assert.equal(result?.["ttlMs"], 3_600_000);
  const legacy = rpcIn(await agent.askLegacy("tools/list"));
  assert.deepEqual(legacy.result?.["tools"], result?.["tools"]);
});

test("no tool decides, stops, registers or makes a token", () => {
  for (const word of ["approve", "deny", "confirm", "freeze", "register", "reconcile", "token", "revoke", "invite"])
    for (const name of TOOL_NAMES) assert.ok(!name.split("_").includes(word), name);
  const operations = new Set(TOOL_NAMES.map((name) => TOOLS[name].operation));
  assert.deepEqual([...operations].toSorted(), [
    "apply",
    "cancel",
    "environments",
    "explain",
    "intent",
    "makePlan",
    "observe",
    "prove",
    "records",
    "requestApproval",
    "showPlan",
    "vms",
  ]);
});

test("what is said of a tool is what it does", () => {
  for (const { annotations, inputSchema, name } of listed) {
    const { keyed, operation } = TOOLS[name];
    assert.equal(annotations.readOnlyHint, keyed === "none", name);
    assert.equal(annotations.destructiveHint, operation === "apply" || operation === "cancel", name);
    assert.equal(inputSchema["additionalProperties"], false, name);
    assert.equal("key" in Object(inputSchema["properties"]), keyed === "given", name);
  }
});

test("no refusal leads to a tool that changes a VM", () => {
  for (const name of TOOL_NAMES)
    for (const left of TOOLS[name].leaves) assert.ok(isToolName(left) && left !== "apply_step", `${name}: ${left}`);
});

test("a server says who it is and what it can, and nothing of prompts, logging or subscriptions", async (t) => {
  const agent = await agentAt(await atDoor(t));
  const { result } = rpcIn(await agent.ask("server/discover"));
  assert.deepEqual(result?.["supportedVersions"], [MODERN]);
  assert.deepEqual(result?.["capabilities"], { resources: {}, tools: {} });
  const begun = rpcIn(
    await agent.askLegacy("initialize", {
      capabilities: {},
      clientInfo: { name: "test", version: "0" },
      protocolVersion: LEGACY,
    }),
  );
  assert.equal(begun.result?.["protocolVersion"], LEGACY);
  assert.deepEqual(begun.result?.["capabilities"], { resources: {}, tools: {} });
  assert.equal(begun.result?.["instructions"], result?.["instructions"]);
  for (const method of ["prompts/list", "logging/setLevel", "subscriptions/listen", "tasks/list", "roots/list"]) {
    const reply = await agent.ask(method, method === "logging/setLevel" ? { level: "debug" } : {});
    assert.equal(rpcIn(reply).error?.code, -32_601, method);
    assert.equal(reply.status, 404, method);
    assert.match(String(rpcIn(reply).error?.data?.["correlationId"]), /^[0-9A-Z]{26}$/);
  }
});

test("every answer is what HTTP answers, with what it stands on", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const asToken = { token: agent.token };
  const planned = assertFits("plan_desired", await agent.call("plan_desired", { environment: "home", scope: "all" }));
  const { id: plan } = planned.answer ?? assert.fail("it has an answer");
  assert.equal(planned.replayed, false);
  assert.equal(planned.record, (await door.served.records()).length - 1);
  const step = { number: 1 };
  const reads: readonly (readonly [tool: string, given: Record<string, unknown>, path: string])[] = [
    ["list_environments", {}, "/v1/environments"],
    ["list_vms", {}, "/v1/vms"],
    ["list_vms", { environment: "home", vms: ["web-01"] }, "/v1/vms?environment=home&vm=web-01"],
    ["get_vm", { vm: 101 }, "/v1/vms?vm=101"],
    ["explain_step", { plan, step }, `/v1/plans/${plan}/steps/1/explanation`],
    ["plan_status", { plan: "latest" }, "/v1/plans/latest"],
    ["search_records", { environment: "home" }, "/v1/records?environment=home"],
  ];
  for (const [name, given, path] of reads) {
    const told = await agent.call(name, given);
    const legacy = await agent.callLegacy(name, given);
    const { body, headers } = await door.get(path, asToken);
    const { answer, head } = assertFits(name, told);
    const seconds = (value: unknown): string => JSON.stringify(value).replaceAll(/"(?:at|ageSeconds)":[^,}]*/g, "");
    assert.equal(seconds(answer), seconds(body), name);
    assert.equal(seconds(legacy.structuredContent.answer), seconds(body), name);
    assert.equal(`"${head?.size}-${head?.hash}"`, headers.get("etag"), name);
    assert.equal(told.isError, undefined, name);
  }
});

test("a page of records says where the next one begins", async (t) => {
  const agent = await agentAt(await atDoor(t));
  await agent.call("observe", { environment: "home" });
  const given = { environment: "home", limit: 1 };
  const first = assertFits("search_records", await agent.call("search_records", given));
  const { records } = first.answer ?? assert.fail("it has an answer");
  assert.equal(records.length, 1);
  assert.equal(first.next, (records[0]?.seq ?? 0) + 1);
  const next = await agent.call("search_records", { ...given, from: first.next });
  const [later] = next.structuredContent.answer?.records ?? [];
  assert.ok((later?.seq ?? 0) >= (first.next ?? 0));
});

test("a refusal is data: its rule, facts, what would have to be true, and what stays open", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const planned = await agent.call("plan_desired", { scope: "all" });
  const { id: plan } = planned.structuredContent.answer ?? assert.fail("it has an answer");
  const told = await agent.call("apply_step", { plan, step: { number: 1 } });
  assert.equal(told.isError, true);
  const { leaves, refused, textsFrom } = assertFits("apply_step", told);
  const [first] = refused?.refusals ?? [];
  assert.equal(refused?.outcome, "not_executed");
  assert.equal(first?.code, "approval-missing");
  assert.equal(first?.rule, "P7-A2");
  assert.equal(first?.facts["needed"], 1);
  assert.ok((first?.needed ?? "").length > 10);
  assert.deepEqual(leaves, ["explain_step", "plan_status", "cancel_plan", "request_approval", "intent_status"]);
  assert.deepEqual(textsFrom, ["ledger", "operators", "provider"]);
  assert.ok(!JSON.stringify(told).includes("nextSteps"), "no command to run is told");
  assert.equal(door.served.provider.counts.calls, 0);
});

test("a plan, an explanation and the rules have addresses, and nothing else has", async (t) => {
  const agent = await agentAt(await atDoor(t));
  const planned = await agent.call("plan_desired", { scope: "all" });
  const { id: plan } = planned.structuredContent.answer ?? assert.fail("it has an answer");
  const read = async (uri: string) => rpcIn(await agent.ask("resources/read", { uri }));
  const textOf = ({ result }: Awaited<ReturnType<typeof read>>) => JSON.parse(result?.contents?.[0]?.text ?? "");
  const { result: list } = rpcIn(await agent.ask("resources/list"));
  assert.deepEqual(
    list?.resources?.map(({ uri }) => uri),
    ["dedalus://rules"],
  );
  assert.ok(textOf(await read("dedalus://rules")).rules.length > 30);
  assert.equal(textOf(await read(`dedalus://plans/${plan}`)).answer.id, plan);
  const explained = textOf(await read(`dedalus://plans/${plan}/steps/1/explanation`));
  const asked = await agent.call("explain_step", { plan, step: { number: 1 } });
  assert.deepEqual(explained.answer, asked.structuredContent.answer);
  for (const uri of ["dedalus://tokens", "file:///etc/passwd", `dedalus://plans/${plan}/steps/0/explanation`])
    assert.equal((await read(uri)).error?.code, -32_602, uri);
  const unknown = await read("dedalus://plans/01JD2Y8ZC4QW7X9M5T3V6B1K0R");
  const { refused } = Object(unknown.error?.data) as Structured;
  assert.equal(refused?.refusals[0]?.code, "plan-unknown");
});

test("whoever shows no credential, or one that proves nobody, is answered as over HTTP", async (t) => {
  const door = await atDoor(t);
  const nobody = await agentAt(door, "", "dedalus_0000000000_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  for (const reply of [
    await door.post("/mcp", {}, { key: null, token: null }),
    await nobody.ask("tools/list"),
    await nobody.ask("server/discover"),
    await nobody.ask("tools/call", { arguments: {}, name: "list_vms" }),
    await nobody.ask("tools/call", { arguments: { no: 1 }, name: "list_vms" }),
    await nobody.ask("tools/call", { arguments: {}, name: "no_tool" }),
    await nobody.askLegacy("tools/list"),
    await nobody.askLegacy("initialize", { capabilities: {}, clientInfo: {}, protocolVersion: LEGACY }),
  ]) {
    assert.equal(reply.status, 401);
    assert.equal(reply.headers.get("www-authenticate"), 'Bearer realm="dedalus"');
    assert.equal(reply.problem.refusals[0]?.code, "actor-unknown");
  }
});

test("every fact that an adapter can tell is a provider's words, or is known to be none", () => {
  const ours = ["action", "bytesMax", "cores", "cpus", "foundAs", "httpStatus", "max", "memory", "min", "more", "ms"];
  const known = new Set([...ours, "right", "rows", "sendBy", "snapshot", "sockets", "times", "vm", ...STATED_FACTS]);
  const told = [BLOCKERS, DOUBTS, GAPS, DIAGNOSTICS].flatMap((table) => Object.values(table).flat());
  assert.deepEqual(
    told.filter((name) => !known.has(name)),
    [],
    "say in src/boundary/mcp/provider-texts.ts whose words these are",
  );
});
