// Whatever comes in at the agents' door, each has an error of the protocol or a refusal, with a code and the id of its
// request; nothing acts, nothing is recorded, and the service lives on.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { CALLER_LIMITS } from "../../../src/boundary/http/caller-limits.ts";
import { soon } from "../../service/bound.ts";
import { type AtDoor, atDoor, type Said } from "../at-door.ts";
import { type Agent, agentAt, codesIn, headersOf, messageOf, type Rpc, rpcIn } from "./agents.ts";

const at = async (
  t: TestContext,
  work: (door: AtDoor, agent: Agent, other: Agent) => Promise<void>,
  given: Parameters<typeof atDoor>[1] = {},
): Promise<void> => {
  const door = await atDoor(t, given);
  const agent = await agentAt(door);
  const other = await agentAt(door, "other");
  const before = (await door.served.records()).length;
  await work(door, agent, other);
  assert.equal((await agent.call("list_vms")).isError, undefined, "it lives");
  assert.equal((await door.served.records()).length, before, "nothing was recorded");
  assert.equal(door.served.provider.counts.calls, 0);
  assert.deepEqual(door.failures, []);
};

const CORRELATION = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const said = (agent: Agent, headers: Said["headers"] = {}): Said => ({ headers, key: null, token: agent.token });
const LIST = messageOf("tools/call", { arguments: {}, name: "list_vms" });
const errorOf = ({ error }: Rpc) => {
  assert.match(String(error?.data?.["correlationId"]), CORRELATION, JSON.stringify(error));
  return error?.code;
};

test("what is no message is refused before the protocol", (t) =>
  at(t, async ({ post }, agent) => {
    const cases: readonly (readonly [string, number])[] = [
      ["{", -32_700],
      ["null", -32_600],
      ["7", -32_600],
      ["[]", -32_600],
      [`[${JSON.stringify(LIST)},${JSON.stringify(LIST)}]`, -32_600],
      ['{"jsonrpc":"2.0","jsonrpc":"2.0"}', -32_700],
      ['{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', -32_700],
      [`${'{"a":'.repeat(200)}1${"}".repeat(200)}`, -32_700],
    ];
    for (const [body, code] of cases) {
      const reply = await post("/mcp", body, said(agent, headersOf(LIST)));
      assert.equal(reply.status, 400, body.slice(0, 40));
      assert.equal(errorOf(rpcIn(reply)), code, body.slice(0, 40));
    }
  }));

test("a message that is none of either revision has an error of the protocol", (t) =>
  at(t, async ({ post }, agent) => {
    const bare = { id: 1, jsonrpc: "2.0", method: "tools/call", params: { arguments: {}, name: "list_vms" } };
    const version = (text: string) => ({
      ...LIST,
      params: { ...Object(LIST["params"]), _meta: { "io.modelcontextprotocol/protocolVersion": text } },
    });
    const cases: readonly (readonly [string, object, Said["headers"], number])[] = [
      ["no _meta", bare, headersOf(LIST), -32_602],
      [
        "an unknown version",
        version("2099-01-01"),
        { ...headersOf(LIST), "mcp-protocol-version": "2099-01-01" },
        -32_602,
      ],
      ["a header of another method", LIST, { ...headersOf(LIST), "mcp-method": "tools/list" }, -32_020],
      ["a header of another tool", LIST, { ...headersOf(LIST), "mcp-name": "apply_step" }, -32_020],
      ["a header of another version", LIST, { ...headersOf(LIST), "mcp-protocol-version": "2025-11-25" }, -32_020],
      ["no headers", LIST, { accept: "application/json, text/event-stream" }, -32_020],
      ["no version of JSON-RPC", { id: 1, method: "tools/list" }, headersOf(LIST), -32_600],
      ["an answer", { id: 1, jsonrpc: "2.0", result: {} }, headersOf(LIST), -32_000],
    ];
    for (const [what, body, headers, code] of cases) {
      const reply = await post("/mcp", body, said(agent, headers ?? {}));
      assert.ok(reply.status >= 400 && reply.status < 500, `${what}: ${reply.status} ${reply.text}`);
      assert.equal(errorOf(rpcIn(reply)), code, `${what}: ${reply.text}`);
    }
  }));

test("an unknown tool, field or value is told by code, and what would be right", (t) =>
  at(t, async (_, agent) => {
    for (const name of ["approve_step", "Apply_step", "__proto__", "constructor", ""]) {
      const { error } = rpcIn(await agent.ask("tools/call", { arguments: {}, name }));
      assert.equal(errorOf({ error, id: 1 } as Rpc), -32_602, name);
    }
    const plan = "01JD2Y8ZC4QW7X9M5T3V6B1K0R";
    const cases: readonly (readonly [string, Record<string, unknown>, string])[] = [
      ["list_vms", { all: true }, "key-unknown"],
      ["get_vm", {}, "key-missing"],
      ["get_vm", { vm: 0 }, "value-wrong"],
      ["apply_step", { confirm: true, plan, step: { number: 1 } }, "key-unknown"],
      ["apply_step", { plan: "latest", step: { number: 1 } }, "value-wrong"],
      ["apply_step", { plan, step: 1 }, "type-wrong"],
      ["apply_step", { plan, step: { number: 1, vmid: 101 } }, "key-unknown"],
      ["request_approval", { approver: "ada", plan, step: { number: 1 } }, "key-unknown"],
      ["plan_action", { action: { kind: "vm.exec" }, vm: 101 }, "action-unknown"],
      ["plan_desired", { key: "not a key", scope: "all" }, "value-wrong"],
      ["plan_desired", { desired: "…", scope: "all" }, "key-unknown"],
      ["search_records", { limit: 101 }, "value-wrong"],
    ];
    for (const [name, given, code] of cases) {
      const told = await agent.call(name, given);
      assert.equal(told.isError, true);
      assert.ok(codesIn(told).includes(code), `${name} ${JSON.stringify(given)}: ${codesIn(told).join()}`);
      assert.match(told.structuredContent.correlationId, CORRELATION);
      assert.equal(told.structuredContent.refused?.outcome, "not_executed");
    }
  }));

test("a plan and a step that are no text and no number are refused as arguments", (t) =>
  at(t, async (_, agent) => {
    const odd = { toString: 1, valueOf: 1 };
    for (const given of [
      { plan: odd, step: { number: 1 } },
      { plan: "01JD2Y8ZC4QW7X9M5T3V6B1K0R", step: { number: odd } },
    ])
      assert.deepEqual(codesIn(await agent.call("request_approval", given)), ["type-wrong"]);
  }));

test("a bug is told by the id of its request, and never by what the exception said", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const bug = new Error("the secret is hunter2");
  for (const name of ["showPlan", "vms"] as const) t.mock.method(door.given.service, name, () => Promise.reject(bug));
  const asked = [
    () => agent.ask("tools/call", { arguments: {}, name: "list_vms" }),
    () => agent.askLegacy("tools/call", { arguments: {}, name: "list_vms" }),
    () => agent.ask("resources/read", { uri: "dedalus://plans/01JD2Y8ZC4QW7X9M5T3V6B1K0R" }),
  ];
  for (const ask of asked) {
    const reply = await ask();
    assert.equal(errorOf(rpcIn(reply)), -32_603);
    assert.ok(!reply.text.includes("hunter2"), reply.text);
  }
  assert.deepEqual(door.failures, [bug, bug, bug], "whoever runs the service hears of each");
});

test("an error of the package has the id of its request whatever its status, and stays whole", (t) =>
  at(t, async (_, agent) => {
    const uri = "dedalus://nowhere/\u2028data: {}";
    const wrong = { arguments: [], name: "list_vms" };
    const replies = [
      await agent.ask("tools/call", wrong),
      await agent.askLegacy("tools/call", wrong),
      await agent.askLegacy("prompts/list"),
      await agent.ask("resources/read", { uri: "dedalus://nowhere" }),
      await agent.askLegacy("resources/read", { uri }),
    ];
    for (const reply of replies) {
      errorOf(rpcIn(reply));
      assert.equal(reply.headers.get("dedalus-correlation-id"), rpcIn(reply).error?.data?.["correlationId"]);
    }
    const [last = assert.fail("there are replies")] = replies.slice(-1);
    assert.equal(last.status, 200);
    assert.equal(rpcIn(last).error?.data?.["uri"], uri);
  }));

test("half a character, and a body beyond the limit, are no message", (t) =>
  at(t, async ({ port, post }, agent) => {
    const half = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]);
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${agent.token}\r\nContent-Type: application/json\r\nContent-Length: ${half.length}\r\nConnection: close\r\n\r\n`;
    const reply = await soon("an answer", exchange(port, head, half));
    assert.match(reply, /^HTTP\/1\.1 400 /);
    assert.match(reply, /-32700/);
    const huge = await post("/mcp", `{"a":"${"x".repeat(1_100_000)}"}`, said(agent));
    assert.equal(huge.status, 413);
    assert.equal(huge.problem.refusals[0]?.cause, "body-too-large");
    const form = await post("/mcp", "a=b", said(agent, { "content-type": "application/x-www-form-urlencoded" }));
    assert.equal(form.status, 415);
    assert.equal(errorOf(rpcIn(form)), -32_600);
  }));

const exchange = (port: number, ...pieces: readonly (string | Uint8Array)[]): Promise<string> => {
  const { promise, reject, resolve } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
  });
  socket.on("error", reject);
  socket.on("close", () => resolve(text));
  for (const piece of pieces) socket.write(piece);
  return promise;
};

test("another host, another page and another method have no door here", (t) =>
  at(t, async ({ get, post, url }, agent) => {
    const foreign = await post("/mcp", LIST, said(agent, { ...headersOf(LIST), origin: "https://evil.example" }));
    assert.deepEqual([foreign.status, foreign.problem.refusals[0]?.cause], [403, "origin-foreign"]);
    assert.equal((await get("/mcp", { token: agent.token })).status, 405);
    const ended = await fetch(`${url}/mcp`, { headers: { authorization: `Bearer ${agent.token}` }, method: "DELETE" });
    assert.equal(ended.status, 405);
  }));

test("a person's token opens nothing here, whatever its roles", (t) =>
  at(t, async (door) => {
    for (const person of [await agentAt(door, "", door.token)]) {
      for (const reply of [
        await person.ask("tools/list"),
        await person.ask("server/discover"),
        await person.askLegacy("tools/list"),
      ])
        assert.deepEqual([reply.status, reply.problem.refusals[0]?.code], [403, "agents-only"]);
      const told = await person.call("list_vms");
      assert.deepEqual(codesIn(told), ["agents-only"]);
    }
  }));

const NARROW = { ...CALLER_LIMITS, known: { ...CALLER_LIMITS.known, burst: 200, perSecond: 50 } };

/** Requests that are all on their way before the first is answered, and the status of each answer. */
const pipelined = (port: number, request: string, count: number): Promise<readonly string[]> => {
  const { promise, reject, resolve } = Promise.withResolvers<readonly string[]>();
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
    const statuses = Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status = ""]) => status);
    if (statuses.length < count) return;
    socket.destroy();
    resolve(statuses);
  });
  socket.on("error", reject);
  socket.write(request.repeat(count));
  return promise;
};

test("of 10,000 calls at once each is served or refused, and others are served meanwhile", (t) =>
  at(
    t,
    async ({ port }, agent, flood) => {
      const body = JSON.stringify(LIST);
      const headers = {
        ...headersOf(LIST),
        authorization: `Bearer ${flood.token}`,
        "content-type": "application/json",
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}content-length: ${body.length}\r\n\r\n`;
      const all = Promise.all(Array.from({ length: 50 }, () => pipelined(port, head + body, 200)));
      assert.equal((await soon("an answer to somebody else", agent.call("list_vms"))).isError, undefined);
      const statuses = (await soon("all answers", all)).flat();
      assert.equal(statuses.length, 10_000);
      assert.deepEqual([...new Set(statuses)].toSorted(), ["200", "429"]);
    },
    { limits: NARROW },
  ));

test("what a provider calls a VM is data: visible, bounded, and no prose", (t) =>
  at(t, async (_, agent) => {
    const name = `web-01\u202e\u0007${"x".repeat(5_000)}`;
    const told = await agent.call("get_vm", { vm: name.slice(0, 900) });
    const text = told.content.map((one) => one.text).join();
    assert.ok(told.isError);
    assert.ok(!text.includes("\u202e") && !text.includes("\u0007"), "nothing invisible");
    assert.deepEqual(JSON.parse(text), told.structuredContent);
  }));
