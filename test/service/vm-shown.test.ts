// vm: what is known of one VM in one answer, by its number or its name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VMID } from "../spine/world.ts";
import { codes, leftOpen, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };
const NONE = "version: 1\nenvironment: home\nvms: []\n";

test("a VM that nobody observed has its entry, its doubt, and nothing else", async (t) => {
  const { open, provider } = await serving(t);
  const { value } = ok(await open().vm(OPERATOR, { vm: "web-01" }));
  assert.deepEqual(
    [value.vmid, value.vm?.entry.name, value.vm?.status, value.vm?.doubt?.code],
    [101, "web-01", "unknown", "not-seen"],
  );
  const rest = ["blocked", "last", "observed", "open", "rememberedIdentity"].filter((one) => Object.hasOwn(value, one));
  assert.deepEqual([rest, value.plans], [[], []]);
  assert.equal(provider.counts.observations, 0);
});

test("what was observed of it stands there as it was recorded, with the identity that is remembered", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { value: observed } = ok(await service.observe(OPERATOR, HOME));
  const { value } = ok(await service.vm(OPERATOR, { ...HOME, vm: "101" }));
  const { source: _, ...stored } = observed.observation.vms[0] ?? assert.fail("it is there");
  assert.deepEqual(value.observed?.state, stored);
  assert.deepEqual(
    [value.observed?.id, value.observed?.digest, value.observed?.brought, value.observed?.live],
    [observed.id, observed.digest, undefined, true],
  );
  assert.deepEqual([value.rememberedIdentity, stored.identity], ["uuid of 101", "uuid of 101"]);
  assert.deepEqual([value.approval, value.isFrozen, value.adapter], ["single-operator", false, "proxmox"]);
});

test("what is under way, how the last one ended and the plans that concern it are there, the newest first", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const ready = await readyToApply(service);
  const planned = ok(await service.vm(OPERATOR, { vm: VMID })).value.plans;
  assert.deepEqual(
    planned.map((plan) => plan.kind === "step" && [plan.id, plan.action, plan.step, plan.status]),
    [[ready.plan, "vm.start", 1, "awaiting-confirmation"]],
  );
  const release = at.provider.verdict.close();
  const { value: applying } = ok(await service.apply(OPERATOR, ready));
  assert.equal(ok(await service.vm(OPERATOR, { vm: VMID })).value.open?.id, applying.intent);
  release();
  await applying.underway?.ended;
  const request = { action: { kind: "vm.start" }, vmid: VMID } as const;
  const { value: refused } = ok(await service.makePlan(OPERATOR, { ...HOME, request, scope: [VMID] }));
  const { value } = ok(await service.vm(OPERATOR, { vm: VMID }));
  assert.deepEqual([value.open, value.last?.id, value.last?.end?.outcome], [undefined, applying.intent, "succeeded"]);
  assert.deepEqual(
    value.plans.map((plan) => [plan.id, plan.kind === "step" ? plan.status : plan.refusal.code]),
    [
      [refused.id, "state-unfit"],
      [ready.plan, "applied"],
    ],
  );
});

test("a VM that an unknown outcome blocks is found after it was removed from what is registered", async (t) => {
  const at = await serving(t);
  const intent = await leftOpen(at);
  const service = at.open();
  assert.equal(await service.begin(), undefined);
  const desired = { file: "desired.yaml", text: NONE };
  ok(await service.register(OPERATOR, { ...HOME, desired, loosens: "whatever" }));
  const { value } = ok(await service.vm(OPERATOR, { vm: "web-01" }));
  assert.deepEqual([value.vm, value.blocked?.id, value.vmid], [undefined, intent, 101]);
});

test("a word that means no VM is refused, and so is an environment that is not configured", async (t) => {
  const { open } = await serving(t);
  const service = open();
  assert.deepEqual(codes(await service.vm(OPERATOR, { vm: "nobody" })), ["usage"]);
  assert.deepEqual(codes(await service.vm(OPERATOR, { environment: "moon", vm: "101" })), ["environment-unknown"]);
});
