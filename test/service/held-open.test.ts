// What a service holds open, and for whom: an opening that failed is tried again, a closed service refuses, and whoever
// asks is judged on the ledger as it is now, before a provider is asked.

import assert from "node:assert/strict";
import { readdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { Service } from "../../src/service/service.ts";
import type { Refusal, Vmid } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { wantRunning } from "../spine/world.ts";
import { soon, until } from "./bound.ts";
import { bearer, codes, type Ending, keyed, OPERATOR, ok, readyToApply, type Serving, serving } from "./serving.ts";

const HOME = { environment: "home" };
const PLAN = { ...HOME, scope: "all" } as const;
const { vmid } = wantRunning();

const tokenOf = async (service: Service, name: string, roles: readonly Role[]): Promise<Caller> => {
  const made = ok(await service.createToken(OPERATOR, { days: 7, kind: "person", name, roles }));
  return bearer(made.value.token ?? assert.fail("it is shown once"));
};

test("a listener that throws ends neither its own request nor another's", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const failing = (): void => {
    throw new Error("gone");
  };
  const [one, other] = await Promise.all([
    service.observe(OPERATOR, HOME, failing),
    service.observe(OPERATOR, HOME),
    service.status(OPERATOR, {}, failing),
  ]);
  ok(one);
  ok(other);
});

test("an opening that fails is forgotten: the next request opens", async (t) => {
  const { folder, open } = await serving(t);
  const [key, away, service] = [join(folder, "keys/ledger.key"), join(folder, "keys/away"), open()];
  renameSync(key, away);
  symlinkSync("ledger.key", key);
  for (const ask of [() => service.status(OPERATOR, {}), () => service.observe(OPERATOR, HOME)])
    assert.deepEqual(codes(await ask()), ["key-unusable"]);
  renameSync(away, key);
  ok(await service.observe(OPERATOR, HOME));
  ok(await service.status(OPERATOR, {}));
});

test("a closed service refuses everything, closes once, and leaves no file open", async (t) => {
  const { folder, open, provider, records } = await serving(t);
  const service = open();
  ok(await service.status(OPERATOR, {}));
  const request = await readyToApply(service);
  const go = provider.verdict.close();
  const { value } = ok(await service.apply(OPERATOR, request));
  const closing = service.close();
  const whileClosing = await soon("an answer while it closes", service.observe(OPERATOR, HOME));
  assert.deepEqual(codes(whileClosing), ["service-ending"]);
  go();
  const { ended } = value.underway ?? assert.fail("it is performed here");
  assert.equal((await soon("the outcome", ended)).file.outcome, "succeeded");
  assert.equal(service.close(), closing);
  assert.deepEqual(await soon("the end", closing), []);
  const { length } = await records();
  for (const ask of [
    () => service.freeze(OPERATOR, { reason: "x" }),
    () => service.plans(OPERATOR, {}),
    () => service.prepareApply(OPERATOR, { plan: "x" }),
    () => service.verify(OPERATOR, {}),
  ]) {
    const answer = await soon<ServiceAnswer<unknown>>("an answer of a closed service", ask());
    assert.deepEqual(codes(answer), ["service-ending"]);
    assert.deepEqual(answer.kind === "refused" && [answer.domain, answer.outcome], ["transport", "not_executed"]);
  }
  assert.equal((await records()).length, length);
  const held = readdirSync("/proc/self/fd").filter((one) => linkOf(`/proc/self/fd/${one}`).startsWith(folder));
  assert.deepEqual(held, []);
});

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return "it was the folder's own";
  }
};

test("a seal that was undone elsewhere keeps no brake out", async (t) => {
  const { folder, ledger, open } = await serving(t);
  const service = open();
  ok(await service.observe(OPERATOR, HOME));
  ok(await ledger.move(OPERATOR, { confirm: async () => "yes", to: { address: "copy.db", folder } }));
  assert.deepEqual(codes(await service.freeze(OPERATOR, { reason: "x" })), ["record-unwritten"]);
  ok(await ledger.unseal(OPERATOR, { isCopyGone: true, reason: "the copy is gone" }));
  ok(await service.freeze(OPERATOR, { ...HOME, reason: "x" }));
});

type Ask = (service: Service, caller: Caller, plan: string) => Promise<ServiceAnswer<unknown>>;
const ASKS: Readonly<Record<string, Ask>> = {
  observe: (service, caller) => service.observe(caller, HOME),
  plan: (service, caller) => service.makePlan(caller, PLAN),
  "prepare an apply": (service, caller, plan) => service.prepareApply(caller, { plan }),
};

const within = async (work: (at: Serving) => Promise<readonly Refusal[]>): Promise<readonly Refusal[]> => {
  const ends: (() => Promise<void>)[] = [];
  const ending: Ending = { after: (end) => void ends.push(end) };
  try {
    return await work(await serving(ending));
  } finally {
    for (const end of ends) await end();
  }
};
const objectionsIn = (answer: ServiceAnswer<unknown>): readonly Refusal[] =>
  answer.kind === "ok" ? [] : answer.refusals.flatMap((one) => ("rule" in one ? [one] : []));

/** Nothing of a provider is touched for whoever is refused. */
const objectionsTo = async ({ provider }: Serving, ask: () => Promise<ServiceAnswer<unknown>>) => {
  const before = { ...provider.counts };
  const answer = await ask();
  if (answer.kind === "refused") assert.deepEqual(provider.counts, before);
  return objectionsIn(answer);
};

const afterRevoked = (ask: Ask, who: string, isKeyed: boolean) =>
  within(async (at) => {
    const [here, there] = [at.open(), at.open()];
    const bob = { ...(await tokenOf(here, "bob", ["operator"])), ...(isKeyed ? keyOf() : {}) };
    await tokenOf(here, "eve", ["observer"]);
    const { value } = ok(await here.makePlan(OPERATOR, PLAN));
    if (isKeyed) ok(await ask(here, bob, value.id));
    ok(await there.revokeToken(OPERATOR, { name: who }));
    return objectionsTo(at, () => ask(here, bob, value.id));
  });
const keyOf = () => {
  const { key = assert.fail("it has one") } = keyed();
  return { key };
};
for (const [what, ask] of Object.entries(ASKS)) {
  cannot("B2", `${what} with a token that another process revoked`, {
    neighbour: () => afterRevoked(ask, "eve", false),
    offence: () => afterRevoked(ask, "bob", false),
  });
}
cannot("B2", "get a stored answer with a token that another process revoked", {
  neighbour: () => afterRevoked((service, caller) => service.makePlan(caller, PLAN), "eve", true),
  offence: () => afterRevoked((service, caller) => service.makePlan(caller, PLAN), "bob", true),
});

const asRole = (ask: Ask, role: Role) =>
  within(async (at) => {
    const service = at.open();
    const bob = await tokenOf(service, "bob", [role]);
    const { value } = ok(await service.makePlan(OPERATOR, PLAN));
    return objectionsTo(at, () => ask(service, bob, value.id));
  });
for (const [what, ask] of Object.entries(ASKS)) {
  cannot("P7-A1", `${what} as an auditor, and have the provider asked for it`, {
    neighbour: () => asRole(ask, "operator"),
    offence: () => asRole(ask, "auditor"),
  });
}

test("an identity is observed only for whoever may accept it", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const observer = await tokenOf(service, "bob", ["observer"]);
  const request = { ...HOME, identity: "another", reason: "x", vmid: vmid as Vmid };
  const before = { ...at.provider.counts };
  assert.deepEqual(codes(await service.acceptIdentity(observer, request)), ["role-missing"]);
  assert.deepEqual(at.provider.counts, before);
  await service.acceptIdentity(OPERATOR, request);
  assert.equal(at.provider.counts.observations, before.observations + 1);
});

test("an apply's own observations wait for nobody's", async (t) => {
  const { open, provider } = await serving(t);
  const service = open();
  const request = await readyToApply(service);
  const go = provider.observing.close();
  const observed = service.observe(OPERATOR, HOME);
  await until("an observation", () => provider.counts.observations >= 2);
  ok(await soon("an apply", service.apply(OPERATOR, request)));
  await until("the apply's own observation", () => provider.counts.observations >= 3);
  go();
  ok(await soon("the observation", observed));
});

test("of two at once with one key, one is shown the token; what was refused on the way is no stored answer", async (t) => {
  const { open } = await serving(t);
  const [service, caller, other] = [open(), keyed(), keyed()];
  const request = { days: 7, kind: "person", name: "bob", roles: ["operator"] } as const;
  const made = await Promise.all([service.createToken(caller, request), service.createToken(caller, request)]);
  assert.deepEqual(made.map((one) => [ok(one).replayed, ok(one).value.token !== undefined]).sort(), [
    [false, true],
    [true, false],
  ]);
  const elsewhere = { environment: "nowhere" };
  const refused = await Promise.all([service.observe(other, elsewhere), service.observe(other, elsewhere)]);
  for (const one of refused) assert.deepEqual([codes(one), one.replayed], [["environment-unknown"], undefined]);
});

test("numbers that no record has, keys that are none, and half of a character under one are refused and not thrown", async (t) => {
  const { open } = await serving(t);
  const service = open();
  for (const seq of [-1, 1.5, Number.NaN]) {
    const answers = [
      service.prove(OPERATOR, { seq }),
      service.stateAfter(OPERATOR, { at: seq }),
      service.replay(OPERATOR, { to: seq }),
    ];
    for (const answer of await Promise.all(answers)) {
      assert.deepEqual(codes(answer), ["usage"]);
      assert.equal(answer.kind === "refused" && answer.refusals[0]?.cause, "record-unknown");
    }
  }
  assert.deepEqual(codes(await service.freeze(keyed(), { reason: "half \ud800" })), ["record-unwritten"]);
  const noKey = { ...OPERATOR, key: "no ULID" as Ulid };
  assert.deepEqual(codes(await service.freeze(noKey, { reason: "x" })), ["record-unwritten"]);
  ok(await service.freeze(keyed(), { reason: "whole \ud83d\ude00" }));
  ok(await service.prove(OPERATOR, { seq: 0 }));
  ok(await service.stateAfter(OPERATOR, { at: 0 }));
});
