// What is read of a service: a part of it for whoever names one, and fields of the request where something is not
// understood.

import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR, ok, readyToApply, serving } from "./serving.ts";

const factsOf = (answer: { readonly kind: string; readonly refusals?: readonly { readonly facts: object }[] }) =>
  answer.refusals?.map(({ facts }) => facts);

/** A second environment, of which nothing is known. */
const AWAY = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
`;

test("the status of an environment has its own freezes and those of everything, and no other's", async (t) => {
  const { open } = await serving(t, AWAY);
  const service = open();
  ok(await service.freeze(OPERATOR, { environment: "home", reason: "a drill" }));
  ok(await service.freeze(OPERATOR, { reason: "another drill" }));
  const frozen = async (environment?: string) =>
    ok(await service.status(OPERATOR, environment === undefined ? {} : { environment })).value.freezes.map(
      ({ where }) => where,
    );
  assert.deepEqual((await frozen()).toSorted(), ["everything", "home"]);
  assert.deepEqual((await frozen("home")).toSorted(), ["everything", "home"]);
  assert.deepEqual(await frozen("away"), ["everything"]);
});

test("the status of an environment has its own intents and observations, and no other's", async (t) => {
  const { open } = await serving(t, AWAY);
  const service = open();
  const { value } = ok(await service.apply(OPERATOR, await readyToApply(service)));
  await value.underway?.ended;
  const seen = async (environment: string) => {
    const { last, observations } = ok(await service.status(OPERATOR, { environment })).value;
    return [last.map(({ id }) => id), observations.map((one) => one.environment)];
  };
  assert.deepEqual(await seen("home"), [[value.intent], ["home"]]);
  assert.deepEqual(await seen("away"), [[], []]);
});

test("what is not understood is named by its field, and never by an option of the command line", async (t) => {
  const { open } = await serving(t);
  const service = open();
  const { confirmation, plan } = await readyToApply(service);
  const [first, second] = [{ number: 1 }, { number: 2 }];
  const beyond = await service.apply(OPERATOR, { confirmation, plan, step: second });
  assert.deepEqual(factsOf(beyond), [{ plan }]);
  const unread = await service.apply(OPERATOR, { confirmation: { explanation: "yes" }, plan, step: first });
  assert.deepEqual(factsOf(unread), [{ argument: "confirmation" }]);
  ok(await service.apply(OPERATOR, { confirmation, plan, step: first }));
});
