// What an agent asks again is answered ahead of the framework with the same bytes, told like every other, and only for
// as long as the long way would answer the same: each test first sees an answer at once, and then takes its ground
// away.

import assert from "node:assert/strict";
import { createConnection } from "node:net";
import { type TestContext, test } from "node:test";
import { DAY_MS } from "../../../src/kernel/state/spans.ts";
import { until } from "../../service/bound.ts";
import { OPERATOR, ok } from "../../service/serving.ts";
import { keepSpans, type Line, seriesOf } from "../telling.ts";
import { type Asked, asking, ERAS, LIST, type Message, modern, type Otherwise, statusOf } from "./at-once.ts";

const CORRELATION = /\r\ndedalus-correlation-id: (\S+)/i;
/** Without what is another each time, and with the headers in one order. */
const sameEachTime = (text: string): string => {
  const [, id = ""] = CORRELATION.exec(text) ?? [];
  const [head = "", ...body] = text.replaceAll(id, "").split("\r\n\r\n");
  const lines = head.split("\r\n").filter((line) => !/^date:/i.test(line));
  return [lines.toSorted().join("\r\n"), ...body].join("\r\n\r\n");
};
/** What came, byte for byte, as the text that it is. */
const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString();
const sameLine = ({ correlationId: _, durationMs: __, time: ___, ...line }: Line): Line => line;

test("what is asked again is answered at once with the same bytes, and each is a line and a count", async (t) => {
  const { ask, askedAtOnce, plan, told } = await asking(t);
  for (const era of ERAS) {
    const messages = [
      era("tools/list"),
      statusOf(plan, era),
      era("tools/call", { arguments: { plan, step: { number: 1 } }, name: "explain_step" }),
      era("tools/call", { name: "list_environments" }),
    ];
    for (const message of messages) {
      const again = await askedAtOnce(message);
      const long = await ask(message, { lines: ["cookie: a=b"] });
      assert.deepEqual([long.status, long.isAtOnce], [200, false]);
      assert.equal(sameEachTime(again.text), sameEachTime(long.text));
      assert.notEqual(again.text, long.text, "each has its own correlation id");
      const lineOf = ({ text }: Asked) => {
        const [, id] = CORRELATION.exec(text) ?? [];
        return told.of("request").find((line) => line["correlationId"] === id);
      };
      await until("both lines", () => lineOf(long) !== undefined && lineOf(again) !== undefined);
      assert.deepEqual(sameLine(lineOf(again) ?? {}), sameLine(lineOf(long) ?? {}));
      assert.equal(lineOf(again)?.["actor"], "robo");
    }
  }
  const lines = told.of("request").filter(({ route }) => route === "/mcp").length;
  assert.equal(await seriesOf(told, 'dedalus_http_requests_total{method="POST",route="/mcp",status="200"}'), lines);
});

test("what is kept of an answer takes the id of each message, and the message's own", async (t) => {
  const { ask, askedAtOnce, plan } = await asking(t);
  const reason = "Größe → 2";
  await ask(modern("tools/call", { arguments: { plan, reason, step: { number: 1 } }, name: "request_approval" }));
  for (const era of ERAS)
    for (const id of [7, 'é → "8"', 0, "9"]) {
      const one = statusOf(plan, era);
      const message = { ...one, message: { ...one.message, id } };
      const [first, second] = [await askedAtOnce(message), await askedAtOnce(message)];
      const long = await ask(message, { lines: ["cookie: a=b"] });
      assert.ok(utf8(long.text).includes(reason), "not every character of it is one byte");
      assert.equal(utf8(second.text).includes(JSON.stringify(id)), true);
      assert.equal(sameEachTime(first.text), sameEachTime(long.text));
      assert.equal(sameEachTime(second.text), sameEachTime(long.text));
      const ids = [first, second, long].map(({ text }) => CORRELATION.exec(text)?.[1] ?? assert.fail(text));
      assert.equal(new Set(ids).size, ids.length);
      // In the head, in the result as data, and in the same as a text.
      for (const [at, { text }] of [first, second, long].entries())
        assert.equal(text.split(String(ids[at])).length, 4, text);
    }
});

test("what must be asked for is asked for, each time", async (t) => {
  const { ask, askedAtOnce, plan } = await asking(t);
  await askedAtOnce(statusOf(plan));
  const others: readonly Message[] = [
    modern("server/discover"),
    modern("tools/call", { arguments: { environment: "home" }, name: "search_records" }),
    modern("tools/call", { arguments: { more: 1, plan }, name: "plan_status" }),
    modern("tools/call", { arguments: { plan }, name: "cancel_plan" }),
    modern("tools/call", { arguments: {}, name: "no_tool" }),
    { ...LIST, message: { ...LIST.message, jsonrpc: "1.0" } },
    { ...LIST, headers: { ...LIST.headers, "mcp-method": "tools/call" } },
  ];
  for (const one of others)
    for (const time of [1, 2]) assert.equal((await ask(one)).isAtOnce, false, `${JSON.stringify(one.message)} ${time}`);
});

test("what was recorded since is in the next answer", async (t) => {
  const { ask, askedAtOnce, plan, post } = await asking(t);
  const sizeOf = ({ text }: Asked) => Number(/"head":\{"hash":"[0-9a-f]+","size":(\d+)\}/.exec(text)?.[1]);
  const before = await askedAtOnce(statusOf(plan));
  assert.equal((await post("/v1/annotations", { text: "seen" })).status, 201);
  const after = await ask(statusOf(plan));
  assert.deepEqual([after.status, after.isAtOnce, sizeOf(after)], [200, false, sizeOf(before) + 1]);
  await askedAtOnce(LIST);
  assert.equal((await post("/v1/annotations", { text: "seen again" })).status, 201);
  assert.equal((await ask(LIST)).isAtOnce, false, "whoever is told the list is proven on the head");
});

test("whoever is revoked or ended, and a person, are told nothing at once", async (t) => {
  const { ask, askedAtOnce, plan, post, served, token, tokenFor } = await asking(t);
  for (const message of [LIST, statusOf(plan)]) {
    for (const time of [1, 2]) {
      const { isAtOnce, status, text } = await ask(message, {}, token);
      assert.deepEqual([isAtOnce, text.includes("agents-only")], [false, true], `${status} ${time}`);
    }
    const eve = await tokenFor("eve", ["agent"]);
    await askedAtOnce(message, eve);
    assert.equal((await post("/v1/token-revocations", { name: "eve" })).status, 201);
    const revoked = await ask(message, {}, eve);
    assert.deepEqual([revoked.status, revoked.isAtOnce], [401, false]);
  }
  const mallory = await tokenFor("mallory", ["agent"]);
  const { tokens } = ok(await served.open().tokens(OPERATOR, {})).value;
  const endsMs = Date.parse(tokens.find(({ name }) => name === "mallory")?.expiresAt ?? assert.fail("it is listed"));
  served.clock.aheadMs = DAY_MS - 30_000;
  await askedAtOnce(LIST, mallory);
  served.clock.aheadMs = endsMs - Date.now() - 500;
  await askedAtOnce(LIST, mallory);
  served.clock.aheadMs += 600;
  const ended = await ask(LIST, {}, mallory);
  assert.deepEqual([ended.status, ended.isAtOnce], [401, false]);
});

test("a token that is shown over HTTP too is nobody else at the agents' door", async (t) => {
  const { agent, ask, askedAtOnce, get, plan } = await asking(t);
  await askedAtOnce(statusOf(plan));
  assert.equal((await get(`/v1/plans/${plan}`, { token: agent })).status, 200);
  const { isAtOnce, status } = await ask(statusOf(plan));
  assert.deepEqual([status, isAtOnce], [200, false], "it is proven at this door");
});

test("a head that says otherwise, or a body that does, is the long way's to answer", async (t) => {
  const { ask, askedAtOnce } = await asking(t);
  await askedAtOnce(LIST);
  const text = JSON.stringify(LIST.message);
  const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const params = Object(LIST.message["params"]);
  const traced = { ...LIST.message, params: { ...params, _meta: { ...params._meta, traceparent: trace } } };
  const cases: readonly (readonly [status: number, Otherwise])[] = [
    [200, { lines: ["cookie: a=b"] }],
    [200, { lines: [`traceparent: ${trace}`] }],
    [200, { body: JSON.stringify(traced) }],
    [200, { body: chunked, lines: ["content-length", "transfer-encoding: chunked"] }],
    [200, { body: `${text}${" ".repeat(16_385 - text.length)}` }],
    [400, { body: text.slice(0, -1) }],
    [400, { body: text.replace('"id":', '"id":0,"id":') }],
    [400, { body: "", lines: ["content-length: 0"] }],
    [400, { lines: ["mcp-method: tools/list", "mcp-method: tools/list"] }],
    [401, { lines: ["authorization"] }],
    [403, { lines: ["origin: https://evil.example"] }],
    [404, { path: "/mcp/" }],
    [405, { lines: ["content-length: 0"], body: "", method: "GET" }],
    [405, { method: "PUT" }],
    [415, { lines: ["content-type: text/plain"] }],
    [421, { lines: ["host: evil.example"] }],
  ];
  for (const [status, otherwise] of cases)
    for (const time of [1, 2]) {
      const reply = await ask(LIST, otherwise);
      assert.deepEqual([reply.status, reply.isAtOnce], [status, false], `${JSON.stringify(otherwise)} ${time}`);
    }
  assert.equal((await ask(LIST)).status, 200, "the connection goes on");
});

/** Sends pieces on a connection of their own, one after the other. */
const inPieces = async (t: TestContext, port: number, pieces: readonly string[]): Promise<() => string> => {
  const socket = createConnection(port, "127.0.0.1");
  t.after(() => socket.destroy());
  let held = "";
  socket.on("data", (data) => {
    held += String(data);
  });
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((later) => setTimeout(later, 50));
  }
  return () => held;
};
const written = (port: number, token: string, { headers, message }: Message, more = "") => {
  const body = JSON.stringify(message);
  const lines = Object.entries({ ...headers, "content-length": Buffer.byteLength(body + more) });
  const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
  return { body, head: `${head}${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n` };
};

test("a body that comes in pieces is waited for, and judged as a whole", async (t) => {
  const { agent, askedAtOnce, port } = await asking(t);
  await askedAtOnce(LIST);
  const { body, head } = written(port, agent, LIST);
  const cut = await inPieces(t, port, [head + body.slice(0, 20), body.slice(20)]);
  await until("an answer", () => cut().includes("\r\n\r\n"));
  assert.match(cut(), /^HTTP\/1\.1 200 /);
  const longer = written(port, agent, LIST, "}");
  const more = await inPieces(t, port, [longer.head + body, "}"]);
  await until("a refusal", () => more().includes("\r\n\r\n"));
  assert.match(more(), /^HTTP\/1\.1 400 /);
});

test("several messages that come at once are answered in their order", async (t) => {
  const { agent, askedAtOnce, plan, port } = await asking(t);
  const messages = [LIST, statusOf(plan), modern("tools/call", { arguments: {}, name: "list_vms" }), LIST];
  for (const message of [LIST, statusOf(plan)]) await askedAtOnce(message);
  const texts = messages.map(({ headers, message }, at) => {
    const { body, head } = written(port, agent, { headers, message: { ...message, id: at } });
    return head + body;
  });
  const told = await inPieces(t, port, [texts.join("")]);
  const ids = () => Array.from(told().matchAll(/"jsonrpc":"2.0","id":(\d)\}/g), ([, id]) => Number(id));
  await until("all answers", () => ids().length === messages.length);
  assert.deepEqual(ids(), [0, 1, 2, 3]);
});

test("a process that ends, a limit, a failure and whoever traces go the long way", async (t) => {
  const known = { burst: 60, concurrent: 8, perSecond: 0.001, streams: 0 };
  const broken = { yes: false };
  const { ask, askedAtOnce, failures, isEnding } = await asking(
    t,
    ({ service }) => ({
      service: {
        ...service,
        recall: (...asked) => {
          if (broken.yes) throw new Error("the disk is gone");
          return service.recall?.(...asked);
        },
      },
    }),
    { limits: { known, unknown: known } },
  );
  await askedAtOnce(LIST);
  isEnding.yes = true;
  const ending = await ask(LIST);
  assert.deepEqual([ending.status, ending.isAtOnce], [503, false]);
  isEnding.yes = false;
  broken.yes = true;
  const failed = await ask(LIST);
  assert.deepEqual([failed.status, failed.isAtOnce, failures], [200, false, []]);
  broken.yes = false;
  const kept = keepSpans();
  t.after(kept.stop);
  const traced = await ask(LIST);
  assert.deepEqual([traced.status, traced.isAtOnce], [200, false]);
  assert.ok(kept.spans.some(({ name }) => name === "POST /mcp"));
  kept.stop();
  const replies: Asked[] = [];
  for (let left = 60; left > 0; left -= 1) replies.push(await ask(LIST));
  assert.ok(replies.some(({ isAtOnce }) => isAtOnce));
  assert.deepEqual([replies.at(-1)?.status, replies.at(-1)?.isAtOnce], [429, false]);
});
