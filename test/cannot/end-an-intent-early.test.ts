// N1, P7-E2, P7-F2, P7-F3: an intent is ended by its own process, or when its time is over, and by what was seen after.

import type { RequestOf } from "../../src/kernel/command/request.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { ended } from "../kernel/applied.ts";
import { apply, lastId, looked, planned, refusalsOf, story } from "../kernel/story.ts";
import { coded, observationOf, state as vmState } from "../spine/world.ts";

cannot("P7-E2", "end an unknown outcome before its settle time, or one that there is not", {
  neighbour: () => reconciled(10 * 60_000 + 1, "its own"),
  offence: () => [
    ...coded("reconcile-early", reconciled(10 * 60_000, "its own")),
    ...coded("vm-not-blocked", reconciled(10 * 60_000 + 1, "another")),
  ],
});
const reconciled = (afterMs: number, which: "its own" | "another"): readonly Refusal[] => {
  const told = story();
  const { of } = planned(told);
  apply(told, of);
  const intent = lastId(told);
  ended(told, intent, "unknown");
  told.pass(afterMs);
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const request = { intent: which === "another" ? told.instance : intent, kind: "reconcile" } as const;
  return refusalsOf(told.ask({ ...request, observation: looked(told, observation) }, { given: { observation } }));
};

cannot("N1", "end an unknown outcome by an observation that is not in the ledger or not a live one", {
  neighbour: () => reconciled(10 * 60_000 + 1, "its own"),
  offence: () => {
    const told = story();
    const { of } = planned(told);
    apply(told, of);
    const intent = lastId(told);
    ended(told, intent, "unknown");
    told.pass(10 * 60_000 + 1);
    const observation = observationOf([vmState()], { observedAt: told.now() });
    return coded(
      "observation-unknown",
      refusalsOf(told.ask({ intent, kind: "reconcile", observation: told.instance }, { given: { observation } })),
    );
  },
});

cannot("P7-F2", "take a running apply for a crashed one", {
  neighbour: () => recovered(10 * 60_000 + 1),
  offence: () => coded("owner-alive", recovered(10 * 60_000)),
});
cannot("P7-F2", "take what a process without its lock performs before its time to send is over", {
  neighbour: () => recovered(30_001, "owner-unlocked"),
  offence: () => coded("owner-alive", recovered(30_000, "owner-unlocked")),
});
cannot("P7-F2", "take one's own apply for that of a process without its lock", {
  neighbour: () => recovered(30_001, "owner-unlocked"),
  offence: () => coded("owner-alive", recovered(30_001, "owner-unlocked", "its own")),
});
const recovered = (
  afterMs: number,
  ground: RequestOf<"recover">["ground"] = "past-settle-by",
  whose: "another's" | "its own" = "another's",
): readonly Refusal[] => {
  const told = story();
  apply(told, planned(told).of);
  const intent = lastId(told);
  told.pass(afterMs);
  const instance = whose === "its own" ? told.instance : told.other;
  return refusalsOf(told.ask({ ground, intent, kind: "recover" }, { by: KERNEL_ACTOR, instance }));
};

cannot("P7-F3", "speak for an intent that is not there or is another process's", {
  neighbour: () => outcomeFrom("instance"),
  offence: () => coded("intent-unknown", outcomeFrom("other")),
});
const outcomeFrom = (which: "instance" | "other"): readonly Refusal[] => {
  const told = story();
  apply(told, planned(told).of);
  return refusalsOf(ended(told, lastId(told), "succeeded", told[which]));
};
