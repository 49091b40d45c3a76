// A plain message is answered without the protocol's package, and its answer is the package's, byte for byte; whatever
// is not beyond doubt plain is left to the package.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plainMessages } from "../../../src/boundary/mcp/plain-message.ts";
import { type AtDoor, atDoor, newKey, type Replied } from "../at-door.ts";
import { type Agent, agentAt, headersOf, LEGACY, messageOf } from "./agents.ts";

type Json = Readonly<Record<string, unknown>>;
type Asked = { readonly headers: Readonly<Record<string, string>>; readonly message: Json };

const OWN = "io.modelcontextprotocol";
const ACCEPT = { accept: "application/json, text/event-stream" };

const withMeta = ({ params, ...message }: Json, meta: Json): Json => ({
  ...message,
  params: { ...Object(params), _meta: { ...Object(params)._meta, ...meta } },
});
const modern = (method: string, params: Json, id: unknown = 1): Asked => {
  const message = { ...messageOf(method, params), id };
  return { headers: headersOf(message), message };
};
const legacy = (method: string, params: Json, id: unknown = 1): Asked => ({
  headers: { ...ACCEPT, "mcp-protocol-version": LEGACY },
  message: { id, jsonrpc: "2.0", method, params },
});
/** The package takes this member and does nothing with it; it is not plain. */
const forPackage = ({ headers, message }: Asked): Asked => ({
  headers,
  message: withMeta(message, { [`${OWN}/logLevel`]: "error" }),
});

const isPlain = ({ headers, message }: Asked, read = plainMessages()): boolean => read(message, headers) !== undefined;

const sent = ({ post }: AtDoor, { token }: Agent, { headers, message }: Asked): Promise<Replied> =>
  post("/mcp", message, { headers, key: null, token });
/** What is another with each request. */
const ASKED_ANEW = /01[0-9A-HJKMNP-TV-Z]{24}|\d{4}-\d\d-\d\dT[\d:.]+Z|"ageSeconds\\?":\d+/g;
const shapeOf = ({ headers, status, text }: Replied) => ({
  cached: headers.get("cache-control"),
  length: text.length,
  status,
  text: text.replaceAll(ASKED_ANEW, ""),
  type: headers.get("content-type"),
});

test("an answer to a plain message is the package's, byte for byte, for clients of either era", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const planned = await agent.call("plan_desired", { scope: "all" });
  const { id: plan } = planned.structuredContent.answer ?? assert.fail("it has an answer");
  const step = { number: 1 };
  const calls: readonly (readonly [name: string, given: Json | undefined])[] = [
    ["list_environments", undefined],
    ["list_environments", {}],
    ["list_vms", { environment: "home" }],
    ["get_vm", { vm: 101 }],
    ["get_vm", { vm: 'a "name" with \\ and \u2028' }],
    ["explain_step", { plan, step }],
    ["plan_status", { plan }],
    ["plan_status", { plan: newKey() }],
    ["apply_step", { plan, step }],
    ["intent_status", { intent: newKey() }],
    ["cancel_plan", { plan: newKey(), reason: "none" }],
    ["search_records", { environment: "home", limit: 2 }],
    ["prove_record", { seq: 1 }],
    ["plan_action", { action: { kind: "vm.exec" }, vm: 101 }],
  ];
  const messages: readonly (readonly [method: string, params: Json])[] = [
    ["tools/list", {}],
    ...calls.map(([name, given]) => ["tools/call", { ...(given && { arguments: given }), name }] as const),
  ];
  for (const era of [modern, legacy])
    for (const [at, [method, params]] of messages.entries()) {
      const asked = era(method, params, at % 2 === 0 ? `"${at}"` : at);
      assert.ok(isPlain(asked), JSON.stringify(params));
      assert.ok(!isPlain(forPackage(asked)), JSON.stringify(params));
      const [plain, packaged] = [await sent(door, agent, asked), await sent(door, agent, forPackage(asked))];
      assert.deepEqual(shapeOf(plain), shapeOf(packaged));
    }
});

test("a bug is told as the package tells it", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  t.mock.method(door.given.service, "vms", () => Promise.reject(new Error("a bug")));
  for (const era of [modern, legacy]) {
    const asked = era("tools/call", { arguments: {}, name: "list_vms" });
    const [plain, packaged] = [await sent(door, agent, asked), await sent(door, agent, forPackage(asked))];
    assert.deepEqual(shapeOf(plain), shapeOf(packaged));
    assert.match(plain.text, /-32603/);
  }
});

test("whatever is not beyond doubt plain is left to the package", () => {
  const params = { arguments: {}, name: "list_vms" };
  const call = modern("tools/call", params);
  const begun = legacy("tools/call", params);
  const { "mcp-method": _, ...noMethod } = call.headers;
  const { "mcp-name": __, ...noName } = call.headers;
  const { "mcp-protocol-version": ___, ...noVersion } = begun.headers;
  const but = (one: Asked, message: Json): Asked => ({ ...one, message: { ...one.message, ...message } });
  const meta = (one: Asked, given: Json): Asked => ({ ...one, message: withMeta(one.message, given) });
  const headed = (one: Asked, headers: Asked["headers"]): Asked => ({ ...one, headers });
  const { accept: ____, ...unaccepting } = begun.headers;
  const odd: Readonly<Record<string, Asked>> = {
    "a capability that is none": meta(call, { [`${OWN}/clientCapabilities`]: { elicitation: 1 } }),
    "a client without a name": meta(call, { [`${OWN}/clientInfo`]: { version: "1" } }),
    "a claim in a header of before": meta(begun, { [`${OWN}/protocolVersion`]: "2026-07-28" }),
    "a header of another method": headed(call, { ...call.headers, "mcp-method": "tools/list" }),
    "a header of another tool": headed(call, { ...call.headers, "mcp-name": "apply_step" }),
    "a header of another version": headed(call, { ...call.headers, "mcp-protocol-version": LEGACY }),
    "a header of an older version": headed(begun, { ...begun.headers, "mcp-protocol-version": "2025-06-18" }),
    "a list from somewhere": modern("tools/list", { cursor: "x" }),
    "a member of the message more": but(call, { more: 1 }),
    "a member of the params more": modern("tools/call", { ...params, requestState: "x" }),
    "a list with params as a list": but(legacy("tools/list", {}), { params: [] }),
    "a method that has a name and arguments too": legacy("prompts/get", params),
    "a method that is none of these": modern("resources/list", {}),
    "a progress token that is none": meta(call, { progressToken: true }),
    "a progress token that is none, of before": meta(begun, { progressToken: true }),
    "a version that is not served": meta(call, { [`${OWN}/protocolVersion`]: "2099-01-01" }),
    "an answer that is not accepted": headed(begun, unaccepting),
    "an answer that is only accepted as JSON": headed(begun, { ...begun.headers, accept: "application/json" }),
    "an answer that is only accepted as a stream": headed(begun, { ...begun.headers, accept: "text/event-stream" }),
    "an id that is half": but(call, { id: 1.5 }),
    "an id that is null": but(call, { id: null }),
    "an unknown tool": modern("tools/call", { arguments: {}, name: "approve_step" }),
    "arguments as a list": modern("tools/call", { arguments: [], name: "list_vms" }),
    "arguments that are null": modern("tools/call", { arguments: null, name: "list_vms" }),
    "no header of its method": headed(call, noMethod),
    "no header of its name": headed(call, noName),
    "no header of its version": headed(begun, noVersion),
    "no version of JSON-RPC": but(call, { jsonrpc: "1.0" }),
    "nothing of itself": but(call, { params }),
    "params as a list": but(call, { params: [] }),
    "the request for an approval": modern("tools/call", { arguments: {}, name: "request_approval" }),
    "what it says of itself as a list": but(begun, { params: { ...params, _meta: [] } }),
  };
  for (const one of [call, begun]) assert.ok(isPlain(one));
  for (const [what, one] of Object.entries(odd)) assert.ok(!isPlain(one), what);
});

test("what a client says of itself is judged whenever it is another", () => {
  const read = plainMessages();
  const call = modern("tools/call", { arguments: {}, name: "list_vms" });
  const told = (capabilities: Json): Asked => ({
    ...call,
    message: withMeta(call.message, { [`${OWN}/clientCapabilities`]: capabilities }),
  });
  for (let time = 0; time < 600; time += 1)
    assert.ok(isPlain(told({ elicitation: { url: {} }, experimental: { [`n${time}`]: {} } }), read));
  assert.ok(!isPlain(told({ elicitation: 1 }), read));
  assert.ok(isPlain(told({ elicitation: { url: {} } }), read));
  assert.ok(!isPlain(told({ elicitation: 1 }), read), "again");
  assert.ok(!isPlain(told({ experimental: { long: { text: "x".repeat(2_000) } } }), read), "what is long is not kept");
});
