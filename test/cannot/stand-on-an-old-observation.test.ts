// N1, N7: what is planned and applied stands on an observation of ours that is live, fresh, and the recorded one.

import type { StepRef } from "../../src/kernel/command/request.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { applied } from "../kernel/applied.ts";
import { looked, refusalsOf, type Story, story } from "../kernel/story.ts";
import { coded, desiredFor, observationOf, state as vmState, wantRunning } from "../spine/world.ts";

cannot("N1", "apply a plan that stands on no live observation", {
  neighbour: () => applied((of) => of, {}, true),
  offence: () =>
    coded(
      "plan-not-live",
      applied((of) => of, {}, false),
    ),
});
const aged =
  (ms: number) =>
  (of: StepRef, told: Story): StepRef => {
    told.pass(ms);
    return of;
  };
cannot("N1", "apply a step whose observation is too old", {
  neighbour: () => applied(aged(60 * 60_000 - 1)),
  offence: () => coded("step-expired", applied(aged(60 * 60_000))),
});

type Planning = {
  readonly ageMs?: number;
  readonly observation?: "known" | "none";
  readonly observedAt?: false;
  readonly other?: boolean;
};
const planning = ({ ageMs = 0, observation: which = "known", other = false }: Planning): readonly Refusal[] => {
  const told = story();
  const desired = desiredFor([wantRunning()]);
  told.ask(registrationOf(desired), { given: { desired } });
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const id = looked(told, observation);
  told.pass(ageMs);
  const given = {
    observation: other ? { ...observation, vms: [vmState({ status: "stopped" })] } : observation,
    desired,
  };
  return refusalsOf(
    told.ask({ kind: "plan", observation: which === "known" ? id : told.instance, scope: "all" }, { given }),
  );
};
cannot("N1", "plan on an observation that is older than the environment allows", {
  neighbour: () => planning({ ageMs: 60_000 }),
  offence: () => coded("observation-stale", planning({ ageMs: 60_001 })),
});
cannot("N1", "plan on an observation that is not in the ledger", {
  neighbour: () => planning({}),
  offence: () => coded("observation-unknown", planning({ observation: "none" })),
});
cannot("N7", "plan on another observation than the recorded one", {
  neighbour: () => planning({ other: false }),
  offence: () => coded("value-altered", planning({ other: true })),
});
