// Records as they come: every one once and in order, from where a reader was, for as long as its token holds.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { cannot } from "../cannot.ts";
import { soon, until } from "../service/bound.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { type AtDoor, atDoor, refusedWith } from "./at-door.ts";

/** The events of a stream, one after another; `raw` is what came so far. */
const listen = async (
  t: TestContext,
  { token, url }: Pick<AtDoor, "token" | "url">,
  path = "/v1/events",
  headers: Readonly<Record<string, string>> = {},
) => {
  const left = new AbortController();
  t.after(() => left.abort());
  const reply = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: left.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail("it is a stream");
  let raw = "";
  const next = async (): Promise<Readonly<Record<string, string>> | undefined> => {
    for (;;) {
      const end = raw.indexOf("\n\n");
      if (end < 0) {
        const { done, value } = await soon("an event", reader.read());
        if (done) return undefined;
        raw += value;
        continue;
      }
      const lines = raw.slice(0, end).split("\n");
      raw = raw.slice(end + 2);
      const event = Object.fromEntries(lines.map((line) => [line.split(": ")[0], line.slice(line.indexOf(": ") + 2)]));
      if ("event" in event) return event;
    }
  };
  return { leave: () => left.abort(), next, reply };
};

test("a reader hears of what is recorded from now on, each by its seq", async (t) => {
  const door = await atDoor(t);
  const { next, reply } = await listen(t, door);
  assert.match(reply.headers.get("content-type") ?? "", /^text\/event-stream/);
  for (const text of ["one", "two"]) {
    const { headers } = await door.post("/v1/annotations", { text });
    const event = await next();
    assert.equal(event?.["id"], headers.get("dedalus-record"));
    assert.equal(JSON.parse(event?.["data"] ?? "").body.request.text, text);
  }
});

test("a reader that comes back goes on behind the last that it saw", async (t) => {
  const door = await atDoor(t);
  const size = (await door.served.records()).length;
  const whole = await listen(t, door, "/v1/events?from=0");
  for (let seq = 0; seq < size; seq += 1) assert.equal((await whole.next())?.["id"], String(seq));
  const again = await listen(t, door, "/v1/events", { "last-event-id": "1" });
  assert.equal((await again.next())?.["id"], "2");
});

test("a reader that waits for what is far off keeps nobody busy, and hears nothing before", async (t) => {
  const door = await atDoor(t);
  const [size, far] = [(await door.served.records()).length, 1_000_000];
  const early = await listen(t, door, `/v1/events?from=${far}`);
  assert.equal(early.reply.status, 200);
  let asked = 0;
  const { service } = door.given;
  const records = service.records.bind(service);
  t.mock.method(service, "records", (...all: Parameters<typeof records>) => {
    asked += 1;
    assert.ok(asked < 100, "it asks without end");
    return records(...all);
  });
  const whole = await listen(t, door, "/v1/events?from=0");
  for (let seq = 0; seq < size; seq += 1) assert.equal((await whole.next())?.["id"], String(seq));
  await door.post("/v1/annotations", { text: "one" });
  assert.equal((await whole.next())?.["id"], String(size));
  early.leave();
});

test("a token that is revoked ends its stream, and one that proves nobody begins none", async (t) => {
  const door = await atDoor(t);
  const token = await door.tokenFor("ada", ["auditor"]);
  const { next } = await listen(t, { ...door, token });
  const service = door.served.open();
  ok(await service.revokeToken(OPERATOR, { name: "ada" }));
  const event = await next();
  assert.equal(event?.["event"], "problem");
  assert.equal(JSON.parse(event?.["data"] ?? "").status, 401);
  assert.equal(await next(), undefined);
  assert.deepEqual(refusedWith(await door.get("/v1/events", { token: "dedalus_0000000000_x" }))[0], 401);
});

test("what is no seq is refused, and more streams than a caller may have", async (t) => {
  const few = { burst: 100, concurrent: 10, perSecond: 100, streams: 1 };
  const door = await atDoor(t, { limits: { known: few, unknown: few } });
  assert.deepEqual(refusedWith(await door.get("/v1/events", { headers: { "last-event-id": "x" } })), [
    400,
    "request-unfit",
    "header-wrong",
  ]);
  assert.equal((await door.get("/v1/events?from=-1")).status, 400);
  const first = await listen(t, door);
  assert.equal(first.reply.status, 200);
  assert.deepEqual(refusedWith(await door.get("/v1/events")), [429, "caller-limited", "streams"]);
});

test("a door that closes ends its streams", async (t) => {
  const door = await atDoor(t);
  const { next } = await listen(t, door);
  const closed = door.door.close();
  assert.equal(await next(), undefined);
  door.door.server.closeAllConnections();
  await soon("the end of the door", closed);
});

const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;

/** Remarks in two environments and in none, each by its seq; and somebody who has a role in away alone. */
const twoEnvironments = async (t: TestContext, more: Parameters<typeof atDoor>[1] = {}) => {
  const door = await atDoor(t, { ...more, more: AWAY });
  const token = await door.tokenFor("awan", ["auditor"], ["away"]);
  const remark = async (text: string, environment?: string): Promise<string> => {
    const { headers } = await door.post("/v1/annotations", {
      text,
      ...(environment === undefined ? {} : { environment }),
    });
    return headers.get("dedalus-record") ?? assert.fail("it is recorded");
  };
  return { door: { ...door, token }, remark };
};

test("whoever has a role in one environment follows that one, and hears nothing of another or of the whole", async (t) => {
  const { door, remark } = await twoEnvironments(t);
  const { next } = await listen(t, door, "/v1/events?environment=away");
  await remark("at the mill", "home");
  await remark("of the whole");
  const first = await remark("far off", "away");
  await remark("at the mill again", "home");
  const second = await remark("farther off", "away");
  const heard = [await next(), await next()];
  assert.deepEqual(
    heard.map((event) => [event?.["id"], JSON.parse(event?.["data"] ?? "").body.request.text]),
    [
      [first, "far off"],
      [second, "farther off"],
    ],
  );
  assert.ok(heard.every((event) => JSON.parse(event?.["data"] ?? "").environment === "away"));
});

test("who comes back to one environment goes on behind the last that they saw, wherever that was", async (t) => {
  const { door, remark } = await twoEnvironments(t);
  const first = await remark("far off", "away");
  const elsewhere = await remark("at the mill", "home");
  const second = await remark("farther off", "away");
  for (const lastSeen of [first, elsewhere]) {
    const { next } = await listen(t, door, "/v1/events?environment=away", { "last-event-id": lastSeen });
    assert.equal((await next())?.["id"], second);
  }
  const { next } = await listen(t, door, "/v1/events?environment=away&from=0");
  assert.deepEqual([(await next())?.["id"], (await next())?.["id"]], [first, second]);
});

/** What is objected to when somebody of away follows an environment. */
const followed = async (environment: string | undefined): Promise<readonly { readonly rule: string }[]> => {
  const endings: (() => Promise<void>)[] = [];
  const context = { after: (end: () => Promise<void>) => void endings.unshift(end) };
  try {
    const { door } = await twoEnvironments(context as TestContext);
    const left = new AbortController();
    const reply = await fetch(
      `${door.url}/v1/events${environment === undefined ? "" : `?environment=${environment}`}`,
      {
        headers: { authorization: `Bearer ${door.token}` },
        signal: left.signal,
      },
    );
    const refused =
      reply.status === 200
        ? []
        : ((await reply.json()) as { readonly refusals: readonly { readonly rule: string }[] }).refusals;
    left.abort();
    return refused;
  } finally {
    for (const end of endings) await end();
  }
};

cannot("B3", "follow the whole ledger by a role in one environment", {
  neighbour: () => followed("away"),
  offence: () => followed(undefined),
});

test("an environment of others is refused as one that does not exist, and so is a parameter that nobody knows", async (t) => {
  const { door } = await twoEnvironments(t);
  const asked = async (query: string) => refusedWith(await door.get(`/v1/events?${query}`, { token: door.token }));
  const [of, never] = [await asked("environment=home"), await asked("environment=moon")];
  assert.deepEqual(of.slice(0, 2), [404, "environment-unknown"]);
  assert.deepEqual(of, never);
  assert.deepEqual(await asked("environment=away&environment=home"), [400, "request-unfit", "parameter-wrong"]);
  assert.deepEqual(await asked("enviroment=away"), [400, "request-unfit", "parameter-unknown"]);
});

test("what is recorded elsewhere does not move the heartbeat of a stream", async (t) => {
  const heartbeatMs = 600;
  const { door, remark } = await twoEnvironments(t, { streams: { heartbeatMs, stalledMs: 30_000 } });
  const left = new AbortController();
  t.after(() => left.abort());
  const reply = await fetch(`${door.url}/v1/events?environment=away`, {
    headers: { authorization: `Bearer ${door.token}` },
    signal: left.signal,
  });
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail("it is a stream");
  let raw = "";
  // Each would put off a heartbeat that counted from the last that woke the stream.
  let isOver = false;
  const busy = (async () => {
    while (!isOver) await remark("at the mill", "home");
  })();
  while (raw.split(": alive").length < 3)
    raw += (await soon("a heartbeat", reader.read())).value ?? assert.fail("it goes on");
  isOver = true;
  await busy;
  assert.equal(raw.replaceAll(/retry: 2000\n\n|: alive\n\n/g, ""), "", "and nothing else was sent");
});

test("a reader that stops reading is cut off, and one that reads is not", async (t) => {
  const door = await atDoor(t, { streams: { heartbeatMs: 15_000, stalledMs: 400 } });
  const service = door.served.open();
  const text = "€".repeat(1_000);
  // More than the sockets between take without a reader.
  for (let count = 0; count < 1_536; count += 256)
    await Promise.all(Array.from({ length: 256 }, async () => ok(await service.annotate(OPERATOR, { text }))));
  const ask = `GET /v1/events?from=0 HTTP/1.1\r\nhost: 127.0.0.1:${door.port}\r\nauthorization: Bearer ${door.token}\r\n\r\n`;
  const slow = connect(door.port, "127.0.0.1");
  t.after(() => slow.destroy());
  slow.pause();
  slow.write(ask);
  const { next } = await listen(t, door);
  await until("the cut", () => door.events.some(({ kind }) => kind === "stream-cut"));
  assert.deepEqual(
    door.events.filter(({ kind }) => kind === "stream-cut"),
    [{ cause: "slow", kind: "stream-cut", route: "/v1/events" }],
  );
  const { headers } = await door.post("/v1/annotations", { text: "it goes on" });
  assert.equal((await next())?.["id"], headers.get("dedalus-record"), "whoever reads hears what comes");
  const ended = new Promise((resolve) => slow.once("close", resolve));
  slow.on("error", () => undefined).resume();
  await soon("the end of the connection", ended);
});
