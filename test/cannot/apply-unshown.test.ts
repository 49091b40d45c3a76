// B1 at the apply: a confirmation stands for the showing of its own step, and of no other.

import assert from "node:assert/strict";
import type { StepRef } from "../../src/kernel/request.ts";
import { shownBefore, stepRef } from "../../src/kernel/step-ref.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { lastId, planIn, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";

const VMS = [101, 102, 103].map((vmid) => ({ name: `web-${vmid}`, vmid: vmidOf(vmid) }));

/** A plan of three steps; the first is challenged, and what is applied on that confirmation is the test's to say. */
const confirmedFirst = (applied: (first: StepRef, second: StepRef) => StepRef): readonly Refusal[] => {
  const told = story("single-operator");
  const { id, result } = planned(told, {
    vms: VMS.map((vm) => vmState({ ...vm, status: "stopped" })),
    wishes: VMS.map((vm) => wantRunning(vm)),
  });
  const plan = planIn(told, result);
  const [first, second] = [stepRef(id, plan, 0), stepRef(id, plan, 1)];
  assert.ok(first !== undefined && second !== undefined && first.proof.length > 0, "the plan has steps to be shown");
  const challenge = told.ask({ kind: "challenge", of: first });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
  return refusalsOf(told.ask({ confirmation, kind: "apply", of: applied(first, second) }));
};

const shown = (): readonly Refusal[] => confirmedFirst((first) => shownBefore(first));

cannot("B1", "apply a step without showing it on the confirmation of another", {
  neighbour: shown,
  offence: () =>
    coded(
      "step-unknown",
      confirmedFirst((_, second) => shownBefore(second)),
    ),
});
cannot("B1", "apply a step under the index of another that was confirmed", {
  neighbour: shown,
  offence: () =>
    coded(
      "step-unknown",
      confirmedFirst((first) => ({ ...shownBefore(first), index: 1 })),
    ),
});
cannot("B1", "put another step of the plan in the place of the one that was confirmed", {
  neighbour: shown,
  offence: () =>
    coded(
      "step-unknown",
      confirmedFirst((first, second) => ({ ...shownBefore(second), index: first.index })),
    ),
});
cannot("B1", "change a step after its challenge", {
  neighbour: shown,
  offence: () =>
    coded(
      "step-unknown",
      confirmedFirst((first) => ({ ...shownBefore(first), step: { ...first.step, action: { kind: "vm.delete" } } })),
    ),
});
cannot("B1", "show a confirmed step with a proof of another place", {
  neighbour: () => confirmedFirst((first) => first),
  offence: () =>
    coded(
      "step-unknown",
      confirmedFirst((first, second) => ({ ...first, proof: second.proof })),
    ),
});
