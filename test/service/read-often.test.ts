// What is read again and again on one head is put together once, for whoever it was put together for and nobody else;
// another head, another caller and a second later put it together anew.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../../src/ledger/engine.ts";
import { bearer, codes, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };

test("the same plan on the same head is the very same value, without a question to the engine", async (t) => {
  const at = await serving(t);
  const asked = { blobs: 0 };
  const service = at.openOver((engine: Engine) => ({
    ...engine,
    blob: (digest) => {
      asked.blobs += 1;
      return engine.blob(digest);
    },
  }));
  const { plan } = await readyToApply(service);
  const first = ok(await service.showPlan(OPERATOR, { plan }));
  const before = asked.blobs;
  const again = ok(await service.showPlan(OPERATOR, { plan }));
  assert.equal(again.value, first.value);
  assert.deepEqual(again.head, first.head);
  assert.equal(asked.blobs, before);
  assert.notEqual(ok(await service.plans(OPERATOR, {})).value, first.value);
});

test("another head, another caller or a second later is judged anew", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const { plan } = await readyToApply(service);
  const { token = "" } = ok(await service.createToken(OPERATOR, { days: 7, name: "eve", roles: ["observer"] })).value;
  const mine = ok(await service.showPlan(OPERATOR, { plan })).value;
  const theirs = ok(await service.showPlan(bearer(token), { plan })).value;
  assert.notEqual(theirs, mine);
  assert.equal(ok(await service.showPlan(OPERATOR, { plan })).value, mine);
  ok(await service.observe(OPERATOR, HOME));
  assert.notEqual(ok(await service.showPlan(OPERATOR, { plan })).value, mine);
  at.clock.aheadMs = 2 * 3_600_000;
  assert.deepEqual(
    ok(await service.showPlan(OPERATOR, { plan })).value.steps.map(({ status }) => status),
    ["expired"],
  );
});

test("a token that was revoked is shown nothing that was put together for it", async (t) => {
  const at = await serving(t);
  const [service, other] = [at.open(), at.open()];
  const { plan } = await readyToApply(service);
  const { token = "" } = ok(await service.createToken(OPERATOR, { days: 7, name: "eve", roles: ["observer"] })).value;
  ok(await service.showPlan(bearer(token), { plan }));
  ok(await service.showPlan(bearer(token), { plan }));
  ok(await service.revokeToken(OPERATOR, { name: "eve" }));
  assert.deepEqual(codes(await service.showPlan(bearer(token), { plan })), ["actor-unknown"]);
  ok(await other.plans(OPERATOR, {}));
  const made = ok(await service.createToken(OPERATOR, { days: 7, name: "eve", roles: ["observer"] })).value.token ?? "";
  ok(await other.showPlan({ ...bearer(made), atLeast: ok(await service.plans(OPERATOR, {})).head.size - 1 }, { plan }));
});
