// An agent whose answer was lost asks again under the same key: it gets its intent, whatever has happened since, and no
// second call is sent. B6.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { Service } from "../../src/service/service.ts";
import { soon } from "./bound.ts";
import { bearer, codes, keyed, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const atAgentDoor = (token: string, key?: Ulid): Caller => ({
  ...bearer(token),
  door: "agent",
  ...(key === undefined ? {} : { key }),
});
const STEP = { number: 1 } as const;

/** An agent that planned and was approved; what it asks, and its token. */
const approved = async (service: Service) => {
  const made = ok(await service.createToken(OPERATOR, { days: 30, kind: "agent", name: "robo", roles: ["agent"] }));
  const token = made.value.token ?? assert.fail("it is shown once");
  const { value } = ok(await service.makePlan(atAgentDoor(token), { environment: "home", scope: "all" }));
  const request = { plan: value.id, step: STEP };
  ok(await service.approve(OPERATOR, { ...request, reason: "seen" }));
  return { request, token };
};
const keyOf = (): Ulid => keyed().key ?? assert.fail("it has a key");

type Since = (given: {
  readonly service: Service;
  readonly serving: Serving;
  readonly token: string;
}) => Promise<string>;
/** Each gives the token that the agent has afterwards. */
const SINCE: Readonly<Record<string, Since>> = {
  "a freeze": async ({ service, token }) => {
    ok(await service.freeze(OPERATOR, { environment: "home", reason: "incident" }));
    return token;
  },
  "another policy": async ({ serving: { configuration, written }, token }) => {
    const home = configuration.config.environments.get("home") ?? assert.fail("it is configured");
    const environments = new Map(configuration.config.environments).set("home", { ...home, policy: "policy.yaml" });
    written.config = { ...configuration.config, environments };
    written.policies = new Map([
      ["home", { tighten: [{ action: "vm.start", for: "agent", to: "refused" }], version: 1 }],
    ]);
    return token;
  },
  "another token of its own": async ({ service, token: _ }) =>
    ok(await service.rotateToken(OPERATOR, { days: 30, name: "robo" })).value.token ?? assert.fail("it is shown once"),
  "days, after which the plan is forgotten": async ({ serving: { clock }, token }) => {
    clock.aheadMs += 5 * DAY_MS;
    return token;
  },
  "the end of its plan": async ({ serving: { clock }, token }) => {
    clock.aheadMs += DAY_MS / 12;
    return token;
  },
};
for (const [what, happens] of Object.entries(SINCE)) {
  test(`an apply that is asked for again after ${what} gets its intent, and nothing is sent`, async (t) => {
    const one = await serving(t);
    const service = one.openReloading();
    const { request, token } = await approved(service);
    const key = keyOf();
    const first = ok(await service.apply(atAgentDoor(token, key), request));
    await soon("the outcome", (first.value.underway ?? assert.fail("it is performed here")).ended);
    const now = await happens({ service, serving: one, token });
    const again = ok(await service.apply(atAgentDoor(now, key), request));
    assert.deepEqual([again.replayed, again.value.intent], [true, first.value.intent]);
    assert.equal(one.provider.counts.calls, 1);
    // Under another key it is another request, and is refused.
    assert.notDeepEqual(codes(await service.apply(atAgentDoor(now, keyOf()), request)), []);
    assert.equal(one.provider.counts.calls, 1);
  });
}

test("records of an agent's apply carry its door, and a person's token is refused there", async (t) => {
  const one = await serving(t);
  const service = one.open();
  const { request, token } = await approved(service);
  const made = ok(await service.createToken(OPERATOR, { days: 30, kind: "person", name: "dan", roles: ["operator"] }));
  const dan = made.value.token ?? assert.fail("it is shown once");
  assert.deepEqual(codes(await service.apply(atAgentDoor(dan, keyOf()), request)), ["agents-only"]);
  assert.deepEqual(codes(await service.plans(atAgentDoor(dan), {})), ["agents-only"]);
  assert.deepEqual(codes(await service.freeze(atAgentDoor(token), { environment: "home", reason: "no" })), [
    "agent-door-closed",
  ]);
  const first = ok(await service.apply(atAgentDoor(token, keyOf()), request));
  await soon("the outcome", (first.value.underway ?? assert.fail("it is performed here")).ended);
  const doors = (await one.records())
    .filter(({ kind }) => ["apply", "dispatched", "outcome"].includes(kind))
    .map(({ body }) => (body as { readonly door: string }).door);
  assert.deepEqual([...new Set(doors)], ["agent"]);
});
