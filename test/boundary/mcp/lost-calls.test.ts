// A call whose answer was lost is made again, and answered by what was recorded: nothing acts or is recorded twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { derivedKey } from "../../../src/boundary/mcp/derived-keys.ts";
import { DAY_MS } from "../../../src/kernel/state/spans.ts";
import { soon } from "../../service/bound.ts";
import { type AtDoor, atDoor, newKey } from "../at-door.ts";
import { type Agent, agentAt, codesIn, headersOf, messageOf } from "./agents.ts";

const STEP = { number: 1 };
const MINUTE_MS = 60_000;

const approved = async (door: AtDoor, agent: Agent): Promise<string> => {
  const { structuredContent } = await agent.call("plan_desired", { scope: "all" });
  const plan = structuredContent.answer?.id ?? assert.fail("it has an answer");
  const token = await door.tokenFor("ada", ["approver"]);
  await door.post(`/v1/plans/${plan}/steps/1/approvals`, { reason: "agreed" }, { token });
  return plan;
};
const sizeOf = async ({ served }: AtDoor): Promise<number> => (await served.records()).length;
const ended = async (agent: Agent, intent: string): Promise<void> => {
  for (;;) {
    const { structuredContent } = await agent.call("intent_status", { intent });
    if (Object(structuredContent.answer).end !== undefined) return;
  }
};

test("an apply answers every repeat with its intent, at once and for ever", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await approved(door, agent);
  const given = { plan, step: STEP };
  const both = await Promise.all([agent.call("apply_step", given), agent.call("apply_step", given)]);
  const [first, second] = both.map(({ structuredContent }) => structuredContent);
  const intent = first?.answer?.intent ?? assert.fail(JSON.stringify(first));
  assert.equal(second?.answer?.intent, intent);
  assert.equal(second?.record, first?.record);
  assert.equal(second?.key, first?.key);
  await soon("its end", ended(agent, intent));
  const before = await sizeOf(door);
  const later = await agent.call("apply_step", given);
  assert.equal(later.structuredContent.replayed, true);
  assert.equal(later.structuredContent.answer?.intent, intent);
  assert.equal(await sizeOf(door), before);
  assert.equal(door.served.provider.counts.calls, 1);
});

test("what was refused may be asked again, and then answers every repeat", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const { structuredContent } = await agent.call("plan_desired", { scope: "all" });
  const plan = structuredContent.answer?.id ?? assert.fail("it has an answer");
  const given = { plan, step: STEP };
  const keys = new Set<string | undefined>();
  for (let time = 0; time < 5; time += 1) {
    const refused = await agent.call("apply_step", given);
    assert.deepEqual(codesIn(refused), ["approval-missing"]);
    keys.add(refused.structuredContent.key);
  }
  assert.equal(keys.size, 5, "each is judged anew");
  const token = await door.tokenFor("ada", ["approver"]);
  await door.post(`/v1/plans/${plan}/steps/1/approvals`, { reason: "agreed" }, { token });
  const first = await agent.call("apply_step", given);
  const intent = first.structuredContent.answer?.intent ?? assert.fail(JSON.stringify(first));
  await soon("its end", ended(agent, intent));
  const before = await sizeOf(door);
  const again = await agent.call("apply_step", given);
  assert.equal(again.structuredContent.answer?.intent, intent);
  assert.equal(again.structuredContent.key, first.structuredContent.key);
  assert.equal(await sizeOf(door), before);
  assert.equal(door.served.provider.counts.calls, 1);
});

test("a key follows from the request and its turn, and from nothing else", () => {
  const plan = newKey();
  const keyOf = (request: object, time = 0, operation = "apply") => derivedKey(operation, request, plan, time);
  const key = keyOf({ plan, step: STEP });
  assert.equal(key, keyOf({ step: STEP, plan }));
  assert.equal(key.slice(0, 10), plan.slice(0, 10));
  const others = [
    keyOf({ plan, step: { number: 2 } }),
    keyOf({ plan, step: STEP }, 1),
    keyOf({ plan, step: STEP }, 0, "x"),
  ];
  assert.equal(new Set([key, ...others]).size, 4);
});

test("a key that is given gets the stored answer, and another request under it conflicts", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  for (const [name, given] of [
    ["observe", { environment: "home" }],
    ["plan_desired", { environment: "home", scope: "all" }],
    ["plan_action", { action: { kind: "vm.start" }, environment: "home", vm: 101 }],
  ] as const) {
    const key = newKey();
    const first = await agent.call(name, { ...given, key });
    const before = await sizeOf(door);
    const again = await agent.call(name, { ...given, key });
    assert.equal(first.structuredContent.key, key);
    assert.equal(again.structuredContent.replayed, true, name);
    assert.equal(again.structuredContent.record, first.structuredContent.record, name);
    assert.equal(await sizeOf(door), before, name);
    const other = await agent.call("plan_desired", { key, scope: [101] });
    assert.deepEqual(codesIn(other), ["key-reused"], name);
  }
});

test("whoever leaves ends nothing: the step is performed once, and found by asking again", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const plan = await approved(door, agent);
  for (const ms of [0, 1, 2, 4, 8, 16, 32]) {
    const message = messageOf("tools/call", { arguments: { plan, step: STEP }, name: "apply_step" });
    const left = fetch(`${door.url}/mcp`, {
      body: JSON.stringify(message),
      headers: { ...headersOf(message), authorization: `Bearer ${agent.token}`, "content-type": "application/json" },
      method: "POST",
      signal: AbortSignal.timeout(ms),
    });
    await Promise.allSettled([left]);
  }
  const found = await agent.call("apply_step", { plan, step: STEP });
  const intent = found.structuredContent.answer?.intent ?? assert.fail(JSON.stringify(found.structuredContent));
  await soon("its end", ended(agent, intent));
  assert.equal(door.served.provider.counts.calls, 1);
  const intents = (await door.served.records()).filter(({ kind }) => kind === "apply");
  assert.equal(intents.length, 1);
  assert.deepEqual(door.failures, []);
});

/** A plan of an agent, and how it asks people for its step. */
const askingFor = async (agent: Agent) => {
  const { structuredContent } = await agent.call("plan_desired", { scope: "all" });
  const plan = structuredContent.answer?.id ?? assert.fail(JSON.stringify(structuredContent));
  const asks = async () => {
    const told = (await agent.call("request_approval", { plan, step: STEP })).structuredContent;
    return [told.record, told.replayed] as const;
  };
  return { asks, path: `/v1/plans/${plan}/steps/1`, plan };
};

test("people are asked anew once an approval is gone, and once for each", async (t) => {
  const door = await atDoor(t);
  const agent = await agentAt(door);
  const { asks, path, plan } = await askingFor(agent);
  const token = await door.tokenFor("ada", ["approver"]);
  const approves = async (by: string) => {
    assert.equal((await door.post(`${path}/approvals`, { reason: "agreed" }, { token: by })).status, 201);
  };
  const [first] = await asks();
  assert.deepEqual(await asks(), [first, true], "an answer that was lost is told again");
  await approves(token);
  assert.deepEqual(await asks(), [first, true], "and also once somebody has approved");
  assert.equal((await door.post(`${path}/revocations`, { reason: "another day" }, { token })).status, 201);
  const both = await Promise.all([asks(), asks()]);
  const second = both[0][0];
  assert.notEqual(second, first);
  assert.equal(both[1][0], second, "of two at once one is recorded");
  assert.deepEqual(await asks(), [second, true]);
  await approves(await door.tokenFor("leaver", ["approver"]));
  assert.equal((await door.post("/v1/token-revocations", { name: "leaver" })).status, 201);
  const [third, isReplayed] = await asks();
  assert.ok(third !== second && !isReplayed, "so is an approval that went with its token");
  assert.deepEqual(await asks(), [third, true]);
  await approves(token);
  const applied = await agent.call("apply_step", { plan, step: STEP });
  await soon("its end", ended(agent, applied.structuredContent.answer?.intent ?? assert.fail(JSON.stringify(applied))));
  assert.equal(door.served.provider.counts.calls, 1);
});

for (const given of ["before", "after"] as const)
  test(`people are asked anew once an approval that was given ${given} ended with its approver's token, and once`, async (t) => {
    const door = await atDoor(t);
    const ada = await door.tokenFor("ada", ["approver"]);
    // Ada's token ends within the life of the plan, and the agent's long after.
    door.served.clock.aheadMs = DAY_MS - 10 * MINUTE_MS;
    const { asks, path } = await askingFor(await agentAt(door));
    const approves = async (token: string) =>
      assert.equal((await door.post(`${path}/approvals`, { reason: "agreed" }, { token })).status, 201);
    if (given === "before") await approves(ada);
    const [first] = await asks();
    if (given === "after") await approves(ada);
    assert.deepEqual(await asks(), [first, true], "it stands");
    door.served.clock.aheadMs += 11 * MINUTE_MS;
    const both = await Promise.all([asks(), asks()]);
    const second = both[0][0];
    assert.notEqual(second, first);
    assert.equal(both[1][0], second, "of two at once one is recorded");
    const before = await sizeOf(door);
    assert.deepEqual(await asks(), [second, true]);
    assert.equal(await sizeOf(door), before);
    await approves(await door.tokenFor("bo", ["approver"]));
    assert.deepEqual(await asks(), [second, true], "that of another stands");
    door.served.clock.aheadMs += 60 * MINUTE_MS;
    assert.deepEqual(await asks(), [second, true], "a step that is over waits for nobody");
  });

test("people are asked anew once an approval counts no more for what was denied since, and once", async (t) => {
  const door = await atDoor(t);
  const [agent, other] = [await agentAt(door), await agentAt(door, "kilo")];
  const ada = await door.tokenFor("ada", ["approver"]);
  const { asks, path, plan } = await askingFor(agent);
  const [first] = await asks();
  assert.equal((await door.post(`${path}/approvals`, { reason: "agreed" }, { token: ada })).status, 201);
  const theirs = await askingFor(other);
  assert.equal((await door.post(`${theirs.path}/denials`, { reason: "not today" }, { token: ada })).status, 201);
  assert.deepEqual(codesIn(await agent.call("apply_step", { plan, step: STEP })), ["approval-missing"]);
  const [second, isReplayed] = await asks();
  assert.ok(second !== first && !isReplayed);
  assert.deepEqual(await asks(), [second, true]);
});
