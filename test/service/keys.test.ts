// A key belongs to what the door was asked: asked again it gets the stored answer, and nothing is done; another request
// conflicts; only the record that answers carries it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cannot } from "../cannot.ts";
import { wantRunning } from "../spine/world.ts";
import { soon } from "./bound.ts";
import { bearer, codes, keyed, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };
const PLAN = { ...HOME, scope: "all" } as const;

test("a repeated observe gets the stored answer, and nothing is observed", async (t) => {
  const { open, provider } = await serving(t);
  const [service, caller] = [open(), keyed()];
  const first = ok(await service.observe(caller, HOME));
  const second = ok(await service.observe(caller, HOME));
  assert.deepEqual([first.replayed, second.replayed], [false, true]);
  // Where a state came from is for display, and not kept.
  const { observation, ...rest } = first.value;
  const { observation: again, ...stored } = second.value;
  assert.deepEqual(stored, rest);
  assert.deepEqual(
    again.vms.map(({ status, vmid }) => [vmid, status]),
    observation.vms.map(({ status, vmid }) => [vmid, status]),
  );
  assert.equal(second.record?.seq, first.record?.seq);
  assert.equal(provider.counts.observations, 1);
});

test("a repeated plan gets the stored plan, also from another process, and nothing is observed", async (t) => {
  const { open, provider, records } = await serving(t);
  const [service, caller] = [open(), keyed()];
  const first = ok(await service.makePlan(caller, PLAN));
  await service.close();
  const second = ok(await open().makePlan(caller, PLAN));
  assert.equal(second.replayed, true);
  assert.deepEqual([second.value.id, second.value.plan], [first.value.id, first.value.plan]);
  assert.equal(provider.counts.observations, 1);
  assert.equal((await records()).filter(({ kind }) => kind === "plan").length, 1);
});

test("a repeated apply gets its intent and how it ended, and no second call is sent", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const [request, caller] = [await readyToApply(service), keyed()];
  const first = ok(await service.apply(caller, request));
  const { file } = await soon("the outcome", (first.value.underway ?? assert.fail("it is performed here")).ended);
  assert.equal(file.outcome, "succeeded");
  const second = ok(await service.apply(caller, request));
  assert.deepEqual([second.replayed, second.value.intent], [true, first.value.intent]);
  assert.deepEqual(second.value.applied?.file, file);
  assert.equal(provider.counts.calls, 1);
});

test("an apply that is repeated while it is performed gets the same intent, and its stages from the first on", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const [request, caller] = [await readyToApply(service), keyed()];
  const go = provider.verdict.close();
  const first = ok(await service.apply(caller, request));
  const second = ok(await service.apply(caller, request));
  assert.deepEqual([second.replayed, second.value.intent], [true, first.value.intent]);
  go();
  const stages: string[] = [];
  for await (const stage of (second.value.underway ?? assert.fail("it is performed here")).stages) stages.push(stage);
  assert.deepEqual([stages[0], stages.at(-1)], ["anchor", "conclude"]);
  assert.equal(provider.counts.calls, 1);
});

test("of two at once with one key, one observes, and both get its answer", async (t) => {
  const { open, provider } = await serving(t);
  const [service, caller] = [open(), keyed()];
  const [one, other] = await Promise.all([service.makePlan(caller, PLAN), service.makePlan(caller, PLAN)]);
  assert.equal(ok(one).value.id, ok(other).value.id);
  assert.deepEqual([ok(one).replayed, ok(other).replayed].sort(), [false, true]);
  assert.equal(provider.counts.observations, 1);
});

test("of two services at once with one key, both get one plan", async (t) => {
  const { open, records } = await serving(t);
  const [here, there, caller] = [open(), open(), keyed()];
  const [one, other] = await Promise.all([here.makePlan(caller, PLAN), there.makePlan(caller, PLAN)]);
  assert.equal(ok(one).value.id, ok(other).value.id);
  assert.equal((await records()).filter(({ kind }) => kind === "plan").length, 1);
});

test("only the record that answers carries the key and the digest of what was asked", async (t) => {
  const { open, records } = await serving(t);
  const caller = keyed();
  const { record } = ok(await open().makePlan(caller, PLAN));
  const withKey = (await records()).filter((one) => one.idempotencyKey === caller.key || one.asked !== undefined);
  assert.deepEqual(
    withKey.map(({ kind, seq }) => [kind, seq]),
    [["plan", record?.seq]],
  );
});

test("a caller can ask what became of a key of its own", async (t) => {
  const { open } = await serving(t);
  const [service, caller, unused] = [open(), keyed(), keyed()];
  const { record } = ok(await service.makePlan(caller, PLAN));
  const { value } = ok(await service.answered(OPERATOR, { key: caller.key ?? "" }));
  assert.deepEqual([value.record?.seq, value.asked], [record?.seq, record?.asked]);
  assert.deepEqual(ok(await service.answered(OPERATOR, { key: unused.key ?? "" })).value, {});
});

test("a refusal that was recorded is the stored answer, too", async (t) => {
  const { open, records } = await serving(t);
  const service = open();
  const { plan, step } = await readyToApply(service);
  const caller = keyed();
  const first = await service.apply(caller, { plan, step });
  const before = (await records()).length;
  const second = await service.apply(caller, { plan, step });
  assert.deepEqual([codes(first), codes(second)], [["confirmation-missing"], ["confirmation-missing"]]);
  assert.equal(second.kind === "refused" && second.replayed, true);
  assert.equal((await records()).length, before);
});

test("the same key of another caller is another key", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const made = ok(await service.createToken(OPERATOR, { days: 7, kind: "person", name: "bob", roles: ["operator"] }));
  const caller = keyed();
  ok(await service.observe(caller, HOME));
  const bob = { ...bearer(made.value.token ?? ""), ...(caller.key === undefined ? {} : { key: caller.key }) };
  assert.equal(ok(await service.observe(bob, HOME)).replayed, false);
  assert.equal(provider.counts.observations, 2);
});

test("a token is shown in the first answer, and never in a repeat", async (t) => {
  const { open } = await serving(t);
  const [service, caller] = [open(), keyed()];
  const request = { days: 7, kind: "person", name: "bob", roles: ["operator"] } as const;
  const first = ok(await service.createToken(caller, request));
  const second = ok(await service.createToken(caller, request));
  assert.match(first.value.token ?? "", /^dedalus_/);
  const { token: _, ...rest } = first.value;
  assert.deepEqual(second.value, rest);
});

for (const [what, isAtOnce] of [
  ["a key again for another request", false],
  ["a key for two requests at once", true],
] as const) {
  cannot("B6", `use ${what}`, {
    neighbour: () => reused(isAtOnce, PLAN),
    offence: () => reused(isAtOnce, { ...PLAN, scope: [wantRunning().vmid] }),
  });
}

const reused = async (isAtOnce: boolean, request: Parameters<typeof askPlan>[2]) => {
  const after: (() => Promise<void>)[] = [];
  try {
    const { open } = await serving({ after: (work) => after.push(work) });
    const [service, caller] = [open(), keyed()];
    const first = askPlan(service, caller, PLAN);
    if (!isAtOnce) await first;
    const second = await askPlan(service, caller, request);
    await first;
    return second.kind === "ok" ? [] : second.refusals;
  } finally {
    for (const work of after) await work();
  }
};

type Service = ReturnType<Awaited<ReturnType<typeof serving>>["open"]>;
const askPlan = (
  service: Service,
  caller: Parameters<Service["makePlan"]>[0],
  request: Parameters<Service["makePlan"]>[1],
) => service.makePlan(caller, request);

test("a key that a caller chose is bound to the reason of a request for approval too", async (t) => {
  const service = (await serving(t)).open();
  const { value: plan } = ok(await service.makePlan(OPERATOR, PLAN));
  const [caller, step] = [keyed(), { plan: plan.id, step: { number: 1 } }];
  ok(await service.requestApproval(caller, { ...step, reason: "the release needs it" }));
  assert.deepEqual(codes(await service.requestApproval(caller, { ...step, reason: "it is urgent" })), ["key-reused"]);
  assert.equal(ok(await service.requestApproval(caller, { ...step, reason: "the release needs it" })).replayed, true);
});
