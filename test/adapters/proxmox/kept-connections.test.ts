// The connections that reads share: used again while they are fresh, one for each request at a time, and never a dead
// one.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { LIMITS } from "../../../src/adapters/proxmox/api/connection.ts";
import { type PveReader, readerOf } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { addressOf } from "../../../src/dial/trust.ts";
import { TEST_TOKEN } from "./answers.ts";
import { CERTIFICATE, openProvider, type Written } from "./provider.ts";

const signal = new AbortController().signal;
const readerAt = (url: string): PveReader =>
  readerOf({
    address: addressOf(url),
    limits: LIMITS,
    token: TEST_TOKEN,
    trust: { sha256: CERTIFICATE.fingerprint, verify: "pinned" },
  });

type Connections = { readonly answer: Written; readonly used: Socket[] };

/** The connection of each request, in order. */
const connections = (respond: (response: ServerResponse) => void): Connections => {
  const used: Socket[] = [];
  const answer: Written = {
    raw: (response, request) => {
      used.push(request.socket);
      respond(response);
    },
  };
  return { answer, used };
};
const good = (response: ServerResponse): void => void response.end('{"data":{}}');

test("one request after another goes over one connection, and two at a time over two", async (t) => {
  const { answer, used } = connections(good);
  const provider = await openProvider(t, { "GET /version": answer });
  const reader = readerAt(provider.url);
  await reader.version(signal);
  await reader.version(signal);
  assert.equal(new Set(used).size, 1);
  await Promise.all([reader.version(signal), reader.version(signal)]);
  await Promise.all([reader.version(signal), reader.version(signal)]);
  assert.equal(new Set(used).size, 2);
});

test("a connection that the provider ends with its answer is not used again", async (t) => {
  const { answer, used } = connections((response) => {
    response.setHeader("connection", "close");
    good(response);
  });
  const provider = await openProvider(t, { "GET /version": answer });
  const reader = readerAt(provider.url);
  for (let at = 0; at < 3; at += 1) assert.equal((await reader.version(signal)).kind, "data");
  assert.equal(new Set(used).size, 3);
});

test("a free connection that the provider closes is not used again", async (t) => {
  const { answer, used } = connections(good);
  const provider = await openProvider(t, { "GET /version": answer });
  const reader = readerAt(provider.url);
  await reader.version(signal);
  const [first] = used;
  assert.ok(first);
  first.end();
  // Ours answers an end with an end, and closes.
  await once(first, "close");
  assert.equal((await reader.version(signal)).kind, "data");
  assert.equal(new Set(used).size, 2);
});

test("an answer that is broken off takes its connection with it, and no other", async (t) => {
  let isBroken = false;
  const { answer, used } = connections((response) => {
    if (isBroken) response.socket?.destroy();
    else good(response);
  });
  const provider = await openProvider(t, { "GET /version": answer });
  const reader = readerAt(provider.url);
  await reader.version(signal);
  isBroken = true;
  assert.equal((await reader.version(signal)).kind, "none");
  isBroken = false;
  assert.equal((await reader.version(signal)).kind, "data");
  assert.deepEqual([used[0] === used[1], used[1] === used[2]], [true, false]);
});

test("a free connection is closed from here before the provider would, and one in use is not", async (t) => {
  const held: ServerResponse[] = [];
  const { answer, used } = connections(good);
  const waiting = connections((response) => void held.push(response));
  const provider = await openProvider(t, { "GET /cluster/status": waiting.answer, "GET /version": answer });
  const reader = readerAt(provider.url);
  const slow = reader.clusterStatus(signal);
  await reader.version(signal);
  const [idle] = used;
  assert.ok(idle);
  // PVE would close it after 5 s; the request below is silent for as long, and is answered.
  await once(idle, "close");
  for (const response of held) good(response);
  assert.equal((await slow).kind, "data");
  assert.equal((await reader.version(signal)).kind, "data");
  assert.equal(used.at(-1), waiting.used[0]);
});

test("a connection that cannot be made says why to the request that asked for it, and the next one tries again", async (t) => {
  const { answer } = connections(good);
  const provider = await openProvider(t, { "GET /version": answer });
  const reader = readerAt("https://localhost:1");
  for (let at = 0; at < 2; at += 1) {
    assert.deepEqual(await reader.version(signal), { kind: "none", left: true, why: { code: "connection-refused" } });
  }
  assert.equal((await readerAt(provider.url).version(signal)).kind, "data");
});

const STRAY = "HTTP/1.1 200 OK\r\ncontent-length: 26\r\n\r\n";
const answerOf = (version: string): string => JSON.stringify({ data: { version } });
const strayOf = (version: string): string => STRAY.replace("26", String(answerOf(version).length)) + answerOf(version);

/** What three reads one after another are told, where the first one's answer is followed by this on its connection. */
const toldAfter = async (t: TestContext, stray: (socket: Socket) => void, waitMs: number) => {
  let asked = 0;
  const { answer, used } = connections((response) => {
    asked += 1;
    const { socket } = response;
    response.end(answerOf(`answer ${asked}`));
    if (asked === 1 && socket !== null) response.once("finish", () => stray(socket));
  });
  const provider = await openProvider(t, { "GET /version": answer });
  const reader = readerAt(provider.url);
  const told: unknown[] = [];
  for (let at = 0; at < 3; at += 1) {
    const reply = await reader.version(signal);
    told.push(reply.kind === "data" ? reply.data : reply.kind);
    await new Promise((resume) => setTimeout(resume, waitMs));
  }
  return { connections: new Set(used).size, told };
};
for (const [what, stray, waitMs] of [
  ["a second answer", (socket: Socket) => void socket.write(strayOf("stray")), 100],
  [
    "a second answer that comes later",
    (socket: Socket) => void setTimeout(() => socket.write(strayOf("stray")), 30),
    100,
  ],
  ["the beginning of an answer", (socket: Socket) => void setTimeout(() => socket.write(STRAY), 30), 100],
  ["a byte", (socket: Socket) => void setTimeout(() => socket.write("\n"), 30), 100],
] as const)
  test(`${what} on a free connection is nobody's answer: the connection is not used again`, async (t) => {
    const { told, connections: count } = await toldAfter(t, stray, waitMs);
    assert.deepEqual(
      told,
      [1, 2, 3].map((at) => ({ version: `answer ${at}` })),
    );
    assert.equal(count, 2);
  });
