// Records as they come: every one once and in order, from where a reader was, for as long as its token holds.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { soon } from "../service/bound.ts";
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
