// Refusals whose code has several causes: each case is told apart, and what to do next is data.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { nextStepsOf } from "../../src/spine/rules/next-steps.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { accepted, wasAhead } from "./clocks.ts";
import { ramble, TURNS_COUNT } from "./ramble.ts";
import { BOB, DAN, lastId, planned, refusalsOf, type Story, story, tokenOf, tokenRequest } from "./story.ts";

const CLOSED: Readonly<Record<string, (told: Story, of: StepRef) => unknown>> = {
  canceled: (told, { plan }) => told.ask({ kind: "cancel", plan, reason: "not needed" }),
  "requester-revoked": (told) => told.ask({ act: "revoke", kind: "token", token: tokenOf(told, DAN.id) }),
  voided: (told) => {
    wasAhead(told, 120_000);
    return accepted(told);
  },
};
for (const [cause, close] of Object.entries(CLOSED)) {
  test(`a plan that is closed says how: ${cause}`, () => {
    const told = story();
    const { of } = planned(told, { by: DAN });
    close(told, of);
    const codes = refusalsOf(told.ask({ kind: "challenge", of })).filter(({ code }) => code === "plan-closed");
    assert.deepEqual(
      codes.map((refusal) => [refusal.cause, refusal.vmid]),
      [[cause, of.step.vmid]],
    );
  });
}

test("a sensor with another role is refused once, by the rule of sensors", () => {
  const told = story();
  const asked = tokenRequest(told, { id: "probe", kind: "agent", roles: ["sensor", "approver"] });
  assert.deepEqual(
    refusalsOf(told.ask(asked)).map(({ cause, code, facts }) => [code, cause, facts]),
    [["sensor-alone", "agent", { roles: ["approver", "sensor"] }]],
  );
  const other = tokenRequest(told, { id: "probe", kind: "agent", roles: ["approver"] });
  assert.deepEqual(
    refusalsOf(told.ask(other)).map(({ code }) => code),
    ["agent-decides"],
  );
});

test("whoever approves another text is told where to read the right one", () => {
  const told = story();
  const { id, of } = planned(told);
  assert.equal(lastId(told), id);
  const approving = { explanation: sha256("another text"), kind: "approve", of, reason: "seen" } as const;
  const [refusal] = refusalsOf(told.ask(approving, { by: BOB }));
  assert.deepEqual(nextStepsOf(refusal ?? assert.fail()), [{ ask: "explain", with: { plan: id, step: 1 } }]);
});

/** Members of a value, to any depth, by name. */
const namesIn = (value: unknown): readonly string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
    : [];

test("no answer of the kernel is recorded with a sentence", () => {
  const turns = Array.from({ length: TURNS_COUNT * 2 }, (_, at) => (at * 5) % TURNS_COUNT);
  const results = [...ramble(turns).records, ...ramble(turns.toReversed()).records].map(({ body }) => body["result"]);
  assert.ok(results.some((result) => namesIn(result).includes("refusals")));
  assert.deepEqual(
    results.flatMap(namesIn).filter((name) => name === "because" || name === "next"),
    [],
  );
});
