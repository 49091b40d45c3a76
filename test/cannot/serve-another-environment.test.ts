// B3: a plan is applied where it was made, and nothing is done in an environment that nobody configured.

import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { lastId, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

cannot("B3", "apply a plan in another environment", {
  neighbour: () => appliedIn("home"),
  offence: () => coded("plan-foreign", appliedIn("away")),
});
const appliedIn = (environment: string): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  const challenge = told.ask({ kind: "challenge", of }, { environment });
  const explanation = challenge.kind === "challenged" ? challenge.explanation : sha256("");
  return refusalsOf(
    told.ask({ confirmation: { challenge: lastId(told), explanation }, kind: "apply", of }, { environment }),
  );
};
cannot("B3", "act in an environment that is not configured", {
  neighbour: () => refusalsOf(story().ask({ kind: "freeze", reason: "maintenance" }, { environment: "away" })),
  offence: () =>
    coded(
      "environment-unknown",
      refusalsOf(story().ask({ kind: "freeze", reason: "maintenance" }, { environment: "lab" })),
    ),
});
