// What becomes of an act whose answer is lost on the way back: the same request under the same key, once; then the key
// is asked. Against a real door behind a wire that loses answers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { httpClient } from "../../../src/boundary/client/http-client.ts";
import { bugProblem, PROBLEM_TYPE } from "../../../src/boundary/contract/problem-json.ts";
import { now } from "../../../src/clock.ts";
import { serverAddressIn } from "../../../src/formats/client/server-address.ts";
import { ulids } from "../../../src/ids.ts";
import type { Caller } from "../../../src/service/hold/callers.ts";
import { remoteService } from "../../../src/service/remote/remote-service.ts";
import type { NoReply, Outgoing, SendPort, WholeReply } from "../../../src/service/remote/send.ts";
import { refuse } from "../../../src/spine/rules/refusals.ts";
import { type AtDoor, atDoor } from "../../boundary/at-door.ts";
import { codes, ok } from "../serving.ts";

const ANYBODY: Caller = { credential: { kind: "operator" }, door: "service" };

type Fate = "answered" | "failed" | "foreign" | "lost";

/** Requests are answered by the door; what becomes of the answers is told in advance, and then they arrive. */
const losing = (t: TestContext, { token, url }: AtDoor, ...fates: Fate[]) => {
  const address = serverAddressIn(url);
  assert.ok(typeof address === "object");
  const client = httpClient({ address, token, trust: { verify: "system" }, version: "0.0.0" });
  const sent: Outgoing[] = [];
  const lost = (): NoReply => ({
    isSent: true,
    kind: "none",
    refusal: refuse("server-unreachable", { cause: "plain", facts: { diagnostic: "connection-lost", server: url } }),
  });
  const page = (reply: WholeReply): WholeReply => ({
    ...reply,
    bytes: Buffer.from("<html>Bad Gateway</html>"),
    header: () => "text/html",
    status: 502,
  });
  const bug = (reply: WholeReply): WholeReply => ({
    ...reply,
    bytes: Buffer.from(JSON.stringify(bugProblem("01JCQ0000000000000000000AA"))),
    header: (name) => (name === "content-type" ? PROBLEM_TYPE : undefined),
    status: 500,
  });
  const port: SendPort = {
    ...client,
    send: async (outgoing) => {
      sent.push(outgoing);
      const fate = fates.shift() ?? "answered";
      const reply = await client.send(outgoing);
      if (reply.kind === "none" || fate === "answered") return reply;
      if (fate === "lost") return lost();
      return fate === "failed" ? bug(reply) : page(reply);
    },
  };
  const service = remoteService({
    documents: (file) => JSON.parse(readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), "utf8")),
    newKey: ulids(),
    now,
    pause: async () => undefined,
    port,
  });
  t.after(async () => void (await service.close()));
  return { sent, service };
};

const FREEZE = { reason: "incident 42" };
const freezesIn = async ({ served }: AtDoor): Promise<number> =>
  (await served.records()).filter(({ kind }) => kind === "freeze").length;

for (const fate of ["failed", "foreign", "lost"] as const) {
  test(`an act whose answer is ${fate} is sent once more under its key, and done once`, async (t) => {
    const at = await atDoor(t);
    const { sent, service } = losing(t, at, fate);
    const answer = ok(await service.freeze(ANYBODY, FREEZE));
    assert.equal(answer.replayed, true);
    assert.deepEqual(sent[0], sent[1], "the very same request");
    assert.deepEqual([sent.length, await freezesIn(at)], [2, 1]);
  });
}

test("an act whose answers are lost twice is asked for by its key, which says that it was done", async (t) => {
  const at = await atDoor(t);
  const { sent, service } = losing(t, at, "lost", "foreign");
  const answer = await service.freeze(ANYBODY, FREEZE);
  assert.ok(answer.kind === "refused");
  assert.deepEqual([codes(answer), answer.outcome, answer.domain], [["reply-lost"], "executed", "transport"]);
  assert.match(sent[2]?.path ?? "", /^\/v1\/keys\//);
  assert.deepEqual([sent.length, await freezesIn(at)], [3, 1]);
});

test("where the key cannot be asked either, nobody knows, and nothing else is sent", async (t) => {
  const at = await atDoor(t);
  const { sent, service } = losing(t, at, "lost", "lost", "lost");
  const answer = await service.freeze(ANYBODY, FREEZE);
  assert.ok(answer.kind === "refused");
  assert.deepEqual([codes(answer), answer.outcome, sent.length], [["reply-lost"], "unknown", 3]);
});

test("what the rules refuse is refused, and not sent again", async (t) => {
  const at = await atDoor(t);
  const { sent, service } = losing(t, at);
  const answer = await service.unfreeze(ANYBODY, FREEZE);
  assert.ok(answer.kind === "refused");
  assert.deepEqual([codes(answer), answer.outcome, sent.length], [["freeze-absent"], "not_executed", 1]);
});

test("a read whose answer is lost, or is somebody else's, is told and not asked again", async (t) => {
  const at = await atDoor(t);
  const { sent, service } = losing(t, at, "lost", "foreign");
  assert.deepEqual(codes(await service.status(ANYBODY, {})), ["server-unreachable"]);
  const foreign = await service.status(ANYBODY, {});
  assert.ok(foreign.kind === "refused");
  assert.deepEqual([codes(foreign), foreign.refusals[0]?.cause, sent.length], [["server-answer"], "not-json", 2]);
});

test("an act that nobody wants any more is not sent", async (t) => {
  const at = await atDoor(t);
  const { sent, service } = losing(t, at);
  const step = { plan: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1", step: { number: 1 } };
  const answer = await service.apply(ANYBODY, step, undefined, async () => false);
  assert.deepEqual([codes(answer), sent.length], [["confirmation-missing"], 0]);
});

test("what was written is read afterwards, on whichever instance answers", async (t) => {
  const at = await atDoor(t);
  const { sent, service } = losing(t, at);
  const { value } = ok(await service.freeze(ANYBODY, FREEZE));
  ok(await service.status(ANYBODY, {}));
  assert.equal(sent[1]?.path, `/v1/status?at-least=${value.seq}`);
});

test("an internal error of a service is told with the id that its log has it under, and a read did nothing", async (t) => {
  const { service } = losing(t, await atDoor(t), "failed", "failed");
  const answer = await service.status(ANYBODY, {});
  assert.ok(answer.kind === "refused");
  const { domain, outcome, refusals } = answer;
  assert.deepEqual([domain, outcome, codes(answer)], ["transport", "not_executed", ["server-failed"]]);
  assert.equal(refusals[0]?.facts["correlation"], "01JCQ0000000000000000000AA");
});
