// comparePlans: what moved between two recorded plans, by VM, and what differs behind it.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlanRequest } from "../../src/service/act/make-plan.ts";
import { comparedJson } from "../../src/service/json/compared-json.ts";
import type { Service } from "../../src/service/service.ts";
import { COMPARED_FIELDS } from "../../tools/answers/compared-fields.ts";
import { noteMembers, printed } from "../live/counted-answers.ts";
import { VMID } from "../spine/world.ts";
import { codes, OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const HOME = { environment: "home" };
const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;
const textFor = (entry: string, environment = "home") =>
  `version: 1\nenvironment: ${environment}\nvms: [{ vmid: 101, name: web-01, ${entry} }]\n`;

const registered = async (service: Service, entry: string): Promise<void> => {
  ok(await service.register(OPERATOR, { ...HOME, desired: { file: "desired.yaml", text: textFor(entry) } }));
};
const plan = async (service: Service, more: Partial<PlanRequest> = {}): Promise<string> =>
  ok(await service.makePlan(OPERATOR, { ...HOME, registeredOnly: true, scope: "all", ...more })).value.id;
const compared = async (service: Service, before: string, after: string) => {
  const { value } = ok(await service.comparePlans(OPERATOR, { plan: after, with: before }));
  noteMembers(comparedJson(value));
  return value;
};

test("a plan beside itself has nothing that moved", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const id = await plan(service);
  const { after, before, grounds, moved, same } = await compared(service, id, id);
  assert.deepEqual([grounds, moved, same, after.id, before.id], [[], [], 1, id, id]);
});

test("a VM that a step mended is in sync in the later plan, and what was observed says why", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const ready = await readyToApply(service);
  const { value: applying } = ok(await service.apply(OPERATOR, ready));
  await applying.underway?.ended;
  const later = await plan(service);
  const { grounds, moved, same } = await compared(service, ready.plan, later);
  assert.deepEqual([grounds, same], [["observation"], 0]);
  const [vm] = moved;
  assert.deepEqual(
    [vm?.vmid, vm?.was?.kind, vm?.now?.kind, vm?.changed],
    [101, "step", "in-sync", [{ field: "status", now: "running", was: "stopped" }]],
  );
  assert.deepEqual(vm?.facts, [
    { fact: "desiredStatus", was: "running" },
    { fact: "observedStatus", was: "stopped" },
  ]);
  const [json] = comparedJson(await compared(service, ready.plan, later)).movedVms;
  assert.deepEqual(
    [json?.textBefore, json?.textAfter, json?.stateText],
    ["start web-01: stopped → running", undefined, "status stopped → running"],
  );
});

test("an entry that was changed is told attribute by attribute, and its refusal with its facts", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const first = await plan(service);
  await registered(service, "target: stopped, stop: shutdown, cpus: 4");
  const second = await plan(service);
  const { grounds, moved } = await compared(service, first, second);
  assert.ok(grounds.includes("desired"));
  const [vm] = moved;
  assert.deepEqual(vm?.attributes, [
    { attribute: "target", now: "stopped", was: "running" },
    { attribute: "stop", now: "shutdown" },
    { attribute: "cpus", now: 4 },
  ]);
  const [json] = comparedJson(await compared(service, first, second)).movedVms;
  assert.equal(json?.attributesText, "target running → stopped, stop shutdown added, cpus 4 added");
  assert.ok(vm?.now?.kind === "refusal");
  assert.equal(vm.now.code, "size-not-seen");
  assert.ok(vm.members.includes("kind") && vm.members.includes("code") && !vm.members.includes("hash"));
  assert.deepEqual(
    vm.facts.filter(({ fact }) => fact === "size"),
    [{ fact: "size", now: "cpus" }],
  );
});

test("a VM that one of the plans does not answer for is told with the answer of the other", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const whole = await plan(service);
  const none = await plan(service, { scope: [] });
  const { grounds, moved } = await compared(service, whole, none);
  assert.ok(grounds.includes("scope"));
  assert.deepEqual([moved[0]?.was?.kind, Object.hasOwn(moved[0] ?? {}, "now")], ["step", false]);
});

test("the plan of one requested action stands beside a plan of what is registered", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const whole = await plan(service);
  const request = { action: { kind: "vm.start" }, vmid: VMID } as const;
  const one = await plan(service, { request, scope: [VMID] });
  const [vm] = (await compared(service, whole, one)).moved;
  assert.deepEqual(
    [vm?.was?.kind, vm?.now?.kind, vm?.members, vm?.attributes],
    ["step", "step", ["reason"], undefined],
  );
});

test("plans of two environments are not compared, and a plan that nobody made is refused", async (t) => {
  const { open } = await serving(t, AWAY);
  const service = open();
  const home = await plan(service);
  const request = { environment: "away", desired: { file: "away.yaml", text: textFor("target: running", "away") } };
  ok(await service.register(OPERATOR, request));
  const away = await plan(service, { environment: "away" });
  const apart = await service.comparePlans(OPERATOR, { plan: home, with: away });
  assert.ok(apart.kind === "refused");
  assert.deepEqual(
    apart.refusals.map(({ cause, code }) => [code, cause]),
    [["usage", "plans-apart"]],
  );
  const nobody = { plan: home, with: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1" };
  assert.deepEqual(codes(await service.comparePlans(OPERATOR, nobody)), ["plan-unknown"]);
  assert.deepEqual(codes(await service.comparePlans(OPERATOR, { plan: nobody.with, with: home })), ["plan-unknown"]);
});

test("the schema knows no member of two plans that nothing prints", () => {
  assert.deepEqual(
    Object.keys(COMPARED_FIELDS).filter((name) => !printed.has(name)),
    [],
  );
});
