// P7-A2: an approval has a reason, is given on the kernel's own text and to a plan that stands; taking it back has a
// reason.

import type { Refusal, Sha256 } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { ALICE, approve, BOB, CAROL, explanationHash, lastId, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const STOP = { vms: [vmState()], entries: [wantStopped("power-off")] };

type Twist = { readonly explanation?: Sha256; readonly isCanceled?: boolean; readonly reason?: string };
const approved = ({ explanation, isCanceled = false, reason = "seen and agreed" }: Twist = {}): readonly Refusal[] => {
  const told = story();
  const { id, of } = planned(told, STOP);
  const text = explanation ?? explanationHash(told, of);
  if (isCanceled) told.ask({ kind: "cancel", plan: id, reason: "not needed" });
  return refusalsOf(told.ask({ explanation: text, kind: "approve", of, reason }, { by: BOB }));
};
const rightly = (): readonly Refusal[] => approved();

cannot("P7-A2", "approve without a reason", {
  neighbour: rightly,
  offence: () => coded("reason-missing", approved({ reason: "  " })),
});
cannot("P7-A2", "approve a text that is not the explanation of the step", {
  neighbour: rightly,
  offence: () => coded("explanation-differs", approved({ explanation: sha256("another text") })),
});
cannot("B1", "approve a plan that is over", {
  neighbour: rightly,
  offence: () => coded("plan-closed", approved({ isCanceled: true })),
});
cannot("B1", "ask for the approval of a plan that is over", {
  neighbour: () => waited(false),
  offence: () => coded("plan-closed", waited(true)),
});
const waited = (isCanceled: boolean): readonly Refusal[] => {
  const told = story();
  const { id, of } = planned(told, STOP);
  if (isCanceled) told.ask({ kind: "cancel", plan: id, reason: "not needed" });
  return refusalsOf(told.ask({ kind: "request-approval", of }));
};

/** bob approved; the one who is named takes that back. */
const withdrawn = (by: typeof BOB, reason = "it is not right after all", isThere = true): readonly Refusal[] => {
  const told = story();
  const { id, of } = planned(told, STOP);
  approve(told, of, BOB);
  const approval = isThere ? lastId(told) : told.instance;
  return refusalsOf(told.ask({ approval, kind: "revoke", plan: id, reason }, { by }));
};
cannot("P7-A2", "withdraw an approval without a reason", {
  neighbour: () => withdrawn(BOB),
  offence: () => coded("reason-missing", withdrawn(BOB, "")),
});
for (const [whose, by] of [
  ["another person's", CAROL],
  ["an approver's, as the operator", ALICE],
] as const) {
  cannot("B2", `withdraw an approval that is ${whose}`, {
    neighbour: () => withdrawn(BOB),
    offence: () => coded("approval-unknown", withdrawn(by)),
  });
}
cannot("B2", "withdraw an approval that is not there", {
  neighbour: () => withdrawn(BOB),
  offence: () => coded("approval-unknown", withdrawn(BOB, undefined, false)),
});
