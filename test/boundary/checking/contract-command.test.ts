// dedalus contract-test as it is typed: what it prints and exits with, at a server that keeps the contract and through
// a proxy that breaks it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { misfitOf } from "../../cli/answer-schema.ts";
import { wantRunning } from "../../spine/world.ts";
import { atDoor } from "../at-door.ts";

const DEDALUS = fileURLToPath(new URL("../../../bin/dedalus", import.meta.url));

const runTest = (url: string, token: string, ...argv: readonly string[]) => runIn("home", url, token, ...argv);

const runIn = async (environment: string, url: string, token: string, ...argv: readonly string[]) => {
  const child = spawn(DEDALUS, ["contract-test", "--server", url, "--env", environment, ...argv], {
    env: { ...process.env, DEDALUS_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => {
    out += text;
  });
  child.stderr.on("data", (text) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code, err, out };
};

test("contract-test prints a line for each clause, and refuses a person's token", async (t) => {
  const at = await atDoor(t);
  const token = await at.tokenFor("ci", ["agent"]);
  const text = await runTest(at.url, token);
  assert.equal(text.code, 0, text.out + text.err);
  assert.match(text.out, /^C1 {3}held {7}A request without a token is refused, and shows nothing \(http, mcp\)$/m);
  assert.match(text.out, /^C14 {2}not tried {2}.*: needs --apply$/m);
  assert.match(text.out, /, 0 broken, /);
  const json = await runTest(at.url, token, "--door", "mcp", "--json");
  assert.equal(json.code, 0, json.err);
  assert.equal(misfitOf("contractChecked", JSON.parse(json.out)), undefined);
  const refused = await runTest(at.url, at.token);
  assert.equal(refused.code, 3, refused.err);
  assert.match(refused.err, /agents-only/);
  assert.equal((await runTest(at.url, token, "--apply")).code, 2);
});

test("contract-test refuses an environment or a VM that is mistyped, and calls no clause broken", async (t) => {
  const at = await atDoor(t);
  const token = await at.tokenFor("ci", ["agent"]);
  const elsewhere = await runIn("hmoe", at.url, token);
  assert.equal(elsewhere.code, 2, elsewhere.out + elsewhere.err);
  assert.match(elsewhere.err, /Did you mean home\?/);
  assert.equal(elsewhere.out, "");
  const { name } = wantRunning();
  const stranger = await runTest(at.url, token, "--vm", `${name}x`);
  assert.equal(stranger.code, 2, stranger.out + stranger.err);
  assert.equal((await runTest(at.url, token, "--vm", name)).code, 0);
});

test("contract-test exits with 7 where a proxy changes a hash", async (t) => {
  const at = await atDoor(t);
  const proxy = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization, "content-type": type, "idempotency-key": key } = request.headers;
    const reply = await fetch(`${at.url}${request.url}`, {
      ...(request.method === "POST" ? { body: Buffer.concat(chunks) } : {}),
      headers: Object.entries({ authorization, "content-type": type, "idempotency-key": key }).flatMap(
        ([name, value]): [string, string][] => (typeof value === "string" ? [[name, value]] : []),
      ),
      method: request.method ?? "GET",
    });
    const text = (await reply.text()).replace(
      /"hash":"[0-9a-f]{64}","observation"/,
      `"hash":"${"0".repeat(64)}","observation"`,
    );
    const kept = ["content-type", "etag", "dedalus-record", "idempotency-replayed", "dedalus-correlation-id"];
    for (const name of kept) if (reply.headers.has(name)) response.setHeader(name, reply.headers.get(name) ?? "");
    response.writeHead(reply.status).end(text);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(async () => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const { code, err, out } = await runTest(
    `http://127.0.0.1:${port}`,
    await at.tokenFor("ci", ["agent"]),
    "--door",
    "http",
  );
  assert.equal(code, 7, out + err);
  assert.match(out, /^C5 {3}broken {5}.*: hash is /m);
});
