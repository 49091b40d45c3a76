// Whose approval of a plan's steps would not count, although they may approve in its environment: whoever asked for it,
// and whoever that could be. For display: an approval is judged when it is given, and counted at the apply.

import type { Actor } from "../../ledger/record/record.ts";
import type { Tier } from "../../spine/model.ts";
import { rolesHeldIn } from "../command/role-grants.ts";
import { grantsOfPerson } from "../state/people.ts";
import { entries } from "../state/persistent-map.ts";
import type { PlanState, State } from "../state/state.ts";
import { isOneHand, needsOf } from "./agreement.ts";
import type { ApprovalMode } from "./agreement-table.ts";
import { RULEBOOK } from "./rulebook.ts";

/** Names in order; none where no approval is needed, or everybody's counts. */
export const uncountedApprovers = (
  state: State,
  { environment, requester }: Pick<PlanState, "environment" | "requester">,
  tier: Tier,
  mode: ApprovalMode,
): readonly string[] => {
  const needs = needsOf(RULEBOOK, tier, mode, requester as Pick<Actor, "kind">);
  if (needs === "refused" || needs.approvals === 0 || needs.ownCounts) return [];
  const names = [...approversIn(state, environment), ...(requester.kind === "person" ? [requester.id] : [])];
  return [...new Set(names)].filter((name) => isOneHand(state, name, requester)).sort();
};

const approversIn = (state: State, environment: string): readonly string[] =>
  [
    ...Array.from(entries(state.people), ([, person]) => ({ grants: grantsOfPerson(state, person), id: person.id })),
    ...Array.from(entries(state.subjects), ([, subject]) => subject),
  ]
    .filter(({ grants }) => rolesHeldIn(grants, environment).includes("approver"))
    .map(({ id }) => id);
