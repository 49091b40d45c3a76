// P7-A1 and P7-A2: only what an operator wrote down is acted on, and what an operator ruled out is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Policy, PolicyLevel } from "../../src/spine/plan/policy.ts";
import { cannot } from "../cannot.ts";
import { coded, judge, meeting, observationOf, refusalsIn, state, vmidOf, wantRunning } from "../spine/world.ts";

const STRANGER = vmidOf(102);
const observation = observationOf([state({ status: "stopped" }), state({ status: "stopped", vmid: STRANGER })]);

cannot("P7-A1", "plan for a VM that nobody wrote down", {
  neighbour: () => refusalsIn({ observation, scope: [vmidOf(101)], entries: [wantRunning()] }),
  offence: () =>
    coded("vm-not-desired", refusalsIn({ observation, scope: [vmidOf(101), STRANGER], entries: [wantRunning()] })),
});

test("a VM that was observed and not desired gets no step, however it is looked at", () => {
  const { plan } = judge({ observation, entries: [wantRunning()] });
  assert.deepEqual(
    plan.answers.map(({ kind, vmid }) => [kind, vmid]),
    [["step", 101]],
  );
});

const ruling = (to: PolicyLevel): Policy => ({ tighten: [{ action: "vm.start", to }], version: 1 });

cannot("P7-A2", "plan what the policy rules out", {
  neighbour: () => meeting(wantRunning(), state({ status: "stopped" }), ruling("irreversible")),
  offence: () => coded("policy-refuses", meeting(wantRunning(), state({ status: "stopped" }), ruling("refused"))),
});

cannot("P7-A2", "plan what one line of the policy rules out and another does not", {
  neighbour: () => meeting(wantRunning(), state(), { tighten: [...ruling("refused").tighten], version: 1 }),
  offence: () =>
    coded(
      "policy-refuses",
      meeting(wantRunning(), state({ status: "stopped" }), {
        tighten: [...ruling("low").tighten, ...ruling("refused").tighten, ...ruling("high").tighten],
        version: 1,
      }),
    ),
});
