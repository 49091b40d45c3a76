// P7-F1: nothing is applied while its environment is frozen, and only a freeze that is there is lifted.

import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { apply, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const whileFrozen = (environment: string | undefined): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  if (environment !== undefined) told.ask({ kind: "freeze", reason: "incident" }, { environment });
  return refusalsOf(apply(told, of));
};
cannot("P7-F1", "apply while the environment is frozen", {
  neighbour: () => whileFrozen("away"),
  offence: () => coded("frozen", whileFrozen("home")),
});
cannot("P7-F1", "lift a freeze that is not there", {
  neighbour: () => lifted("home"),
  offence: () => coded("freeze-absent", lifted("away")),
});
const lifted = (environment: string): readonly Refusal[] => {
  const told = story();
  told.ask({ kind: "freeze", reason: "incident" }, { environment: "home" });
  return refusalsOf(told.ask({ kind: "unfreeze", reason: "over" }, { environment }));
};

/** A second freeze, and then as many lifts as are said. */
const frozenTwice = (lifts: number): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  for (const reason of ["incident", "audit"]) told.ask({ kind: "freeze", reason }, { environment: "home" });
  for (let lift = 0; lift < lifts; lift += 1) told.ask({ kind: "unfreeze", reason: "over" }, { environment: "home" });
  return refusalsOf(apply(told, of));
};
cannot("P7-F1", "apply under a second freeze, which keeps the reason of the first", {
  neighbour: () => frozenTwice(1),
  offence: () => coded("frozen", frozenTwice(0)).filter(({ facts }) => facts["reason"] === "incident"),
});
