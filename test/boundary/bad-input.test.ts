// Whatever comes in, each has its own problem, nothing is recorded, and the service lives on.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { soon } from "../service/bound.ts";
import { type AtDoor, atDoor, newKey, refusedWith } from "./at-door.ts";

/** What comes back on a bare connection, until it is closed. */
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
  return soon("the end of the connection", promise);
};
const statusIn = (reply: string): number => Number(reply.split(" ")[1]);
const problemIn = (
  reply: string,
): { readonly refusals: readonly { readonly cause?: string; readonly code: string }[] } =>
  JSON.parse(reply.slice(reply.indexOf("\r\n\r\n") + 4));

const staysAlive = async ({ get, served }: AtDoor, before: number): Promise<void> => {
  assert.equal((await get("/v1/whoami")).status, 200);
  assert.equal((await served.records()).length, before, "nothing was recorded");
};

const at = async (t: TestContext, work: (door: AtDoor) => Promise<void>): Promise<void> => {
  const door = await atDoor(t);
  const before = (await door.served.records()).length;
  await work(door);
  await staysAlive(door, before);
};

test("a body that is not what the route takes is refused with its place", (t) =>
  at(t, async ({ post }) => {
    const cases: readonly (readonly [string | Uint8Array, string, string])[] = [
      ['{"reason":"x","extra":1}', "key-unknown", "listed"],
      ["{}", "key-missing", "absent"],
      ['{"reason":7}', "type-wrong", "line"],
      ['{"reason":""}', "value-wrong", "line"],
      ['{"reason":"a","reason":"b"}', "key-duplicate", "in-object"],
      ['{"reason":"a"', "text-malformed", "text-ends"],
      ['{"reason":"\\ud800"}', "text-malformed", "half-surrogate"],
      [`${'{"a":'.repeat(100)}1${"}".repeat(100)}`, "text-malformed", "too-deep"],
      ["[]", "type-wrong", "object"],
      ["null", "type-wrong", "object"],
      [`{"reason":"${"x".repeat(1001)}"}`, "value-wrong", "line"],
    ];
    for (const [body, code, cause] of cases) {
      const reply = await post("/v1/freezes", String(body));
      assert.deepEqual(refusedWith(reply), [400, code, cause], String(body).slice(0, 60));
      assert.equal(reply.problem.outcome, "not_executed");
      assert.equal(reply.problem.refusals[0]?.position?.file, "body");
    }
    const { problem } = await post("/v1/freezes", { reson: "x" });
    const told = problem.refusals.map(({ cause, code }) => `${code} ${cause}`);
    assert.deepEqual(told, ["key-missing absent", "key-unknown meant"]);
  }));

test("bad UTF-8 is no text", (t) =>
  at(t, async ({ port, token }) => {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const head = `POST /v1/freezes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: ${newKey()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
    const reply = await exchange(port, head, body);
    assert.equal(statusIn(reply), 400);
    assert.deepEqual(problemIn(reply).refusals[0]?.cause, "not-utf8");
  }));

test("a body beyond the limit is refused, and one of another type", (t) =>
  at(t, async ({ post }) => {
    const huge = await post("/v1/freezes", `{"reason":"${"x".repeat(1_100_000)}"}`);
    assert.deepEqual(refusedWith(huge), [413, "request-unfit", "body-too-large"]);
    const form = await post("/v1/freezes", "reason=x", {
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    assert.deepEqual(refusedWith(form), [415, "request-unfit", "media-type"]);
  }));

test("parameters are known, fit, and are given once", (t) =>
  at(t, async ({ get }) => {
    for (const [path, status, cause] of [
      ["/v1/records?fro=1", 400, "parameter-unknown"],
      ["/v1/records?from=-1", 400, "parameter-wrong"],
      ["/v1/records?from=1&from=2", 400, "parameter-wrong"],
      ["/v1/records?limit=501", 400, "parameter-wrong"],
      ["/v1/records?limit=0", 400, "parameter-wrong"],
      ["/v1/records?kind=%ff", 400, "parameter-wrong"],
      ["/v1/records/x", 400, "parameter-wrong"],
      ["/v1/state", 400, "parameter-missing"],
      ["/v1/plans/latest/steps/zero/explanation", 400, "parameter-wrong"],
      ["/v1/environments/NO/drift", 400, "parameter-wrong"],
      ["/v1/keys/short", 400, "parameter-wrong"],
      ["/v1/whoami?at-least=x", 400, "parameter-wrong"],
      ["/v1/nothing", 404, "route-unknown"],
      ["/v1/plans/", 400, "parameter-wrong"],
      ["/V1/plans", 404, "route-unknown"],
      ["/v1/plans/x/cancellations", 405, "method-unknown"],
    ] as const) {
      assert.deepEqual(refusedWith(await get(path)), [status, "request-unfit", cause], path);
    }
  }));

test("a POST without a key, or with one that is none, does nothing", (t) =>
  at(t, async ({ post }) => {
    assert.deepEqual(refusedWith(await post("/v1/freezes", { reason: "x" }, { key: null })), [
      400,
      "request-unfit",
      "header-missing",
    ]);
    for (const key of ["1", "01ARZ3NDEKTSV4RRFFQ69G5FAVX", "b0a4e0a0-0000-4000-8000-000000000000"])
      assert.deepEqual(refusedWith(await post("/v1/freezes", { reason: "x" }, { key })), [
        400,
        "request-unfit",
        "header-wrong",
      ]);
  }));

test("a caller without a token, with another one, or with one that ended is nobody, and leaves no record", async (t) => {
  const door = await atDoor(t);
  const { events, get, post, served, token } = door;
  const before = (await served.records()).length;
  const none = await get("/v1/plans", { token: null });
  assert.deepEqual(refusedWith(none), [401, "actor-unknown", "token-absent"]);
  assert.match(none.headers.get("www-authenticate") ?? "", /^Bearer/);
  assert.deepEqual(refusedWith(await post("/v1/freezes", { reason: "x" }, { token: "dedalus_0000000000_x" })), [
    401,
    "actor-unknown",
    "token",
  ]);
  assert.deepEqual(refusedWith(await get("/v1/plans", { headers: { authorization: "Basic eDp5" }, token: null })), [
    400,
    "request-unfit",
    "header-wrong",
  ]);
  served.clock.aheadMs = 2 * 24 * 3_600_000;
  assert.deepEqual(refusedWith(await post("/v1/freezes", { reason: "x" }, { token })).slice(0, 2), [
    401,
    "token-expired",
  ]);
  served.clock.aheadMs = 0;
  assert.ok(events.filter(({ kind }) => kind === "sign-in-failed").length >= 3);
  assert.equal((await served.records()).length, before);
});

test("a request for another host, or from another page, is turned away", (t) =>
  at(t, async ({ events, port, token }) => {
    const ask = (headers: string): Promise<string> =>
      exchange(
        port,
        `GET /v1/whoami HTTP/1.1\r\n${headers}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      );
    const own = `Host: 127.0.0.1:${port}\r\n`;
    for (const [headers, status, cause] of [
      ["Host: evil.example\r\n", 421, "host-foreign"],
      ["Host: 127.0.0.1\r\n", 421, "host-foreign"],
      [`${own}Origin: https://evil.example\r\n`, 403, "origin-foreign"],
      [`${own}Origin: null\r\n`, 403, "origin-foreign"],
      [`${own}${own}`, 400, "header-wrong"],
      [`${own}Authorization: Bearer other\r\n`, 400, "header-wrong"],
    ] as const) {
      const reply = await ask(headers);
      assert.equal(statusIn(reply), status, headers);
      assert.equal(problemIn(reply).refusals[0]?.cause, cause, headers);
      assert.doesNotMatch(reply, /access-control-/i);
    }
    assert.equal(statusIn(await ask(`${own}Origin: http://127.0.0.1:${port}\r\n`)), 200);
    assert.equal(statusIn(await ask(`Host: localhost:${port}\r\n`)), 200);
    assert.ok(events.some(({ kind }) => kind === "turned-away"));
  }));

test("shapes of smuggled requests end the connection", (t) =>
  at(t, async ({ port, token }) => {
    const head = `POST /v1/freezes HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nIdempotency-Key: ${newKey()}\r\nContent-Type: application/json\r\n`;
    const smuggled = `GET /v1/whoami HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    for (const shape of [
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Content-Length: 4\r\nContent-Length: 40\r\n\r\n{}  ${smuggled}`,
      `${head}Content-Length: +2\r\n\r\n{}${smuggled}`,
      `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n${smuggled}`,
      `GET /v1/whoami HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: a\nb\x00c\r\n\r\n`,
      `GET /v1/whoami HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n Folded: x\r\n\r\n`,
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      `GET /${"a".repeat(20_000)} HTTP/1.1\r\n\r\n`,
    ]) {
      const reply = await exchange(port, shape);
      assert.ok([400, 431].includes(statusIn(reply)), `${shape.slice(0, 40)}: ${reply.slice(0, 100)}`);
      assert.equal(reply.match(/HTTP\/1\.1 /g)?.length, 1, "one answer, and the end");
      assert.equal(problemIn(reply).refusals[0]?.code, "request-unfit");
    }
  }));

test("a GET with a body is refused, and what may be another request inside it is not answered", (t) =>
  at(t, async ({ port, token }) => {
    const inner = `GET /v1/whoami HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const head = (method: string, more: string): string =>
      `${method} /v1/status HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;
    const chunked = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    for (const request of [
      head("GET", `Content-Length: ${inner.length}\r\n`) + inner,
      head("GET", "Transfer-Encoding: chunked\r\n") + chunked,
    ]) {
      const reply = await exchange(port, request);
      assert.equal(statusIn(reply), 400, reply);
      assert.equal(reply.match(/HTTP\/1\.1 /g)?.length, 1, "one answer, and the end");
      assert.equal(problemIn(reply).refusals[0]?.cause, "body-unwanted");
    }
    const headed = await exchange(port, head("HEAD", `Content-Length: ${inner.length}\r\n`) + inner);
    assert.deepEqual([statusIn(headed), headed.match(/HTTP\/1\.1 /g)?.length], [400, 1]);
    const empty = await exchange(port, head("GET", "Content-Length: 0\r\nConnection: close\r\n"));
    assert.equal(statusIn(empty), 200);
    // The same head on the same connection, by another method: what was found for the one holds for it alone.
    const key = `Idempotency-Key: ${newKey()}\r\nContent-Type: application/json\r\n`;
    const both = (method: string, path: string): string =>
      `${head(method, `${key}Content-Length: 2\r\n`).replace("/v1/status", path)}{}`;
    const mixed = await exchange(port, both("POST", "/v1/freezes") + both("GET", "/v1/status"));
    assert.equal(mixed.match(/HTTP\/1\.1 400/g)?.length, 2);
    assert.ok(mixed.includes("body-unwanted"));
  }));

test("a request that does not come to its end is ended", async (t) => {
  const door = await atDoor(t);
  door.door.server.headersTimeout = 200;
  door.door.server.requestTimeout = 300;
  const reply = await exchange(door.port, `GET /v1/whoami HTTP/1.1\r\nHost: 127.0.0.1:${door.port}\r\nX-Slow: `);
  assert.equal(statusIn(reply), 408);
  assert.equal(problemIn(reply).refusals[0]?.cause, "too-slow");
  assert.equal((await door.get("/v1/whoami")).status, 200);
});

test("one caller does not take the service away from another", async (t) => {
  const few = { burst: 3, concurrent: 128, perSecond: 0.001, streams: 1 };
  const { events, get, token, tokenFor } = await atDoor(t, { limits: { known: few, unknown: few } });
  const statuses = [];
  for (let time = 0; time < 5; time += 1) statuses.push((await get("/v1/whoami", { token })).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  const refused = await get("/v1/whoami", { token });
  assert.deepEqual(refusedWith(refused), [429, "caller-limited", "rate"]);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.equal((await get("/v1/whoami", { token: await tokenFor("otto", ["observer"]) })).status, 200);
  assert.ok(events.some(({ kind }) => kind === "limited"));
});

test("tokens that prove nobody count against the address that they come from, and not against who is proven", async (t) => {
  const few = { burst: 5, concurrent: 128, perSecond: 0.001, streams: 1 };
  const known = { ...few, burst: 1_000 };
  const { get, post, token, tokenFor } = await atDoor(t, { limits: { known, unknown: few } });
  const otto = await tokenFor("otto", ["observer"]);
  assert.equal((await get("/v1/whoami", { token })).status, 200);
  const statuses = [];
  for (let time = 0; time < 7; time += 1)
    statuses.push((await get("/v1/whoami", { token: `dedalus_invented00_${time}` })).status);
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
  assert.equal((await get("/v1/whoami", { token })).status, 200, "who was proven before goes on");
  assert.equal((await get("/v1/whoami", { token: null })).status, 429, "the address has asked enough");
  assert.equal((await get("/v1/whoami", { token: otto })).status, 429, "nobody knows yet whose this is");
  assert.equal((await post("/v1/freezes", {}, { key: null, token: "invented" })).status, 429);
});

test("a request that nobody could understand proves nobody, and takes nothing from who is proven", async (t) => {
  const few = { burst: 3, concurrent: 128, perSecond: 0.001, streams: 1 };
  const { get, post, token } = await atDoor(t, { limits: { known: { ...few, burst: 1_000 }, unknown: few } });
  assert.equal((await get("/v1/whoami")).status, 200);
  const unkeyed = async (shown: string): Promise<number> =>
    (await post("/v1/freezes", { reason: "x" }, { key: null, token: shown })).status;
  for (let time = 0; time < 5; time += 1) assert.equal(await unkeyed(token), 400);
  const statuses = [];
  for (let time = 0; time < 5; time += 1) statuses.push(await unkeyed(`invented${time}`));
  assert.deepEqual(statuses, [400, 400, 400, 429, 429]);
  assert.equal((await get("/v1/whoami")).status, 200);
});

test("a bug is a problem without anything of it, and is told to whoever runs the service", async (t) => {
  const door = await atDoor(t);
  const broken = door.given.service.whoami;
  Object.assign(door.given.service, { whoami: () => Promise.reject(new Error("secret inside")) });
  const reply = await door.get("/v1/whoami");
  Object.assign(door.given.service, { whoami: broken });
  assert.equal(reply.status, 500);
  assert.doesNotMatch(reply.text, /secret inside|\.ts/);
  assert.equal(reply.problem.correlationId, reply.headers.get("dedalus-correlation-id"));
  assert.match(String(door.failures[0]), /secret inside/);
});
