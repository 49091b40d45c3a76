// What a door prints and a remote service makes of it: every answer of a real service is printed, held against its
// published schema, made a value again and printed once more, and is the same.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { type ProblemJson, problemJson } from "../../../src/boundary/contract/problem-json.ts";
import { ROUTES } from "../../../src/boundary/contract/routes.ts";
import { BODIES } from "../../../src/boundary/http/answer-bodies.ts";
import type { RefusedAnswer, ServiceAnswer } from "../../../src/service/answer.ts";
import type { Caller } from "../../../src/service/hold/callers.ts";
import type { WhatIf } from "../../../src/service/read/weigh-policy.ts";
import { ANSWER_SCHEMA } from "../../../src/service/remote/answer-in.ts";
import { VALUES, type WholeOperation } from "../../../src/service/remote/answer-values.ts";
import { fitsSchema, type SchemaDocument } from "../../../src/service/remote/fits-schema.ts";
import { refusedFrom } from "../../../src/service/remote/refusal-values.ts";
import type { Service } from "../../../src/service/service.ts";
import { type Ending, OPERATOR, ok, readyToApply, serving } from "../serving.ts";

const SERVER = "https://dedalus.example";
const documents = (file: string): SchemaDocument =>
  JSON.parse(readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), "utf8"));
const words = { findingWords: () => ({ detail: "", title: "" }) };

const asked = new Set<WholeOperation>();
const travelled = (value: object): object => JSON.parse(JSON.stringify(value));

type Asking = (caller: Caller, request: object) => Promise<ServiceAnswer<object>>;

/** The value as whoever asks from elsewhere has it. */
const roundTrip = async (service: Service, operation: WholeOperation, request: object): Promise<object> => {
  const asking: unknown = service[operation];
  const answer = await (asking as Asking)(OPERATOR, request);
  const { value } = ok(answer);
  const bodyOf = BODIES[operation] as (one: object, how: typeof words) => object;
  const body = travelled(bodyOf(value, words));
  const { answer: name } = ROUTES[operation];
  assert.ok(fitsSchema(documents, ANSWER_SCHEMA, `$defs/${name}`, body), `${operation}: ${JSON.stringify(body)}`);
  const valueFrom = VALUES[operation] as (one: object, server: string) => object;
  const made = valueFrom(body, SERVER);
  assert.deepEqual(travelled(bodyOf(made, words)), body, operation);
  asked.add(operation);
  return made;
};

const refusedTrip = (answer: ServiceAnswer<unknown>): RefusedAnswer => {
  assert.equal(answer.kind, "refused");
  const problem = travelled(problemJson(answer, "01KA4QJ5V8R3W2T6Y7Z8N9M0P1"));
  return refusedFrom(problem as ProblemJson, SERVER);
};

/** One service for all of this file. */
const whole: Ending & { readonly ends: (() => Promise<void>)[] } = {
  after: (end) => void whole.ends.push(end),
  ends: [],
};
after(async () => {
  for (const end of whole.ends) await end();
});

test("every answer of a day is the same value on the other side", async () => {
  const at = await serving(whole, "service: { url: http://localhost:7400 }\n");
  const service = at.open();
  const trip = (operation: WholeOperation, request: object = {}) => roundTrip(service, operation, request);
  const desired = { file: "desired.yaml", text: readFileSync(`${at.folder}/desired.yaml`, "utf8") };
  await trip("register", { desired });
  await trip("observe");
  await trip("drift");
  const plan = { plan: ((await trip("makePlan", { scope: "all" })) as { readonly id: string }).id };
  const step = { ...plan, step: { number: 1 } };
  for (const operation of [
    "environments",
    "checkpoints",
    "fleet",
    "desired",
    "people",
    "plans",
    "status",
    "vms",
    "tokens",
    "whoami",
    "verify",
    "replay",
    "examine",
  ] as const)
    await trip(operation);
  await trip("environments");
  await trip("showPlan", plan);
  await trip("comparePlans", { ...plan, with: "latest" });
  await trip("explain", step);
  await trip("requestApproval", step);
  await trip("approve", { ...step, reason: "agreed" });
  await trip("review", step);
  await trip("revoke", { ...step, reason: "changed" });
  await trip("prepareApply", plan);
  await trip("challenge", step);
  await trip("explain", { ...step, words: "as-shown" });
  await trip("freeze", { reason: "incident" });
  await trip("prepareApply", plan);
  await trip("status");
  await trip("stateAfter", { at: 3 });
  for (const to of ["high", "refused"]) {
    const policy = { file: "policy.yaml", text: `version: 1\ntighten: [{ action: vm.start, to: ${to} }]\n` };
    const { steps } = (await trip("whatIf", { environment: "home", policy })) as WhatIf;
    assert.ok(steps.length > 0);
  }
  await trip("unfreeze", { reason: "over" });
  const applied = ok(await service.apply(OPERATOR, await readyToApply(service)));
  await applied.value.underway?.ended;
  await trip("intent", { intent: applied.value.intent });
  await trip("review", step);
  await trip("status");
  await trip("vms");
  await trip("fleet");
  await trip("vm", { vm: "101" });
  await trip("allowances");
  await trip("rules");
  await trip("history", { vm: "101" });
  await trip("annotate", { about: 3, text: "looked at" });
  await trip("createToken", { days: 3, name: "bob", roles: ["approver"] });
  await trip("rotateToken", { days: 3, name: "bob" });
  await trip("tokens");
  await trip("revokeToken", { name: "bob" });
  await trip("invite", { days: 3, name: "bob", roles: ["approver"] });
  await trip("checkpoint");
  await trip("prove", { seq: 3 });
  const other = {
    plan: (
      (await trip("makePlan", { request: { action: { kind: "vm.reboot" }, vmid: 101 }, scope: [101] })) as {
        readonly id: string;
      }
    ).id,
  };
  await trip("deny", { ...other, reason: "not now", step: { number: 1 } });
  await trip("review", { ...other, step: { number: 1 } });
  await trip("cancel", { ...other, reason: "not wanted" });
  await trip("comparePlans", { ...other, with: plan.plan });
  await trip("history", { vm: "web-01" });
  await trip("vm", { vm: "web-01" });
});

test("an apply is followed by its intent, and a key is known by its record", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const ready = await readyToApply(service);
  const open = at.provider.verdict.close();
  await roundTrip(service, "apply", ready);
  await roundTrip(service, "status", {});
  open();
  await roundTrip(service, "answered", { key: "01KA4QJ5V8R3W2T6Y7Z8N9M0P1" });
});

test("a refusal is the same refusal on the other side, with what the asker was about", async (t) => {
  const at = await serving(t);
  const service = at.open();
  const ready = await readyToApply(service);
  ok(await service.freeze(OPERATOR, { reason: "incident" }));
  const refused = await service.apply(OPERATOR, ready);
  assert.deepEqual(refusedTrip(refused), refused);
  const problem = await service.register(OPERATOR, { desired: { file: "desired.yaml", text: "version: 2\n" } });
  assert.deepEqual(refusedTrip(problem), problem);
});

test("a code of a newer service is told in its own words, and what was executed stays", () => {
  const told = { code: "moon-full", facts: {}, rule: "N1", stage: "kernel", text: { detail: "the moon is full" } };
  const problem: unknown = { domain: "kernel", outcome: "executed", refusals: [told] };
  const answer = refusedFrom(problem as ProblemJson, SERVER);
  assert.deepEqual([answer.outcome, answer.refusals[0]?.cause], ["executed", "code-unknown"]);
  assert.equal(answer.refusals[0]?.facts["said"], "the moon is full");
});

test("every operation was asked, but for those that need more than one VM in memory", () => {
  const left = (Object.keys(VALUES) as WholeOperation[]).filter((one) => !asked.has(one)).toSorted();
  assert.deepEqual(left, ["acceptClock", "acceptIdentity", "ingest", "inventory", "reconcile", "signOut"]);
});
