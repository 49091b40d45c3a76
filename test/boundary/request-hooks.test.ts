// The access log: every request has one line, with the template of its route and nothing of its path, query, body or
// credential.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import Fastify from "fastify";
import { observeRequests } from "../../src/boundary/telemetry/request-hooks.ts";
import { soon } from "../service/bound.ts";
import { keepSpans, seriesOf, type Telling, telling } from "./telling.ts";

const SECRET = "wJalrXUtnFEMI";
const TOKEN = `dedalus_0123456789_${SECRET}`;

/** Settled when a request came that is never answered. */
const arrived = Promise.withResolvers<void>();

/** A server on a port of its own; its routes know the request that they answer. */
const listening = async (t: TestContext, told: Telling): Promise<string> => {
  const app = Fastify();
  observeRequests(app, told.telemetry);
  app.get("/v1/plans/:plan", async (_request, reply) => {
    reply.header("dedalus-correlation-id", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    return { id: 1 };
  });
  app.post("/v1/plans", async () => {
    const scope = told.telemetry.spans.current() ?? assert.fail("it is answered in the request's own surroundings");
    Object.assign(scope.facts, { actor: "alice", actorKind: "person", environment: "home", seq: 7 });
    return {};
  });
  app.get("/v1/whoami", async (_request, reply) => reply.code(401).send({}));
  app.get("/v1/events", (_request, reply) => {
    reply.hijack();
    reply.raw.write("hello");
  });
  app.get("/v1/export", (_request, reply) => {
    reply.hijack();
    arrived.resolve();
  });
  t.after(() => app.close());
  return app.listen({ host: "127.0.0.1", port: 0 });
};

const logged = async (told: Telling, count: number) => {
  while (told.of("request").length < count) await new Promise((resume) => setTimeout(resume, 2));
  return told.of("request").map(({ durationMs, level: _, time: __, event: ___, ...line }) => {
    assert.equal(typeof durationMs, "number");
    return line;
  });
};

test("a read is logged by the template of its route, with the public id of its token", async (t) => {
  const told = telling();
  const url = await listening(t, told);
  const headers = { authorization: `Bearer ${TOKEN}`, cookie: `session=${SECRET}` };
  await fetch(`${url}/v1/plans/${SECRET}?token=${SECRET}`, { headers });
  assert.deepEqual(await soon("the line", logged(told, 1)), [
    {
      correlationId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      credential: "0123456789",
      method: "GET",
      route: "/v1/plans/:plan",
      status: 200,
    },
  ]);
  assert.ok(!told.text().includes(SECRET));
});

test("an act is logged with who asked, where, its key and its record; a key that is none is left out", async (t) => {
  const told = telling();
  const url = await listening(t, told);
  for (const key of ["01ARZ3NDEKTSV4RRFFQ69G5FAV", SECRET])
    await fetch(`${url}/v1/plans`, {
      body: JSON.stringify({ note: SECRET }),
      headers: { "content-type": "application/json", "idempotency-key": key },
      method: "POST",
    });
  const act = { actor: "alice", actorKind: "person", environment: "home", method: "POST", route: "/v1/plans" };
  assert.deepEqual(await soon("the lines", logged(told, 2)), [
    { ...act, key: "01ARZ3NDEKTSV4RRFFQ69G5FAV", seq: 7, status: 200 },
    { ...act, seq: 7, status: 200 },
  ]);
  assert.ok(!told.text().includes(SECRET));
});

test("what no route takes is one value, whatever was asked, and so is a method of somebody's own", async (t) => {
  const told = telling();
  const url = await listening(t, told);
  for (const path of ["/a", "/b", `/${SECRET}`]) await fetch(`${url}${path}`);
  await soon("the lines", logged(told, 3));
  assert.equal(await seriesOf(told, 'dedalus_http_requests_total{method="GET",route="unmatched",status="404"}'), 3);
  assert.ok(!told.text().includes(SECRET));
});

test("a caller who is not authenticated is a line of its own and a count", async (t) => {
  const told = telling();
  const url = await listening(t, told);
  await fetch(`${url}/v1/whoami`, { headers: { authorization: `Bearer ${TOKEN}` } });
  await soon("the line", logged(told, 1));
  const [line, ...more] = told.of("authentication-failed");
  assert.deepEqual(more, []);
  assert.deepEqual([line?.["level"], line?.["route"], line?.["credential"]], ["warn", "/v1/whoami", "0123456789"]);
  assert.equal(await seriesOf(told, 'dedalus_authentication_failures_total{route="/v1/whoami"}'), 1);
});

const asked = (url: string, path: string) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return socket;
};

test("a stream and a request that somebody leaves are logged when they end, and their spans have an end", async (t) => {
  const kept = keepSpans();
  t.after(kept.stop);
  const told = telling();
  const url = await listening(t, told);
  const stream = asked(url, "/v1/events");
  await soon("the first bytes", new Promise((resume) => stream.once("data", resume)));
  stream.destroy();
  await soon("the line of the stream", logged(told, 1));
  const left = asked(url, "/v1/export");
  await soon("the request", arrived.promise);
  left.destroy();
  const lines = await soon("the line of the request", logged(told, 2));
  assert.deepEqual(
    lines.map(({ route, status }) => [route, status]),
    [
      ["/v1/events", 200],
      ["/v1/export", 499],
    ],
  );
  assert.deepEqual(
    kept.spans.map(({ isEnded }) => isEnded()),
    [true, true],
  );
});
