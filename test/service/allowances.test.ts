// What a caller is told in advance is what they are answered: each act of the list is asked for, by whoever may and by
// whoever may not, and nothing is recorded by asking what would come of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "../../src/kernel/command/roles.ts";
import type { ActAllowed } from "../../src/service/act/allowances.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { LocalService } from "../../src/service/local-service.ts";
import { bearer, codes, type Ending, OPERATOR, ok, serving } from "./serving.ts";

const placed = async (t: Ending) => {
  const at = await serving(t, "service: { url: http://localhost:7400 }\n", (ports) => ({ ...ports, serves: true }));
  const service = at.open();
  const tokenOf = async (name: string, roles: readonly Role[]): Promise<Caller> => {
    const { value } = ok(await service.createToken(OPERATOR, { days: 7, kind: "agent", name, roles }));
    return bearer(value.token ?? assert.fail("it is shown once"));
  };
  return { at, service, tokenOf };
};

const told = async (service: LocalService, caller: Caller, environment?: string): Promise<readonly ActAllowed[]> =>
  ok(await service.allowances(caller, environment === undefined ? {} : { environment })).value.allowances;

const codesFor = (allowances: readonly ActAllowed[], act: ActAllowed["act"], environment?: string) =>
  allowances.find((one) => one.act === act && one.environment === environment)?.refusals.map(({ code }) => code) ??
  assert.fail(`${act} is told`);

const HOME = { environment: "home" };
const ASKED: Readonly<
  Record<ActAllowed["act"], (service: LocalService, caller: Caller) => Promise<ServiceAnswer<unknown>>>
> = {
  annotate: (service, caller) => service.annotate(caller, { ...HOME, text: "looked at" }),
  freeze: (service, caller) => service.freeze(caller, { ...HOME, reason: "a drill" }),
  observe: (service, caller) => service.observe(caller, HOME),
  plan: (service, caller) => service.makePlan(caller, { ...HOME, scope: "all" }),
  reconcile: (service, caller) => service.reconcile(caller, { ...HOME, vmid: "101" }),
  unfreeze: (service, caller) => service.unfreeze(caller, { ...HOME, reason: "over" }),
};

test("whoever may only observe is told so in the words in which each act is refused", async (t) => {
  const { service, tokenOf } = await placed(t);
  const olive = await tokenOf("olive", ["observer"]);
  const allowances = await told(service, olive);
  for (const act of ["annotate", "freeze", "observe", "plan", "unfreeze"] as const)
    assert.deepEqual(codesFor(allowances, act, "home"), codes(await ASKED[act](service, olive)), act);
  assert.deepEqual(codesFor(allowances, "observe", "home"), []);
  assert.deepEqual(codesFor(allowances, "plan", "home"), ["role-missing"]);
  assert.deepEqual(codesFor(allowances, "freeze"), ["role-missing"]);
  // Which VM is meant is judged first, and this one has nothing to reconcile.
  assert.deepEqual(codesFor(allowances, "reconcile", "home"), ["role-missing"]);
  assert.deepEqual(codes(await ASKED.reconcile(service, OPERATOR)), ["vm-not-blocked"]);
});

test("whoever has roles in one environment remarks there and not on what is of none", async (t) => {
  const { service } = await placed(t);
  const made = { days: 7, environments: ["home"], kind: "agent", name: "hana", roles: ["observer"] } as const;
  const { token } = ok(await service.createToken(OPERATOR, made)).value;
  const hana = bearer(token ?? assert.fail("it is shown once"));
  const allowances = await told(service, hana);
  assert.deepEqual(codesFor(allowances, "annotate", "home"), []);
  assert.deepEqual(codesFor(allowances, "annotate"), ["role-elsewhere"]);
  assert.deepEqual(codes(await service.annotate(hana, { text: "looked at" })), ["role-elsewhere"]);
});

test("a freeze that is not there cannot be lifted, and is told so until it is there", async (t) => {
  const { at, service } = await placed(t);
  await told(service, OPERATOR);
  const { length } = await at.records();
  assert.deepEqual(codesFor(await told(service, OPERATOR), "unfreeze", "home"), ["freeze-absent"]);
  assert.deepEqual(codesFor(await told(service, OPERATOR, "home"), "freeze", "home"), []);
  assert.equal((await at.records()).length, length);
  ok(await ASKED.freeze(service, OPERATOR));
  assert.deepEqual(codesFor(await told(service, OPERATOR), "unfreeze", "home"), []);
  assert.deepEqual(codesFor(await told(service, OPERATOR), "unfreeze"), ["freeze-absent"]);
});

test("where nothing is registered nothing is observed, and an environment that is none is refused", async (t) => {
  const away = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;
  const service = (await serving(t, away)).open();
  const allowances = await told(service, OPERATOR);
  assert.deepEqual(codesFor(allowances, "observe", "away"), ["desired-unregistered"]);
  assert.deepEqual(codesFor(allowances, "observe", "home"), []);
  assert.deepEqual(codes(await service.allowances(OPERATOR, { environment: "none" })), ["environment-unknown"]);
});
