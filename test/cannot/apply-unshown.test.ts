// B1 at the apply: a confirmation stands for the showing of its own step, and of no other.

import assert from "node:assert/strict";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { shownBefore, stepRef } from "../../src/kernel/decide/step-ref.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  type Ask,
  approve,
  BOB,
  CAROL,
  lastId,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  story,
} from "../kernel/story.ts";
import { coded, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";

const VMS = [101, 102, 103].map((vmid) => ({ name: `web-${vmid}`, vmid: vmidOf(vmid) }));

/** A plan of three steps; the first is challenged, and what is applied on that confirmation is the test's to say. */
const confirmedFirst = (applied: (first: StepRef, second: StepRef) => StepRef): readonly Refusal[] => {
  const told = story("single-operator");
  const { id, result } = planned(told, {
    vms: VMS.map((vm) => vmState({ ...vm, status: "stopped" })),
    entries: VMS.map((vm) => wantRunning(vm)),
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

/** alice is challenged for a step, and somebody applies it, with her confirmation or without. */
const onAlices = (
  by: typeof ALICE,
  { isConfirmed = true, ...ask }: Ask & { readonly isConfirmed?: boolean },
  as: (of: StepRef) => StepRef = (of) => of,
): readonly Refusal[] => {
  const told = story("single-operator");
  const { id, result } = planned(told, {
    by: by.kind === "agent" ? by : ALICE,
    vms: VMS.map((vm) => vmState({ ...vm, status: "stopped" })),
    entries: VMS.map((vm) => wantRunning(vm)),
  });
  const of = stepRef(id, planIn(told, result), 0) ?? assert.fail("it has a step");
  assert.equal(approve(told, of, BOB).kind, "approved");
  const challenge = told.ask({ kind: "challenge", of });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
  const request = { ...(isConfirmed ? { confirmation } : {}), kind: "apply", of: as(of) } as const;
  const refusals = refusalsOf(told.ask(request, { by, ...ask }));
  const isKept = recall(told.state().challenges, confirmation.challenge) !== undefined;
  assert.equal(isKept, by !== ALICE, "a challenge is spent by nobody but its own person");
  return refusals;
};
cannot("B1", "apply a step without showing it on the challenge of somebody else", {
  neighbour: () => onAlices(ALICE, {}, shownBefore),
  offence: () => coded("step-unknown", onAlices(CAROL, {}, shownBefore)),
});
cannot("P7-A1", "leave out the entry on the challenge of somebody else", {
  neighbour: () => onAlices(ALICE, { registered: "left-out" }),
  offence: () => coded("entry-unproven", onAlices(CAROL, { registered: "left-out" })),
});
cannot("P7-A2", "spend a person's challenge as an agent, who confirms nothing", {
  neighbour: () => onAlices(ROBO, { isConfirmed: false }),
  offence: () => coded("confirmation-spent", onAlices(ROBO, {})),
});
