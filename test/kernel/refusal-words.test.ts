// What refusals say where one sentence serves several cases: each case is named in words, and what to do next can be pasted.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { accepted, wasAhead } from "./clocks.ts";
import { BOB, DAN, lastId, planned, refusalsOf, type Story, story, tokenOf, tokenRequest } from "./story.ts";

const CLOSED: Readonly<Record<string, (told: Story, of: StepRef) => unknown>> = {
  "it was canceled": (told, { plan }) => told.ask({ kind: "cancel", plan, reason: "not needed" }),
  "the token of whoever asked for it was revoked": (told) =>
    told.ask({ act: "revoke", kind: "token", token: tokenOf(told, DAN.id) }),
  "it was made on a clock that was set right since": (told) => {
    wasAhead(told, 120_000);
    return accepted(told);
  },
};
for (const [because, close] of Object.entries(CLOSED)) {
  test(`a plan that is closed says how: ${because}`, () => {
    const told = story();
    const { of } = planned(told, { by: DAN });
    close(told, of);
    const codes = refusalsOf(told.ask({ kind: "challenge", of })).filter(({ code }) => code === "plan-closed");
    assert.deepEqual(
      codes.map((refusal) => [refusal.because, refusal.vmid]),
      [[because, of.step.vmid]],
    );
  });
}

test("a sensor with another role is refused once, by the rule of sensors", () => {
  const told = story();
  const asked = tokenRequest(told, { id: "probe", kind: "agent", roles: ["sensor", "approver"] });
  assert.deepEqual(
    refusalsOf(told.ask(asked)).map(({ because, code }) => [code, because]),
    [["sensor-alone", "an agent with sensor, approver is asked for"]],
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
  assert.equal(refusal?.next, `Read it again: dedalus explain ${id} --step 1`);
});
