// An agent whose calls are lost on the way: cut at every point of the request, or cut off from the answer; and one that
// finds another service in the place of the one that it asked. It asks again in the same words, and everything is
// there once.
//
// A process that is killed between the intent and its answer is in test/live/killed-under-an-agent.test.ts.

import assert from "node:assert/strict";
import { connect } from "node:net";
import { suite, test } from "node:test";
import { newKey } from "../boundary/at-door.ts";
import { type Agent, headersOf, messageOf } from "../boundary/mcp/agents.ts";
import { soon } from "../service/bound.ts";
import { untilEnded } from "./hostile.ts";
import { approvedBy, atStep, planBy, type Stage, stageOf } from "./stage.ts";

type Message = Readonly<Record<string, unknown>>;
const calling = (name: string, given: object): Message => messageOf("tools/call", { arguments: given, name });

const bytesOf = ({ port }: Stage, { token }: Agent, message: Message): Buffer => {
  const body = JSON.stringify(message);
  const headers = { ...headersOf(message), authorization: `Bearer ${token}`, "content-type": "application/json" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}`;
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};

/** Sends so many bytes of a request, and is gone: at once, or with the first byte of an answer. */
const sendAndLeave = async ({ port }: Stage, bytes: Buffer, leaves: "at-once" | "at-answer"): Promise<void> => {
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(bytes, () => {
      if (leaves === "at-once") socket.resetAndDestroy();
    });
  });
  socket.once("data", () => socket.resetAndDestroy());
  socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? resolve() : reject(error)));
  socket.on("close", () => resolve());
  await soon("the end of a connection", promise);
};

type Act = {
  /** The kind of the record that answers. */
  readonly kind: string;
  readonly message: (at: Stage) => Promise<Message>;
};
const ACTS: Readonly<Record<string, Act>> = {
  apply_step: {
    kind: "apply",
    message: async (at) => calling("apply_step", atStep(await approvedBy(at, at.robo))),
  },
  cancel_plan: {
    kind: "cancel",
    message: async ({ freshVm, robo }) =>
      calling("cancel_plan", { plan: await planBy(robo, freshVm()), reason: "not needed" }),
  },
  observe: { kind: "observe", message: async () => calling("observe", { environment: "home", key: newKey() }) },
  plan_action: {
    kind: "plan",
    message: async ({ freshVm }) =>
      calling("plan_action", { action: { kind: "vm.start" }, environment: "home", key: newKey(), vm: freshVm() }),
  },
  request_approval: {
    kind: "request-approval",
    message: async ({ freshVm, robo }) => calling("request_approval", atStep(await planBy(robo, freshVm()))),
  },
};

suite("an agent whose calls are lost", () => {
  const stage = stageOf();
  const recorded = async ({ served }: Stage, size: number, kind: string): Promise<number> =>
    (await served.records()).slice(size).filter((record) => record.kind === kind).length;

  /** As often as it likes, until it is told; then what was asked is there once. */
  const asksAgain = async (at: Stage, message: Message, kind: string, size: number): Promise<void> => {
    const { arguments: given, name } = Object(message["params"]);
    const first = await at.robo.call(name, given);
    const known = (await at.served.records()).length;
    const again = await at.robo.call(name, given);
    // An apply goes on by itself.
    if (kind !== "apply") assert.equal((await at.served.records()).length, known, "and nothing on the way to it");
    assert.equal(first.isError, undefined, JSON.stringify(first.structuredContent.refused));
    assert.equal(again.structuredContent.replayed, true);
    assert.equal(again.structuredContent.record, first.structuredContent.record);
    if (kind === "apply") await untilEnded(at.robo, first.structuredContent.answer?.intent ?? assert.fail("an intent"));
    assert.equal(await recorded(at, size, kind), 1, "it is recorded once");
  };

  for (const [name, { kind, message: messageAt }] of Object.entries(ACTS)) {
    test(`B6 cannot do twice by ${name} what it asks again, cut off at every point of its request`, async () => {
      const at = stage();
      const message = await messageAt(at);
      const [bytes, calls, size] = [bytesOf(at, at.robo, message), at.calls(), (await at.served.records()).length];
      const head = bytes.indexOf("\r\n\r\n") + 4;
      const points = [1, 17, head - 2, head, head + 1, head + 20, bytes.length - 1];
      for (const point of points) await sendAndLeave(at, bytes.subarray(0, point), "at-once");
      assert.equal(await recorded(at, size, kind), 0, "half a request is none");
      await sendAndLeave(at, bytes, "at-once");
      await asksAgain(at, message, kind, size);
      assert.equal(at.calls() - calls, kind === "apply" ? 1 : 0);
      assert.deepEqual(at.failures, [], "whoever leaves is no bug");
    });
    test(`B6 cannot do twice by ${name} what it asks again, cut off from its answer`, async () => {
      const at = stage();
      const message = await messageAt(at);
      const [calls, size] = [at.calls(), (await at.served.records()).length];
      await sendAndLeave(at, bytesOf(at, at.robo, message), "at-answer");
      assert.equal(await recorded(at, size, kind), 1, "it was done");
      await asksAgain(at, message, kind, size);
      assert.equal(at.calls() - calls, kind === "apply" ? 1 : 0);
    });
  }

  test("B6 cannot apply anew at a service that was started again, what the one before had begun", async () => {
    const at = stage();
    const plan = await approvedBy(at, at.robo);
    const calls = at.calls();
    const { structuredContent } = await at.robo.call("apply_step", atStep(plan));
    const intent = structuredContent.answer?.intent ?? assert.fail(JSON.stringify(structuredContent));
    await untilEnded(at.robo, intent);
    // Another configuration is taken up as a restart would be: another service, on the same ledger.
    const { config } = at.served.configuration;
    const away = config.environments.get("away") ?? assert.fail("it is configured");
    const environments = new Map(config.environments).set("away", { ...away, maxObservationAgeMs: 30_000 });
    at.served.written.config = { ...config, environments };
    const again = await at.robo.call("apply_step", atStep(plan));
    delete at.served.written.config;
    assert.equal(again.structuredContent.answer?.intent, intent);
    assert.equal(again.structuredContent.replayed, true);
    assert.equal(at.calls(), calls + 1);
  });
});
