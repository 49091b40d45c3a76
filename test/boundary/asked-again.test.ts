// A read that a connection asks again is answered at once with the same bytes, told like every other, and only for as
// long as the long way would answer the same: each test first sees an answer at once, and then takes its ground away.

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import Fastify from "fastify";
import { observeRequests } from "../../src/boundary/telemetry/request-hooks.ts";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import { tokenCredential } from "../../src/service/hold/callers.ts";
import { until } from "../service/bound.ts";
import { OPERATOR, ok } from "../service/serving.ts";
import { atCountedDoor } from "./counted-door.ts";
import { connected } from "./one-connection.ts";
import { keepSpans, type Line, seriesOf, telling } from "./telling.ts";

const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;

type Asked = {
  readonly isAtOnce: boolean;
  readonly status: number;
  readonly tag: string | undefined;
  readonly text: string;
};

/** A door, a plan, and one connection whose replies say by which way they came; it tells as a process does. */
const asking = async (...given: Parameters<typeof atCountedDoor>) => {
  const [t] = given;
  const { at, atOnce, told } = await atCountedDoor(...given);
  const made = await at.post("/v1/plans", { environment: "home", scope: "all" });
  assert.equal(made.status, 201);
  const { id } = made.body as { readonly id: string };
  const connect = async () => {
    const ask = await connected(t, at.port);
    return async (
      path: string,
      lines: readonly string[] = [],
      token = at.token,
      sent: Parameters<typeof ask>[2] = {},
    ): Promise<Asked> => {
      const before = atOnce();
      const head = [`host: 127.0.0.1:${at.port}`, `authorization: Bearer ${token}`, ...lines];
      const { status, text } = await ask(path, head, sent);
      return { isAtOnce: atOnce() > before, status, tag: /\r\netag: (\S+)/i.exec(text)?.[1], text };
    };
  };
  const ask = await connect();
  /** Until it is answered at once: what is not heard of is asked of the ledger. */
  const askedAtOnce = async (path: string, token = at.token): Promise<Asked> => {
    let last = await ask(path, [], token);
    await until(`${path} at once`, async () => {
      last = await ask(path, [], token);
      return last.isAtOnce;
    });
    return last;
  };
  return { ...at, ask, askedAtOnce, connect, path: `/v1/plans/${id}`, told };
};

/** Without what is another each time. */
const sameEachTime = (text: string): string => text.replace(/^(?:date|dedalus-correlation-id): .*\r\n/gim, "");
const sameLine = ({ correlationId: _, durationMs: __, time: ___, ...line }: Line): Line => line;

test("a read that is asked again is answered at once with the same bytes, and each is a line and a count", async (t) => {
  const { ask, askedAtOnce, path, told } = await asking(t);
  const paths = [
    "/v1/plans",
    "/v1/fleet?environment=home",
    path,
    `${path}/steps/1/explanation`,
    `${path}/steps/1/explanation?`,
  ];
  for (const one of paths) {
    const first = await ask(one);
    assert.deepEqual([first.status, first.isAtOnce], [200, false], one);
    const again = await askedAtOnce(one);
    assert.equal(sameEachTime(again.text), sameEachTime(first.text));
    assert.notEqual(again.text, first.text, "each has its own correlation id");
    const idOf = (text: string) => /\r\ndedalus-correlation-id: (\S+)/i.exec(text)?.[1];
    const lineOf = (text: string) => told.of("request").find((line) => line["correlationId"] === idOf(text));
    await until("both lines", () => lineOf(first.text) !== undefined && lineOf(again.text) !== undefined);
    assert.deepEqual(sameLine(lineOf(again.text) ?? {}), sameLine(lineOf(first.text) ?? {}));
    assert.equal(lineOf(again.text)?.["actor"], "olga");
  }
  const of = (route: string): number => told.of("request").filter((line) => line["route"] === route).length;
  const route = "/v1/plans/:plan";
  assert.equal(
    await seriesOf(told, `dedalus_http_requests_total{method="GET",route="${route}",status="200"}`),
    of(route),
  );
  assert.equal(await seriesOf(told, `dedalus_http_request_duration_seconds_count{route="${route}"}`), of(route));
});

test("what was recorded since is in the next answer, whoever wrote it", async (t) => {
  const { ask, askedAtOnce, path, post, served } = await asking(t);
  const before = await askedAtOnce(path);
  assert.equal((await post("/v1/annotations", { text: "seen" })).status, 201);
  const after = await ask(path);
  assert.deepEqual([after.status, after.isAtOnce, after.tag === before.tag], [200, false, false]);
  const { tag } = await askedAtOnce(path);
  assert.equal(tag, after.tag);
  ok(await served.open("one-request").annotate({ ...OPERATOR }, { text: "elsewhere" }));
  await until("the other's record", async () => (await ask(path)).tag !== tag);
});

test("a token that was revoked is answered nothing at once", async (t) => {
  const { ask, askedAtOnce, path, post, tokenFor } = await asking(t);
  const token = await tokenFor("eve", ["observer"]);
  await askedAtOnce(path, token);
  assert.equal((await post("/v1/token-revocations", { name: "eve" })).status, 201);
  const { isAtOnce, status } = await ask(path, [], token);
  assert.deepEqual([status, isAtOnce], [401, false]);
});

test("a token that has ended is answered nothing at once, on the same head", async (t) => {
  const { ask, askedAtOnce, path, served, tokenFor } = await asking(t);
  const token = await tokenFor("eve", ["observer"]);
  const { tokens } = ok(await served.open().tokens(OPERATOR, {})).value;
  const endsMs = Date.parse(tokens.find(({ name }) => name === "eve")?.expiresAt ?? assert.fail("it is listed"));
  served.clock.aheadMs = DAY_MS - 30_000;
  const { tag } = await askedAtOnce(path, token);
  // What is remembered is remembered for a second: the end comes within that.
  served.clock.aheadMs = endsMs - Date.now() - 500;
  await askedAtOnce(path, token);
  served.clock.aheadMs += 600;
  const { isAtOnce, status } = await ask(path, [], token);
  assert.deepEqual([status, isAtOnce], [401, false]);
  served.clock.aheadMs -= 600;
  assert.equal((await ask(path, [], token)).tag, tag, "nothing else had changed");
});

test("what ends by the clock is shown as ended, on the same head", async (t) => {
  const { ask, askedAtOnce, path, served } = await asking(t);
  const before = await askedAtOnce(path);
  assert.doesNotMatch(before.text, /"status":"expired"/);
  served.clock.aheadMs = 2 * 3_600_000;
  const after = await ask(path);
  assert.deepEqual([after.status, after.isAtOnce, after.tag], [200, false, before.tag]);
  assert.match(after.text, /"status":"expired"/);
});

test("each is shown what they see, on the same head, path and connection", async (t) => {
  const { ask, askedAtOnce, connect, path, tokenFor } = await asking(t, () => ({}), { more: AWAY });
  const [eve, ada] = [await tokenFor("eve", ["observer"], ["home"]), await tokenFor("ada", ["observer"], ["away"])];
  await askedAtOnce(path, eve);
  const other = await connect();
  for (const one of [ask, other, other]) assert.equal((await one(path, [], ada)).status, 404);
  const mine = await askedAtOnce("/v1/plans", eve);
  const theirs = await askedAtOnce("/v1/plans", ada);
  assert.equal(mine.tag, theirs.tag);
  assert.match(mine.text, /"home"/);
  assert.doesNotMatch(theirs.text, /"home"/);
});

test("a configuration that was edited is taken up by the next read", async (t) => {
  const { ask, askedAtOnce, path, served } = await asking(t);
  const starts = async (): Promise<number> => (await served.records()).filter(({ kind }) => kind === "start").length;
  await askedAtOnce(path);
  const before = await starts();
  const { config } = served.configuration;
  served.written.config = { ...config, operator: "somebody-else" };
  served.clock.aheadMs += 1;
  const { isAtOnce, status } = await ask(path);
  assert.deepEqual([status, isAtOnce], [200, false]);
  await until("its start", async () => (await starts()) === before + 1);
});

test("a process that ends, or whose service is closed, answers nothing at once", async (t) => {
  const { ask, askedAtOnce, given, isEnding, path } = await asking(t);
  await askedAtOnce(path);
  isEnding.yes = true;
  const ending = await ask(path);
  assert.deepEqual([ending.status, ending.isAtOnce], [200, false]);
  isEnding.yes = false;
  await askedAtOnce(path);
  await given.service.close();
  const closed = await ask(path);
  assert.deepEqual([closed.status, closed.isAtOnce], [503, false]);
});

test("whoever asks too often is refused, also at once", async (t) => {
  const known = { burst: 100, concurrent: 8, perSecond: 0.001, streams: 0 };
  const { ask, askedAtOnce, events, path } = await asking(t, () => ({}), { limits: { known, unknown: known } });
  await askedAtOnce(path);
  const replies: Asked[] = [];
  for (let left = 100; left > 0; left -= 1) replies.push(await ask(path));
  assert.ok(replies.some(({ isAtOnce }) => isAtOnce));
  assert.equal(replies.at(-1)?.status, 429);
  assert.ok(replies.filter(({ status }) => status === 200).length < 100);
  assert.ok(events.some(({ kind }) => kind === "limited"));
});

test("a head that asks for more, or brings more than a question, goes the long way", async (t) => {
  const { ask, askedAtOnce, path } = await asking(t);
  const { tag = "" } = await askedAtOnce(path);
  for (const [lines, status, body] of [
    [[`if-none-match: ${tag}`], 304, ""],
    [["content-length: 0"], 200, ""],
    [["traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"], 200, ""],
  ] as const)
    for (const time of [1, 2]) {
      const reply = await ask(path, lines, undefined, { body });
      assert.deepEqual([reply.status, reply.isAtOnce], [status, false], `${lines.join()} ${time}`);
    }
  for (const time of [1, 2]) assert.equal((await ask(`${path}?at-least=1`)).isAtOnce, false, `${time}`);
  assert.equal((await ask(`${path}?strange=1`)).status, 400);
  assert.equal((await ask("/v1/status")).isAtOnce, false);
  assert.equal((await ask("/v1/status")).isAtOnce, false, "what is not remembered by the service");
  await askedAtOnce("/v1/plans");
  const posted = await ask("/v1/plans", [], undefined, { method: "POST" });
  assert.deepEqual([posted.status, posted.isAtOnce], [400, false], "another method, with the same head");
  // The last of its connection.
  const bodied = await ask(path, ["content-length: 2"], undefined, { body: "{}" });
  assert.deepEqual([bodied.status, bodied.isAtOnce], [400, false], "a body where there is none");
});

test("what is shown otherwise than in a bearer token is looked at each time", async (t) => {
  const shown = { token: "" };
  const { ask, path, token } = await asking(t, () => ({
    shownOtherwise: ({ headers }) => (headers["cookie"] === undefined ? undefined : tokenCredential(shown.token)),
  }));
  shown.token = token;
  for (const time of [1, 2, 3]) {
    const { isAtOnce, status } = await ask(path, ["cookie: a=b"]);
    assert.deepEqual([status, isAtOnce], [200, false], `${time}`);
  }
  shown.token = "nobody's";
  assert.equal((await ask(path, ["cookie: a=b"])).status, 401);
});

test("what fails while an answer is looked up goes the long way", async (t) => {
  const broken = { yes: false };
  const { ask, askedAtOnce, path } = await asking(t, ({ service }) => ({
    service: {
      ...service,
      recall: (...asked) => {
        if (broken.yes) throw new Error("the disk is gone");
        return service.recall?.(...asked);
      },
    },
  }));
  await askedAtOnce(path);
  broken.yes = true;
  assert.deepEqual([(await ask(path)).status, (await ask(path)).isAtOnce], [200, false]);
});

test("whoever traces gets the spans of every request", async (t) => {
  const { ask, askedAtOnce, path } = await asking(t);
  await askedAtOnce(path);
  const kept = keepSpans();
  t.after(kept.stop);
  const { isAtOnce, status } = await ask(path);
  assert.deepEqual([status, isAtOnce], [200, false]);
  assert.ok(kept.spans.some(({ name }) => name === "GET /v1/plans/:plan"));
});

test("an answer that somebody takes slowly is told when it has left", async () => {
  const told = telling();
  const observer = observeRequests(Fastify(), told.telemetry);
  const asked = { credential: undefined, key: undefined, method: "GET", route: "/v1/plans" };
  const known = { environment: undefined, known: asked };
  const reply = Object.assign(new EventEmitter(), { statusCode: 200, writableLength: 10 });
  const actor = { id: "eve", kind: "person" };
  const open = () => seriesOf(told, 'dedalus_queue_length{queue="requests"}');
  observer.tell(known, { actor, beganMs: 0, correlationId: "01J", reply });
  assert.deepEqual([told.of("request").length, await open()], [0, 1]);
  reply.emit("close");
  assert.deepEqual([told.of("request").length, await open()], [1, 0]);
});
