// P7-A2 at the apply: a confirmation is of one person, one plan, one step and one text. Two plans that stand on the
// same observation have the same hashes, so each of these is held apart by itself.

import assert from "node:assert/strict";
import type { StepRef } from "../../src/kernel/command/request.ts";
import { shownBefore, stepRef } from "../../src/kernel/decide/step-ref.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { Refusal, Sha256 } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  CAROL,
  explanationHash,
  lastId,
  planIn,
  planned,
  refusalsOf,
  type Setting,
  type Story,
  story,
} from "../kernel/story.ts";
import { coded, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";

const VMS = [101, 102, 103].map((vmid) => ({ name: `web-${vmid}`, vmid: vmidOf(vmid) }));
const THREE: Setting = {
  vms: VMS.map((vm) => vmState({ ...vm, status: "stopped" })),
  entries: VMS.map((vm) => wantRunning(vm)),
};

type Scene = {
  /** Two steps of alice's plan, and carol's plan of the same world with the same first step. */
  readonly first: StepRef;
  readonly second: StepRef;
  readonly carols: StepRef;
  readonly told: Story;
};
type Answer = {
  readonly by?: typeof ALICE;
  readonly challenge: Ulid;
  readonly explanation: Sha256;
  readonly of: StepRef;
};

const stepsOf = (told: Story, by: typeof ALICE): readonly StepRef[] => {
  const { id, result } = planned(told, { ...THREE, by });
  const plan = planIn(told, result);
  return [0, 1].map((index) => stepRef(id, plan, index) ?? assert.fail("the plan has this step"));
};

/** alice is challenged for the first step of her plan; what answers it is the test's to say. */
const answered = (answer: (scene: Scene, challenge: Ulid, explanation: Sha256) => Answer): readonly Refusal[] => {
  const told = story("single-operator");
  const [first, second] = stepsOf(told, ALICE);
  const [carols] = stepsOf(told, CAROL);
  assert.ok(first !== undefined && second !== undefined && carols !== undefined);
  assert.notEqual(first.plan, carols.plan, "there are two plans");
  assert.deepEqual(
    [carols.step.hash, explanationHash(told, carols)],
    [first.step.hash, explanationHash(told, first)],
    "their first steps have the same hashes",
  );
  const challenge = told.ask({ kind: "challenge", of: first }, { by: ALICE });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const {
    by = ALICE,
    of,
    ...confirmation
  } = answer({ carols, first, second, told }, lastId(told), challenge.explanation);
  return refusalsOf(told.ask({ confirmation, kind: "apply", of }, { by }));
};

const own = (): readonly Refusal[] =>
  answered(({ first }, challenge, explanation) => ({ challenge, explanation, of: first }));

cannot("P7-A2", "confirm a step of one plan with the challenge of another plan's same step", {
  neighbour: own,
  offence: () =>
    coded(
      "confirmation-spent",
      answered(({ carols }, challenge, explanation) => ({ challenge, explanation, of: carols })),
    ),
});
cannot("P7-A2", "confirm another step of the plan, shown with its proof, with the text of the first", {
  neighbour: own,
  offence: () =>
    coded(
      "confirmation-spent",
      answered(({ second }, challenge, explanation) => ({ challenge, explanation, of: second })),
    ),
});
cannot("P7-A2", "confirm another step of the plan with its own text and the challenge of the first", {
  neighbour: own,
  offence: () =>
    coded(
      "confirmation-spent",
      answered(({ second, told }, challenge) => ({
        challenge,
        explanation: explanationHash(told, second),
        of: second,
      })),
    ),
});
cannot("P7-A2", "answer a challenge with the text of another step", {
  neighbour: own,
  offence: () =>
    coded(
      "confirmation-spent",
      answered(({ first, second, told }, challenge) => ({
        challenge,
        explanation: explanationHash(told, second),
        of: first,
      })),
    ),
});
cannot("P7-A2", "answer a challenge that another person was given", {
  neighbour: own,
  offence: () =>
    coded(
      "confirmation-spent",
      answered(({ first }, challenge, explanation) => ({ by: CAROL, challenge, explanation, of: first })),
    ),
});
cannot("P7-A2", "confirm with something that is no challenge", {
  neighbour: own,
  offence: () =>
    coded(
      "confirmation-spent",
      answered(({ first }, _, explanation) => ({ challenge: first.plan, explanation, of: first })),
    ),
});

cannot("B1", "take a step of one plan for shown because the same step of another plan was", {
  neighbour: () =>
    answered(({ first }, challenge, explanation) => ({ challenge, explanation, of: shownBefore(first) })),
  offence: () =>
    coded(
      "step-unknown",
      answered(({ carols }, challenge, explanation) => ({ challenge, explanation, of: shownBefore(carols) })),
    ),
});

/** alice is asked at a terminal, or by a script; what she answers comes from this process or from another. */
const askedAt = (here: { readonly here?: true }, from?: Ulid): readonly Refusal[] => {
  const told = story("single-operator");
  const [of] = stepsOf(told, ALICE);
  assert.ok(of !== undefined);
  const challenge = told.ask({ ...here, kind: "challenge", of });
  assert.ok(challenge.kind === "challenged", JSON.stringify(challenge));
  const confirmation = { challenge: lastId(told), explanation: challenge.explanation };
  const instance = from === undefined ? {} : { instance: from };
  return refusalsOf(told.ask({ confirmation, kind: "apply", of }, instance));
};
const ANOTHER = "01KA4ZQ6ZZZZZZZZZZZZZZZZZZ" as Ulid;

cannot("P7-A2", "confirm elsewhere what was asked at a terminal, and not answered there", {
  neighbour: () => askedAt({ here: true }),
  offence: () => coded("confirmation-spent", askedAt({ here: true }, ANOTHER)),
});
cannot("P7-A2", "take a terminal's question for one that a script may answer", {
  neighbour: () => askedAt({}, ANOTHER),
  offence: () => coded("confirmation-spent", askedAt({ here: true }, ANOTHER)),
});
cannot("P7-A2", "confirm under a name that is not the VM's, also where none is needed", {
  neighbour: () => named("web-101"),
  offence: () => coded("name-not-typed", named("web-102")),
});
const named = (name: string): readonly Refusal[] => {
  const told = story("single-operator");
  const [of] = stepsOf(told, ALICE);
  return refusalsOf(apply(told, of ?? assert.fail("there is a step"), ALICE, { name }));
};
