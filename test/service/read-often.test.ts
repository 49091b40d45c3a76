// What is read again and again on one head is put together once, for whoever it was put together for and nobody else;
// another head, another caller and a second later put it together anew.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../src/kernel/state/spans.ts";
import type { Engine } from "../../src/ledger/engine.ts";
import type { Vmid } from "../../src/spine/model.ts";
import { VMID } from "../spine/world.ts";
import { until } from "./bound.ts";
import { bearer, bearerAtFiles, codes, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };
const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;

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

test("environments and VMs are put together once on a head, and what was frozen or observed since is in the next", async (t) => {
  const service = (await serving(t)).open();
  await readyToApply(service);
  const listed = async () => ok(await service.environments(OPERATOR, {})).value;
  const seen = async (vms?: readonly Vmid[]) => ok(await service.vms(OPERATOR, vms === undefined ? {} : { vms })).value;
  const [environments, all, one] = [await listed(), await seen(), await seen([VMID])];
  assert.equal(await listed(), environments);
  assert.equal(await seen(), all);
  assert.equal(await seen([VMID]), one);
  assert.notEqual(one, all);
  ok(await service.freeze(OPERATOR, { ...HOME, reason: "incident" }));
  const frozen = (value: typeof environments) => value.environments.map(({ isFrozen }) => isFrozen);
  assert.deepEqual([frozen(environments), frozen(await listed())], [[false], [true]]);
  assert.notEqual(await seen(), all);
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

test("a token that has ended since the same was asked before is shown nothing any more", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const { token = "" } = ok(await service.createToken(OPERATOR, { days: 1, name: "eve", roles: ["observer"] })).value;
  const { plan } = await readyToApply(service);
  at.clock.aheadMs = DAY_MS - 10_000;
  const first = ok(await service.showPlan(bearer(token), { plan })).value;
  assert.equal(ok(await service.showPlan(bearer(token), { plan })).value, first, "it was remembered");
  const { tokens } = ok(await service.tokens(OPERATOR, {})).value;
  const endsMs = Date.parse(tokens.find(({ name }) => name === "eve")?.expiresAt ?? assert.fail("it is listed"));
  at.clock.aheadMs = endsMs - Date.now() - 400;
  ok(await service.showPlan(bearer(token), { plan }));
  at.clock.aheadMs += 500;
  assert.deepEqual(codes(await service.showPlan(bearer(token), { plan })), ["token-expired"]);
});

test("what was put together for a token at one door is not shown for it at another", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const { token = "" } = ok(await service.createToken(OPERATOR, { days: 1, name: "eve", roles: ["observer"] })).value;
  const { plan } = await readyToApply(service);
  const here = ok(await service.showPlan(bearer(token), { plan })).value;
  const there = ok(await service.showPlan(bearerAtFiles(token), { plan })).value;
  assert.notEqual(there, here);
  assert.equal(ok(await service.showPlan(bearerAtFiles(token), { plan })).value, there);
});

test("a token that is made anew for fewer environments is shown what it sees then", async (t) => {
  const at = await serving(t, AWAY);
  const service = at.open();
  const asked = { days: 1, kind: "person", name: "eve", roles: ["observer"] } as const;
  const { token: wide = "" } = ok(await service.createToken(OPERATOR, { ...asked, environments: ["home"] })).value;
  const { plan } = await readyToApply(service);
  ok(await service.showPlan(bearer(wide), { plan }));
  ok(await service.revokeToken(OPERATOR, { name: "eve" }));
  const { token: narrow = "" } = ok(await service.createToken(OPERATOR, { ...asked, environments: ["away"] })).value;
  assert.deepEqual(codes(await service.showPlan(bearer(wide), { plan })), ["actor-unknown"]);
  assert.deepEqual(codes(await service.showPlan(bearer(narrow), { plan })), ["plan-unknown"]);
});

test("what is known is recalled at once, as the very value, and nothing of it once the service begins to close", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const { plan } = await readyToApply(service);
  const recalled = (more: object = {}) => service.recall("showPlan", { ...OPERATOR, ...more }, { plan });
  assert.equal(recalled(), undefined, "nobody was answered yet");
  await until("it is known to be current", async () => {
    const { head, value } = ok(await service.showPlan(OPERATOR, { plan }));
    const known = recalled();
    return known?.value === value && known.head.hash === head.hash;
  });
  assert.equal(recalled()?.actor.kind, "person");
  assert.equal(recalled({ atLeast: 1 }), undefined, "it may have to be waited for");
  assert.equal(service.recall("plans", OPERATOR, { plan }), undefined);
  const closing = service.close();
  assert.equal(recalled(), undefined);
  await closing;
});
