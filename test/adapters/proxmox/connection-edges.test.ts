// A connection at its edges: its bounds, who is named in it, what is left of it, and what never comes back in an
// answer.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { proxmoxAdapter } from "../../../src/adapters/proxmox/adapter.ts";
import { LIMITS, sendOnce } from "../../../src/adapters/proxmox/api/connection.ts";
import type { NodeName } from "../../../src/adapters/proxmox/api/names.ts";
import { type PveReader, readerOf } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import { readReply } from "../../../src/adapters/proxmox/api/pve-reply.ts";
import { fetchFingerprint } from "../../../src/adapters/proxmox/api/shown-certificate.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import type { ServerTrust } from "../../../src/dial/trust.ts";
import { addressOf, dial } from "../../../src/dial/trust.ts";
import { NOW, TEST_TOKEN } from "./answers.ts";
import { authority, certificate } from "./certificate.ts";
import { CERTIFICATE, openProvider, TOKEN, TOKEN_SECRET, type Written } from "./provider.ts";

const signal = new AbortController().signal;
const PINNED: ServerTrust = { sha256: CERTIFICATE.fingerprint, verify: "pinned" };
const endpointAt = (url: string) => ({ address: addressOf(url), limits: LIMITS, token: TEST_TOKEN, trust: PINNED });
const readerAt = (url: string): PveReader => readerOf(endpointAt(url));
const CALL = { form: {}, method: "POST", path: "/x" } as const;
const GOOD: Written = { data: {} };
type Raw = Extract<Written, { readonly raw: unknown }>["raw"];

test("the bounds of a connection are these", () => {
  const MIB = 1024 * 1024;
  assert.deepEqual(LIMITS, {
    connectMs: 5_000,
    listBytesMax: 64 * MIB,
    readBytesMax: 4 * MIB,
    readMs: 10_000,
    sendMs: 40_000,
  });
});

test("a node is asked for at most 500 tasks at work", async (t) => {
  const provider = await openProvider(t, { "GET /nodes/pve1/tasks": { data: [] } });
  await readerAt(provider.url).activeTasks("pve1" as NodeName, signal);
  assert.deepEqual(
    provider.asked.map(({ what }) => what),
    ["/nodes/pve1/tasks?source=active&limit=500"],
  );
});

test("no more than 32 requests are under way together, and the next one comes after them", async (t) => {
  const held: (() => void)[] = [];
  const full = Promise.withResolvers<void>();
  const provider = await openProvider(t, {
    "GET /version": {
      raw: (response) => {
        held.push(() => response.end('{"data":{}}'));
        if (held.length === 32) full.resolve();
        if (held.length > 32) response.end('{"data":{}}');
      },
    },
  });
  const reader = readerAt(provider.url);
  const all = Promise.all(Array.from({ length: 33 }, () => reader.version(signal)));
  await full.promise;
  await pause(50);
  assert.equal(provider.asked.length, 32);
  for (const release of held) release();
  assert.ok((await all).every(({ kind }) => kind === "data"));
  assert.equal(provider.asked.length, 33);
});

test("a redirect is 300 to 399; any other status below 400 but 200 is not used", () => {
  const code = (status: number): string => {
    const reply = readReply({ body: Buffer.from('{"data":1}'), date: undefined, reason: "", status });
    return reply.kind === "unreadable" ? reply.why.code : reply.kind;
  };
  assert.deepEqual([200, 201, 299, 300, 399, 400].map(code), [
    "data",
    "http-status-unused",
    "http-status-unused",
    "http-redirect",
    "http-redirect",
    "refused",
  ]);
});

test("a secret that comes back, in the body alone or in the reason alone, is taken out", async (t) => {
  const text = async (reason: string, body: string): Promise<unknown> => {
    const raw: Raw = (response) => void response.writeHead(500, reason).end(body);
    const reply = await readerAt((await openProvider(t, { "GET /version": { raw } })).url).version(signal);
    return reply.kind === "refused" && reply.text;
  };
  assert.equal(await text("no", `{"data":null,"message":"not ${TOKEN_SECRET}"}`), "not [secret]");
  assert.equal(await text(`not ${TOKEN_SECRET}`, ""), "not [secret]");
  assert.equal(await text("not 1", ""), "not 1");
});

test("a connection that is lost is told by the platform's code", async (t) => {
  const provider = await openProvider(t, { "GET /version": { raw: (response) => void response.destroy() } });
  const reply = await readerAt(provider.url).version(signal);
  assert.deepEqual(reply, { kind: "none", left: true, why: { code: "connection-lost", said: "ECONNRESET" } });
});

const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === "Timeout").length;

test("when a request is over, no timer waits for it and nobody listens for its end", async (t) => {
  const provider = await openProvider(t, { "GET /version": GOOD, "POST /x": GOOD });
  const abort = new AbortController();
  const before = timers();
  assert.equal((await readerAt(provider.url).version(abort.signal)).kind, "data");
  assert.equal((await sendOnce(endpointAt(provider.url))(CALL, async () => undefined, abort.signal)).kind, "data");
  assert.ok(timers() <= before);
  assert.equal(getEventListeners(abort.signal, "abort").length, 0);
});

test("a call carries the token, as a read does", async (t) => {
  const provider = await openProvider(t, { "GET /version": GOOD, "POST /x": GOOD });
  await readerAt(provider.url).version(signal);
  await sendOnce(endpointAt(provider.url))(CALL, async () => undefined, signal);
  const header = `PVEAPIToken=${TOKEN}`;
  assert.deepEqual(
    provider.asked.map(({ authorization, headers }) => [authorization, headers.accept]),
    [
      [header, "application/json"],
      [header, "application/json"],
    ],
  );
});

test("a read that was broken off before it began has not left", async (t) => {
  const provider = await openProvider(t, { "GET /version": GOOD });
  const reply = await readerAt(provider.url).version(AbortSignal.abort());
  assert.deepEqual(reply, { kind: "none", left: false, why: { code: "request-aborted" } });
});

test("nobody is connected to for a signal that has aborted", async (t) => {
  const provider = await openProvider(t, {});
  const dialled = await dial(addressOf(provider.url), PINNED, LIMITS.connectMs, AbortSignal.abort());
  assert.deepEqual(dialled, { isReached: false, kind: "failed", why: { code: "request-aborted" } });
});

test("a call whose signal aborts when the connection has just been made does not leave", async (t) => {
  const provider = await openProvider(t, { "POST /x": GOOD });
  let asked = 0;
  const abort = new AbortController();
  // It aborts in the one moment in which no event of it is heard any more.
  const aborting = new Proxy(abort.signal, {
    get: (target, name) => {
      if (name === "aborted") {
        asked += 1;
        return asked > 1;
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const sent = await sendOnce(endpointAt(provider.url))(CALL, () => assert.fail("nobody is asked"), aborting);
  assert.deepEqual(sent, { kind: "none", left: false, why: { code: "request-aborted" } });
  assert.deepEqual(provider.asked, []);
});

test("a host is named in the handshake by its name, and never by its number", async (t) => {
  const names: unknown[] = [];
  const raw: Raw = (response, request) => {
    names.push((request.socket as TLSSocket).servername);
    response.end('{"data":{}}');
  };
  const { url } = await openProvider(t, { "GET /version": { raw } });
  assert.equal((await readerAt(url).version(signal)).kind, "data");
  assert.equal((await readerAt(url.replace("localhost", "127.0.0.1")).version(signal)).kind, "data");
  assert.deepEqual(names, ["localhost", false]);
});

test("an authority that the system knows vouches for its certificates", async (t) => {
  const home = authority();
  const { url } = await openProvider(t, {}, certificate({ issuer: home }));
  const folder = mkdtempSync(join(tmpdir(), "dedalus-authority-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "ca.pem"), home.cert);
  const script = `
    const { dial, addressOf } = await import("./src/dial/trust.ts");
    const dialled = await dial(addressOf(process.argv[1]), { verify: "system" }, 60000);
    process.stdout.write(dialled.kind === "failed" ? dialled.why.code : "connected");
    process.exit(0);`;
  const said = async (env: Record<string, string>): Promise<string> => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, url], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(child, "close");
    return Buffer.concat(chunks).toString();
  };
  assert.equal(await said({ NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }), "connected");
  assert.equal(await said({}), "certificate-authority-unknown");
});

const portOf = async (t: TestContext, server: Server): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
};

test("the fingerprint of whoever answers is shown, or why nobody does", async (t) => {
  const provider = await openProvider(t, {});
  assert.equal(await fetchFingerprint(provider.url), provider.certificate.fingerprint);
  const closed = createTcpServer();
  const url = await portOf(t, closed);
  closed.close();
  await once(closed, "close");
  assert.deepEqual(await fetchFingerprint(url), { code: "connection-refused" });
  assert.deepEqual(provider.asked, []);
});

/** Resolves when the first connection to a server is closed by the other side. */
const closing = async (t: TestContext, work: (url: string) => Promise<unknown>): Promise<string> => {
  const closed = Promise.withResolvers<string>();
  const server = createServer({ cert: CERTIFICATE.cert, key: CERTIFICATE.key });
  server.once("connection", (socket) => socket.once("close", () => closed.resolve("closed")));
  t.after(() => server.closeAllConnections());
  await work(await portOf(t, server));
  return Promise.race([closed.promise, pause(10_000, "left open", { ref: false })]);
};

test("a connection that was only tried, or objected to, is closed", async (t) => {
  const why = { code: "environment-other" } as const;
  assert.equal(await closing(t, (url) => sendOnce(endpointAt(url))(CALL, async () => why, signal)), "closed");
  const examining = (url: string): Promise<unknown> =>
    proxmoxAdapter({
      environment: "home",
      now: () => NOW,
      observe: new Secret("no token"),
      sleep: async () => undefined,
      tls: PINNED,
      url,
    }).examine([], signal);
  assert.equal(await closing(t, examining), "closed");
});

test("a port that says nothing is hung up on", async (t) => {
  const closed = Promise.withResolvers<string>();
  const silent = createTcpServer((socket) => {
    t.after(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.once("close", () => closed.resolve("closed"));
    socket.resume();
  });
  const dialled = await dial(addressOf(await portOf(t, silent)), PINNED, 300);
  assert.equal(dialled.kind, "failed");
  assert.equal(await Promise.race([closed.promise, pause(10_000, "left open", { ref: false })]), "closed");
});
