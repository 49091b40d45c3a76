// The client of a service, against real servers on this machine: whom it believes, what it sends to whom, and what it
// makes of answers that no service of ours gives.

import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { type TestContext, test } from "node:test";
import { type ClientGiven, httpClient } from "../../src/boundary/client/http-client.ts";
import { serverAddressIn } from "../../src/formats/client/server-address.ts";
import type { NoReply, WholeReply } from "../../src/service/remote/send.ts";
import { inWords } from "../../src/spine/words/refusals/refusal-words.ts";
import { authority, certificate } from "../adapters/proxmox/certificate.ts";

const TOKEN = "dedalus_0123456789_a-secret-of-somebody";
const GET = { headers: {}, method: "GET", path: "/v1/status" } as const;

type Listening = { readonly port: number; readonly seen: string[] };

const listen = async (t: TestContext, server: Server, seen: string[]): Promise<Listening> => {
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume));
  return { port: (server.address() as AddressInfo).port, seen };
};

/** Answers as it is told, and remembers what it was shown. */
const noting =
  (seen: string[], answer: RequestListener): RequestListener =>
  (request, reply) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? "nobody"}`);
    answer(request, reply);
  };
const fine: RequestListener = (_, reply) => reply.setHeader("etag", '"1-x"').end('{"fine":true}');

const plain = (t: TestContext, answer: RequestListener = fine): Promise<Listening> => {
  const seen: string[] = [];
  return listen(t, createServer(noting(seen, answer)), seen);
};
const secure = (t: TestContext, shown: { readonly cert: string; readonly key: string }): Promise<Listening> => {
  const seen: string[] = [];
  return listen(t, createTlsServer(shown, noting(seen, fine)), seen);
};

const asking = (url: string, more: Partial<ClientGiven> = {}) => {
  const address = serverAddressIn(url);
  assert.ok(typeof address === "object", url);
  return httpClient({ address, token: TOKEN, trust: { verify: "system" }, version: "0.0.0", ...more });
};
const whyOf = (reply: NoReply | WholeReply): readonly unknown[] =>
  reply.kind === "none"
    ? [reply.refusal.code, reply.refusal.facts["diagnostic"] ?? reply.refusal.cause, reply.isSent]
    : assert.fail(`it answered ${reply.status}`);

test("a service on this machine is asked over plain http, with the token of whoever asks", async (t) => {
  const { port, seen } = await plain(t);
  const reply = await asking(`http://127.0.0.1:${port}`).send(GET);
  assert.ok(reply.kind === "whole");
  assert.deepEqual(
    [reply.status, reply.header("etag"), Buffer.from(reply.bytes).toString()],
    [200, '"1-x"', '{"fine":true}'],
  );
  assert.deepEqual(seen, [`GET /v1/status Bearer ${TOKEN}`]);
});

test("a certificate is believed by its pin or by an authority that is named, and by nothing else", async (t) => {
  const [home, stranger] = [authority(), authority()];
  const shown = certificate({ issuer: home });
  const { port, seen } = await secure(t, shown);
  const url = `https://127.0.0.1:${port}`;
  const pinned = { sha256: shown.fingerprint, verify: "pinned" } as const;
  assert.equal((await asking(url, { trust: pinned }).send(GET)).kind, "whole");
  assert.equal((await asking(url, { trust: { pem: home.cert, verify: "ca" } }).send(GET)).kind, "whole");
  assert.equal(seen.length, 2);
  const other = { sha256: certificate().fingerprint, verify: "pinned" } as const;
  assert.deepEqual(whyOf(await asking(url, { trust: other }).send(GET)), [
    "server-untrusted",
    "certificate-other",
    false,
  ]);
  for (const trust of [{ verify: "system" }, { pem: stranger.cert, verify: "ca" }] as const)
    assert.deepEqual(whyOf(await asking(url, { trust }).send(GET)).at(-1), false);
  assert.equal(seen.length, 2, "whoever is not believed is sent nothing");
});

test("a service that is not reached says what its address may lack: https, where it was asked plainly", async (t) => {
  const { port, seen } = await secure(t, certificate());
  const said = async (url: string) => {
    const reply = await asking(url).send(GET);
    assert.ok(reply.kind === "none");
    const { cause, code } = reply.refusal;
    return [code, cause, /https:\/\//.test(inWords(reply.refusal).next)];
  };
  assert.deepEqual(await said(`http://127.0.0.1:${port}`), ["server-unreachable", "plain", true]);
  assert.deepEqual(seen, []);
  const gone = createNetServer((socket) => socket.destroy());
  await new Promise<void>((resume) => gone.listen(0, "127.0.0.1", resume));
  const { port: closed } = gone.address() as AddressInfo;
  await new Promise((resume) => gone.close(resume));
  assert.deepEqual(await said(`https://127.0.0.1:${closed}`), ["server-unreachable", "tls", false]);
});

test("a redirect is handed on, and nobody is asked at the other address", async (t) => {
  const elsewhere = await plain(t);
  const { port } = await plain(t, (_, reply) =>
    reply.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end(),
  );
  const reply = await asking(`http://127.0.0.1:${port}`).send(GET);
  assert.ok(reply.kind === "whole" && reply.status === 307);
  assert.deepEqual(elsewhere.seen, []);
});

test("a proxy of the environment is not asked", async (t) => {
  const proxy = await plain(t);
  const { port } = await plain(t);
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"];
  for (const name of names) process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : `http://127.0.0.1:${proxy.port}`;
  t.after(() => {
    for (const name of names) delete process.env[name];
  });
  assert.equal((await asking(`http://127.0.0.1:${port}`).send(GET)).kind, "whole");
  assert.deepEqual(proxy.seen, []);
});

test("what is too large, cut off, late or not there at all is told apart from an answer", async (t) => {
  const large = await plain(t, (_, reply) => reply.end("x".repeat(2_000)));
  const limits = { answerMs: 200, bytesMax: 1_000, connectMs: 1_000, idleMs: 200 };
  const at = (port: number) => asking(`http://127.0.0.1:${port}`, { limits });
  assert.deepEqual(whyOf(await at(large.port).send(GET)), ["server-answer", "too-large", true]);
  const cut = await plain(t, (request, reply) => {
    reply.writeHead(200, { "content-length": "100" }).write("{");
    setTimeout(() => request.socket.destroy(), 20);
  });
  assert.deepEqual(whyOf(await at(cut.port).send(GET)), ["server-answer", "cut-off", true]);
  const mute = await plain(t, () => undefined);
  assert.deepEqual(whyOf(await at(mute.port).send(GET)), ["server-unreachable", "answer-timed-out", true]);
  const idle = await plain(t, (_, reply) => void reply.writeHead(200, { "content-length": "100" }).write("{"));
  assert.deepEqual(whyOf(await at(idle.port).send(GET)), ["server-answer", "cut-off", true]);
  const gone = createNetServer();
  await new Promise<void>((resume) => gone.listen(0, "127.0.0.1", resume));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resume) => gone.close(resume));
  assert.deepEqual(whyOf(await at(port).send(GET)), ["server-unreachable", "connection-refused", false]);
});

test("a stream is read as it comes, ends with whoever reads it, and says when it was cut", async (t) => {
  const whole = await plain(t, (_, reply) => {
    reply.write("one\n");
    setTimeout(() => reply.end("two\n"), 10);
  });
  const read = async (port: number): Promise<string> => {
    const reply = await asking(`http://127.0.0.1:${port}`).stream(GET);
    assert.ok(reply.kind === "stream");
    let text = "";
    for await (const chunk of reply.bytes) text += Buffer.from(chunk).toString();
    return text;
  };
  assert.equal(await read(whole.port), "one\ntwo\n");
  const cut = await plain(t, (request, reply) => {
    reply.write("one\n");
    setTimeout(() => request.socket.destroy(), 10);
  });
  await assert.rejects(read(cut.port), /server-answer/);
  const endless = await plain(t, (_, reply) => void reply.write(": alive\n\n"));
  const stop = new AbortController();
  const reply = await asking(`http://127.0.0.1:${endless.port}`).stream(GET, stop.signal);
  assert.ok(reply.kind === "stream");
  for await (const _ of reply.bytes) stop.abort();
});
