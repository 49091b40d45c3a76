// The client against real HTTPS servers on loopback: what it takes, what it turns away, and in which words.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as createPlainServer, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { LIMITS, type Limits, sendOnce } from "../../../src/adapters/proxmox/api/connection.ts";
import { readerOf } from "../../../src/adapters/proxmox/api/pve-reader.ts";
import type { PveReply } from "../../../src/adapters/proxmox/api/pve-reply.ts";
import { type ApiToken, tokenOf } from "../../../src/adapters/proxmox/api/pve-token.ts";
import { Secret } from "../../../src/adapters/secret.ts";
import type { ServerTrust } from "../../../src/dial/trust.ts";
import { addressOf } from "../../../src/dial/trust.ts";
import type { Diagnostic } from "../../../src/spine/diagnostic-codes.ts";
import { authority, certificate } from "./certificate.ts";
import {
  CERTIFICATE,
  empty,
  openProvider,
  refused,
  TOKEN,
  TOKEN_NAME,
  TOKEN_SECRET,
  type Written,
  within,
} from "./provider.ts";

const signal = new AbortController().signal;
const token = tokenOf(new Secret(TOKEN)) as ApiToken;
const PINNED: ServerTrust = { sha256: CERTIFICATE.fingerprint, verify: "pinned" };

const version = (url: string, trust: ServerTrust = PINNED, limits: Limits = LIMITS): Promise<PveReply> =>
  readerOf({ limits, address: addressOf(url), token, trust }).version(signal);

const answering = async (t: TestContext, written: Written, limits?: Limits): Promise<PveReply> =>
  version((await openProvider(t, { "GET /version": written })).url, PINNED, limits);

const why = (reply: PveReply): Diagnostic => ("why" in reply ? reply.why : assert.fail(inspect(reply)));
const whyCode = (reply: PveReply): string => why(reply).code;

const listening = async (t: TestContext, server: ReturnType<typeof createTcpServer>): Promise<string> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
};

test("a pinned certificate is enough, and the token travels in PVE's own form", async (t) => {
  const provider = await openProvider(t, { "GET /version": { data: { version: "9.2.3" } } });
  const reply = await version(provider.url);
  assert.deepEqual(reply.kind === "data" && reply.data, { version: "9.2.3" });
  assert.equal(provider.asked[0]?.authorization, `PVEAPIToken=${TOKEN_NAME}=${TOKEN_SECRET}`);
});

test("several reads share a connection", async (t) => {
  const ports = new Set<number>();
  const provider = await openProvider(t, {
    "GET /version": {
      raw: (response, request) => {
        ports.add(request.socket.remotePort ?? 0);
        response.end('{"data":{}}');
      },
    },
  });
  const reader = readerOf({ limits: LIMITS, address: addressOf(provider.url), token, trust: PINNED });
  for (let read = 0; read < 3; read += 1) assert.equal((await reader.version(signal)).kind, "data");
  assert.equal(ports.size, 1);
});

test("another certificate than the pinned one gets no request and no token, and is shown", async (t) => {
  const stranger = certificate();
  const provider = await openProvider(t, { "GET /version": { data: {} } }, stranger);
  const facts = { shown: stranger.fingerprint };
  assert.deepEqual(why(await version(provider.url)), { code: "certificate-other", facts });
  assert.deepEqual(provider.asked, []);
});

test("an authority that is named verifies its own certificates", async (t) => {
  const home = authority();
  const provider = await openProvider(t, { "GET /version": { data: {} } }, certificate({ issuer: home }));
  assert.equal((await version(provider.url, { pem: home.cert, verify: "ca" })).kind, "data");
  assert.match(
    whyCode(await version(provider.url, { pem: authority().cert, verify: "ca" })),
    /^(?:certificate-authority-unknown|connection-failed)$/,
  );
  assert.equal(whyCode(await version(provider.url, { verify: "system" })), "certificate-authority-unknown");
});

test("an expired certificate of a named authority is turned away", async (t) => {
  const home = authority();
  const provider = await openProvider(t, {}, certificate({ from: "200101", issuer: home, until: "210101" }));
  assert.equal(whyCode(await version(provider.url, { pem: home.cert, verify: "ca" })), "certificate-expired");
  assert.deepEqual(provider.asked, []);
});

test("a self-signed certificate is nobody's word", async (t) => {
  const provider = await openProvider(t, {});
  assert.equal(whyCode(await version(provider.url, { verify: "system" })), "certificate-self-signed");
});

test("the variable that turns Node's verification off turns nothing off", async (t) => {
  const provider = await openProvider(t, { "GET /version": { data: {} } });
  const script = `
    const { dial, addressOf } = await import("./src/dial/trust.ts");
    const dialled = await dial(addressOf(process.argv[1]), { verify: "system" }, 2000);
    process.stdout.write(dialled.kind === "failed" ? dialled.why.code : "connected");
    process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, provider.url], {
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => said.push(chunk));
  await once(child, "close");
  assert.equal(Buffer.concat(said).toString(), "certificate-self-signed");
});

test("a port that does not speak TLS is named as such", async (t) => {
  const plain = createPlainServer((_, response) => response.end("hello"));
  assert.match(whyCode(await version(await listening(t, plain))), /^(?:connection-reset|not-tls)$/);
});

test("a port that says nothing ends with its bound", async (t) => {
  const silent = createTcpServer((socket) => t.after(() => void socket.destroy()));
  const reply = await version(await listening(t, silent), PINNED, within({ connectMs: 300 }));
  assert.deepEqual(why(reply), { code: "connect-timed-out", facts: { ms: 300 } });
});

test("a port where nobody listens is named as such", async () => {
  const server = createTcpServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, "close");
  assert.deepEqual(why(await version(url)), { code: "connection-refused" });
});

test("a wrong token is PVE's refusal, with the reason phrase for want of a body", async (t) => {
  const reply = await answering(t, empty(401, "Authentication failed!"));
  assert.deepEqual(reply, { isApi: false, isPve: true, kind: "refused", status: 401, text: "Authentication failed!" });
});

test("the empty answers of a peer that cannot be reached keep their status and reason", async (t) => {
  for (const [status, reason] of [
    [595, "Connection refused"],
    [596, "Connection timed out"],
  ] as const) {
    assert.deepEqual(await answering(t, empty(status, reason)), {
      isApi: false,
      isPve: true,
      kind: "refused",
      status,
      text: reason,
    });
  }
});

test("the message of the body is preferred to the reason phrase, and names the parameters", async (t) => {
  const reply = await answering(t, {
    errors: { memory: "type check failed\n" },
    message: "Parameter verification failed.\n",
    reason: "Parameter verification failed.",
    status: 400,
  });
  assert.deepEqual(reply, {
    isApi: true,
    isPve: true,
    kind: "refused",
    status: 400,
    text: "Parameter verification failed. memory: type check failed",
  });
});

test("an old release says why in the reason phrase alone", async (t) => {
  const reply = await answering(t, { reason: "VM is locked (backup)", status: 500 });
  assert.equal(reply.kind === "refused" && reply.text, "VM is locked (backup)");
});

test("control characters of an answer never get through", async (t) => {
  const reply = await answering(t, refused(500, "\u001b[31mred\u0007"));
  assert.equal(reply.kind === "refused" && reply.text, "\\u{1b}[31mred\\u{7}");
});

const raw = (body: string | Buffer, head: Record<string, string> = {}): Written => ({
  raw: (response) => {
    response.writeHead(200, head);
    response.end(body);
  },
});

test("a web page is not an answer", async (t) => {
  const page = raw("<!DOCTYPE html><html>", { "content-type": "text/html" });
  assert.equal(whyCode(await answering(t, page)), "answer-web-page");
});

test("JSON that is cut off, doubled, empty or of another form is not an answer", async (t) => {
  assert.equal(whyCode(await answering(t, raw('{"data":[1,2'))), "answer-not-json");
  assert.equal(whyCode(await answering(t, raw('{"data":1,"data":2}'))), "answer-not-json");
  assert.equal(whyCode(await answering(t, raw(""))), "answer-empty");
  assert.equal(whyCode(await answering(t, raw('{"ok":true}'))), "answer-not-of-api");
  assert.equal(whyCode(await answering(t, raw(Buffer.from([0x22, 0xff, 0x22])))), "answer-not-text");
});

test("an answer that breaks off is no answer", async (t) => {
  const reply = await answering(t, {
    raw: (response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"data":');
      setImmediate(() => response.destroy());
    },
  });
  assert.match(whyCode(reply), /^(?:answer-cut-off|connection-lost)$/);
});

test("an answer of 100 MB is turned away, announced or not", async (t) => {
  const tooLarge = { code: "answer-too-large", facts: { bytesMax: LIMITS.readBytesMax } };
  assert.deepEqual(
    why(
      await answering(t, {
        raw: (response) => {
          response.writeHead(200, { "content-length": String(100 * 1024 * 1024) });
          response.write("{");
        },
      }),
    ),
    tooLarge,
  );
  const flood: Written = {
    raw: (response) => {
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      let left = 100;
      const more = (): void => {
        while (left > 0 && !response.destroyed) {
          left -= 1;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
        if (left === 0) response.end();
      };
      more();
    },
  };
  assert.deepEqual(why(await answering(t, flood)), tooLarge);
});

test("a redirect is not followed", async (t) => {
  const elsewhere = await openProvider(t, { "GET /version": { data: {} } });
  const reply = await answering(t, {
    raw: (response) => {
      response.writeHead(301, { location: `${elsewhere.url}/api2/json/version` });
      response.end();
    },
  });
  assert.deepEqual(why(reply), { code: "http-redirect", facts: { httpStatus: 301 } });
  assert.deepEqual(elsewhere.asked, []);
});

test("an answer that does not come ends with its bound", async (t) => {
  const held = await openProvider(t, { "GET /version": { raw: () => undefined } });
  const reply = await version(held.url, PINNED, within({ readMs: 300 }));
  assert.deepEqual(why(reply), { code: "answer-timed-out", facts: { ms: 300 } });
});

test("a connection whose answer was not taken whole is closed", async (t) => {
  for (const [expected, raw] of [
    ["none", () => undefined],
    ["unreadable", (response) => void response.writeHead(200, { "content-length": "1000000" }).flushHeaders()],
  ] as const satisfies readonly (readonly [string, (response: ServerResponse) => void])[]) {
    const closed = Promise.withResolvers<string>();
    const provider = await openProvider(t, {
      "GET /version": {
        raw: (response, request) => {
          request.socket.once("close", () => closed.resolve("closed"));
          raw(response);
        },
      },
    });
    const limits = within({ readBytesMax: 64, readMs: 500 });
    assert.equal((await version(provider.url, PINNED, limits)).kind, expected);
    assert.equal(await Promise.race([closed.promise, pause(10_000, "left open", { ref: false })]), "closed", expected);
  }
});

test("a read that is broken off ends at once", async (t) => {
  const provider = await openProvider(t, { "GET /version": { raw: () => abort.abort() } });
  const abort = new AbortController();
  const reader = readerOf({ limits: LIMITS, address: addressOf(provider.url), token, trust: PINNED });
  assert.equal(whyCode(await reader.version(abort.signal)), "request-aborted");
});

test("a read that was broken off before it began is not sent", async (t) => {
  const provider = await openProvider(t, { "GET /version": { data: {} } });
  const reader = readerOf({ limits: LIMITS, address: addressOf(provider.url), token, trust: PINNED });
  assert.equal(whyCode(await reader.version(AbortSignal.abort())), "request-aborted");
  assert.equal((await reader.version(signal)).kind, "data");
  assert.equal(provider.asked.length, 1);
});

test("a request that is objected to when the connection stands never leaves", async (t) => {
  const provider = await openProvider(t, { "POST /x": { data: null } });
  const send = sendOnce({ limits: LIMITS, address: addressOf(provider.url), token, trust: PINNED });
  const call = { form: {}, method: "POST", path: "/x" } as const;
  const why = { code: "environment-other" } as const;
  assert.deepEqual(await send(call, async () => why, signal), { kind: "none", left: false, why });
  assert.deepEqual(provider.asked, []);
  assert.equal((await send(call, async () => undefined, signal)).kind, "data");
  assert.equal(provider.asked.length, 1);
});

test("a token that is none is turned away without being shown", () => {
  for (const text of ["", "root@pam", "root@pam!x", `PVEAPIToken=${TOKEN}`, `${TOKEN}\nx`, "a@b!c=zzzz"]) {
    assert.equal(tokenOf(new Secret(text)), undefined, text);
  }
  assert.equal(tokenOf(new Secret(`${TOKEN}\n`))?.name, TOKEN_NAME);
});
