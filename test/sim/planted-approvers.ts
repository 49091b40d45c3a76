// The planted bugs about who has agreed, and how many they are.

import { entries, put } from "../../src/kernel/state/persistent-map.ts";
import type { PlanState } from "../../src/kernel/state/state.ts";
import { deciding, judging, withPlans } from "./planted-parts.ts";

/** Everybody under as many names as they have given approvals, each as good as their own. */
export const COUNTS_TWICE = judging("count one person twice", "agreed", (state) => {
  const named = (plan: PlanState): PlanState => ({
    ...plan,
    approvals: plan.approvals.map((approval, at) => ({ ...approval, by: `${approval.by} ${at}` })),
  });
  const subjects = [...entries(state.subjects)].reduce(
    (known, [id, token]) => [0, 1, 2, 3].reduce((more, at) => put(more, `${id} ${at}`, token), known),
    state.subjects,
  );
  return { state: { ...withPlans(state, named), subjects } };
});

export const ACCEPTS_THE_REQUESTER = deciding("accept the requester's approval", "agreed", (plan) => ({
  ...plan,
  requester: { door: plan.requester.door, id: "", kind: "person" },
}));
