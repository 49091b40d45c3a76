// N7, P7-A1 and P7-A2: a new anchor is an operator's word, with a reason, about a beginning of this very ledger.

import { bringing } from "../../src/kernel/command/program.ts";
import type { RequestOf } from "../../src/kernel/command/request.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot, type Objection } from "../cannot.ts";
import { ALICE, apply, BOB, configOf, planned, ROBO, refusalsOf, type Story, story } from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

type ReAnchor = RequestOf<"ledger.re-anchor">;

const asked = (change: (size: number) => Partial<ReAnchor>, actor: Actor = ALICE): readonly Objection[] => {
  const told = story();
  const result = told.ask(requestOf(told, change), { by: actor });
  return result.kind === "refused" ? result.refusals : [];
};
const requestOf = (told: Story, change: (size: number) => Partial<ReAnchor> = () => ({})): ReAnchor => {
  const { size } = told.state();
  return {
    ...bringing(configOf("single-operator"), "1"),
    found: "anchor-absent",
    kind: "ledger.re-anchor",
    notes: 0,
    reason: "its disk burnt",
    root: sha256("root"),
    size,
    ...change(size),
  };
};
const neighbour = (): readonly Objection[] => asked(() => ({}));

cannot("N7", "accept more records than the ledger has", {
  neighbour,
  offence: () => asked((size) => ({ size: size + 1 })),
});
cannot("N7", "accept a ledger without a record", { neighbour, offence: () => asked(() => ({ size: 0 })) });
cannot("P7-A2", "make an anchor anew without a reason", { neighbour, offence: () => asked(() => ({ reason: " " })) });
cannot("P7-A1", "make an anchor anew by the word of who only approves", {
  neighbour,
  offence: () => asked(() => ({}), BOB),
});
cannot("P7-A1", "make an anchor anew by the word of an agent", { neighbour, offence: () => asked(() => ({}), ROBO) });

/** Two verified the same records; one was recorded first. */
const askedTwice = (isVerifiedAnew: boolean): readonly Refusal[] => {
  const told = story();
  const seen = told.state().size;
  refusalsOf(told.ask(requestOf(told), { by: ALICE }));
  return refusalsOf(
    told.ask(
      requestOf(told, (size) => ({ size: isVerifiedAnew ? size : seen })),
      { by: ALICE },
    ),
  );
};
cannot("P7-A2", "make an anchor anew for what was verified before another was made anew", {
  neighbour: () => askedTwice(true),
  offence: () => coded("ledger-moved", askedTwice(false)),
});

/**
 * A step that was planned before an act is applied after it: a call that the ledger lost may have been this very one.
 */
const appliedAfter = (act: (told: Story) => void): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  act(told);
  return refusalsOf(apply(told, of));
};
cannot("B1", "apply a plan from before the anchor was lost", {
  neighbour: () => appliedAfter((told) => told.ask({ kind: "annotate", text: "all is well" })),
  offence: () =>
    coded(
      "plan-closed",
      appliedAfter((told) => told.ask(requestOf(told))),
    ),
});
