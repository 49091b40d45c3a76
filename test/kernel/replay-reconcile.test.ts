// Ends of unknown outcomes, decided again from records and blobs alone: those that were granted, and those that were
// not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import { desiredFor, observationOf, state as vmState, wantStopped } from "../spine/world.ts";
import { again } from "./day.ts";
import { apply, BOB, codesOf, lastId, looked, planned, story } from "./story.ts";

test("a file that was registered by somebody who may not is refused again, though nobody has kept it", async () => {
  const told = story();
  const desired = desiredFor([wantStopped("power-off")]);
  const refused = told.ask(registrationOf(desired), { by: BOB, given: { desired } });
  assert.deepEqual(codesOf(refused), ["role-missing"]);
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
});

test("an end that was refused over its observation is refused again, and the right one is granted again", async () => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.ask(
    { cause: "call-unanswered", intent, kind: "outcome", outcome: "unknown", said: "the reply was lost" },
    { by: KERNEL_ACTOR },
  );
  told.pass(10 * 60_000 + 1);
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const id = looked(told, observation);
  const other = { given: { observation: observationOf([]) } };
  assert.deepEqual(codesOf(told.ask({ intent, kind: "reconcile", observation: id }, other)), ["value-altered"]);
  const unknown = { intent, kind: "reconcile", observation: told.instance } as const;
  assert.deepEqual(codesOf(told.ask(unknown, { given: { observation } })), ["observation-unknown"]);
  assert.equal(told.ask({ intent, kind: "reconcile", observation: id }, { given: { observation } }).kind, "done");
  const result = await again(told);
  assert.equal(result.kind, "equal", JSON.stringify(result));
  assert.deepEqual(result.kind === "equal" && result.state, told.state());
});

test("a record whose result is right and whose body is not says so, and one whose result is another says which", async () => {
  const told = story();
  const [first, ...rest] = told.records;
  assert.ok(first !== undefined);
  const difference = async (body: object) => {
    const result = await again(told, [{ ...first, body: { ...first.body, ...body } }, ...rest]);
    return result.kind === "differs" ? result.difference : undefined;
  };
  const state = { blocked: 1, freezes: 0, open: 0, size: 0 };
  assert.deepEqual(await difference({ state }), { cause: "body", facts: {} });
  assert.deepEqual(await difference({ result: { kind: "refused", refusals: [] } }), {
    cause: "result",
    facts: { found: "refused", made: "done" },
  });
});
