// The tools of agents at a pipe: what the service answers comes out line by line, and nothing else goes to stdout.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { bridgedHeaders } from "../../src/boundary/mcp/stdio-bridge.ts";
import { atDoor } from "../boundary/at-door.ts";
import { agentAt, messageOf } from "../boundary/mcp/agents.ts";
import { soon } from "../service/bound.ts";

const BIN = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

type Piped = {
  readonly child: ChildProcess;
  readonly next: () => Promise<Record<string, unknown>>;
  readonly err: () => string;
};

const piped = (t: TestContext, url: string, token: string | undefined, ...more: readonly string[]): Piped => {
  const env = { ...process.env, ...(token === undefined ? {} : { DEDALUS_TOKEN: token }) };
  const child = spawn(BIN, ["mcp", "--server", url, ...more], { env, stdio: "pipe" });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let err = "";
  child.stderr.on("data", (data) => {
    err += String(data);
  });
  const next: Piped["next"] = async () => {
    const { done, value } = await soon("a line", lines.next());
    return done === true ? assert.fail(`it ended: ${err}`) : JSON.parse(value);
  };
  return { child, err: () => err, next };
};
const say = ({ child }: Piped, message: object | string | Uint8Array): void => {
  const isBytes = typeof message === "string" || message instanceof Uint8Array;
  child.stdin?.write(isBytes ? message : JSON.stringify(message));
  child.stdin?.write("\n");
};
const endOf = ({ child }: Piped): Promise<number | null> =>
  soon("its end", new Promise((resolve) => void child.once("exit", resolve)));

test("an agent at a pipe is told what one over HTTP is told", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const pipe = piped(t, door.url, agent.token);
  const list = messageOf("tools/list");
  say(pipe, list);
  const { result } = await pipe.next();
  const direct = await agent.ask("tools/list");
  assert.deepEqual(result, Object(direct.body).result);
  say(pipe, messageOf("tools/call", { arguments: { vm: 101 }, name: "get_vm" }));
  const shown = Object((await pipe.next())["result"]);
  assert.equal(shown.structuredContent.answer.vms[0].vmid, 101);
  assert.match(shown.structuredContent.correlationId, /^[0-9A-Z]{26}$/);
  pipe.child.stdin?.end();
  assert.equal(await endOf(pipe), 0);
  assert.equal(pipe.err(), "");
});

test("a client of 2025-11-25 begins, and goes on as it began", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const pipe = piped(t, door.url, agent.token);
  const capabilities = { elicitation: { url: {} } };
  const clientInfo = { name: "test", version: "0" };
  say(pipe, {
    id: 1,
    jsonrpc: "2.0",
    method: "initialize",
    params: { capabilities, clientInfo, protocolVersion: "2025-11-25" },
  });
  assert.equal(Object((await pipe.next())["result"]).protocolVersion, "2025-11-25");
  say(pipe, { jsonrpc: "2.0", method: "notifications/initialized" });
  const uri = "dedalus://nowhere/\u2028data: {}\u2029";
  say(pipe, { id: "u", jsonrpc: "2.0", method: "resources/read", params: { uri } });
  assert.equal(Object((await pipe.next())["error"]).data.uri, uri, "a line is whole for every reader");
  say(pipe, {
    id: 2,
    jsonrpc: "2.0",
    method: "tools/call",
    params: { arguments: { scope: "all" }, name: "plan_desired" },
  });
  const { id: plan } = Object((await pipe.next())["result"]).structuredContent.answer;
  const asked = { arguments: { plan, step: { number: 1 } }, name: "request_approval" };
  say(pipe, { id: 3, jsonrpc: "2.0", method: "tools/call", params: asked });
  const { error, id } = await pipe.next();
  assert.deepEqual([id, Object(error).code], [3, -32_042]);
});

test("what is no message is answered, and the pipe goes on", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const pipe = piped(t, door.url, agent.token);
  const before = (await door.served.records()).length;
  for (const [bad, code] of [
    ["{", -32_700],
    [Buffer.from([0x7b, 0xe2, 0x82, 0x7d]), -32_700],
    ["[]", -32_600],
    [`{"a":"${"x".repeat(1_100_000)}"}`, -32_600],
  ] as const) {
    say(pipe, bad);
    const { error } = await pipe.next();
    assert.equal(Object(error).code, code, String(bad).slice(0, 20));
  }
  say(pipe, messageOf("tools/call", { arguments: {}, name: "list_environments" }));
  assert.ok("result" in (await pipe.next()));
  assert.equal((await door.served.records()).length, before);
});

test("a service that cannot be asked is an error of each call, and so is a token that proves no agent", async (t) => {
  const gone = piped(t, "http://127.0.0.1:9", "dedalus_0000000000_x");
  say(gone, messageOf("tools/list"));
  const { error, id } = await gone.next();
  assert.equal(typeof id, "number");
  assert.equal(Object(error).data.refusals[0].code, "server-unreachable");
  const door = await atDoor(t);
  const person = piped(t, door.url, door.token);
  say(person, messageOf("tools/list"));
  assert.equal(Object((await person.next())["error"]).data.refusals[0].code, "agents-only");
});

test("it needs a service, and a token of the shell; what is pasted has no secret", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const unnamed = piped(t, door.url, undefined);
  assert.equal(await endOf(unnamed), 3);
  const printed = piped(t, door.url, agent.token, "--print-config", "--json");
  const { mcpServers } = await printed.next();
  const { args, command, env } = Object(mcpServers).dedalus;
  assert.deepEqual([command, ...args], ["dedalus", "mcp", "--server", door.url]);
  assert.ok(!JSON.stringify(env).includes(agent.token));
  const local = spawn(BIN, ["mcp"], { cwd: door.served.folder, env: { ...process.env, DEDALUS_TOKEN: agent.token } });
  let err = "";
  local.stderr.on("data", (data) => {
    err += String(data);
  });
  const code = await soon("its end", new Promise((resolve) => void local.once("exit", resolve)));
  assert.equal(code, 2);
  assert.match(err, /mcp needs --server URL/);
});

test("a program that puts in no variable for the token proves nobody, and is told so", async (t) => {
  const door = await atDoor(t);
  const literal = piped(t, door.url, `\${DEDALUS_TOKEN}`);
  say(literal, messageOf("tools/list"));
  assert.equal(Object((await literal.next())["error"]).data.refusals[0].code, "actor-unknown");
});

test("what the documents say to paste starts what is printed, or names the same door, and has no token", async (t) => {
  const origin = "https://dedalus.example:7400";
  const printed = piped(t, origin, undefined, "--print-config", "--json");
  const { args, command } = Object((await printed.next())["mcpServers"]).dedalus;
  const text = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```(json|toml)\n(.*?)^```$/gms)].map(([, kind = "", block = ""]) => ({
    block,
    kind,
  }));
  const told = blocks.map(({ block, kind }) => {
    const { mcpServers, servers } = kind === "json" ? JSON.parse(block) : { servers: { dedalus: fromToml(block) } };
    return Object(mcpServers ?? servers).dedalus;
  });
  for (const one of told)
    assert.deepEqual(
      one.url ?? [one.command, ...one.args],
      one.url === undefined ? [command, ...args] : `${origin}/mcp`,
    );
  assert.deepEqual(
    told.map(({ url }) => url === undefined),
    [false, true, true, true, false],
  );
  assert.doesNotMatch(text, /dedalus_[0-9a-z]{10}_/);
});

/** Of one table, whose values are written as in JSON. */
const fromToml = (block: string) => {
  const [head, ...lines] = block.trim().split("\n");
  assert.equal(head, "[mcp_servers.dedalus]");
  return Object.fromEntries(
    lines.map((line) => line.split(" = ")).map(([name, value = ""]) => [name, JSON.parse(value)]),
  );
};

test("headers beside a message are what is in it, and only what can be a header", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const message = messageOf("tools/call", { arguments: {}, name: "list_vms" });
  const params = Object(message["params"]);
  const traced = { ...message, params: { ...params, _meta: { ...params._meta, traceparent } } };
  const headers = bridgedHeaders(traced, { name: "s", version: "2025-11-25" });
  assert.equal(headers["traceparent"], traceparent);
  assert.equal(headers["mcp-name"], "list_vms");
  assert.equal(headers["mcp-session-id"], undefined);
  const odd = bridgedHeaders({ ...traced, params: { ...traced.params, name: "a\r\nb: c" } }, {});
  assert.equal(odd["mcp-name"], undefined);
});
