// Who of those who asked for a step or approved it was invited, and who invited them: for everybody who agrees after
// them to read.
//
// It decides nothing: a passkey is its owner's own, whoever invited them. So it stands beside the explanation and is in
// no hash, and an approval that comes meanwhile makes no other explanation.

import type { InvitedParty, PlanStep } from "../../spine/model.ts";
import { get } from "../state/persistent-map.ts";
import type { PlanState, State } from "../state/state.ts";

export const invitedParties = (
  { people }: Pick<State, "people">,
  { approvals, requester }: Pick<PlanState, "approvals" | "requester">,
  step: Pick<PlanStep, "hash">,
): readonly InvitedParty[] => {
  const invited = (party: InvitedParty["party"], name: string): readonly InvitedParty[] => {
    const known = get(people, name)?.known;
    return known?.kind === "passkey" ? [{ invitedBy: known.invitedBy, name, party }] : [];
  };
  const approvers = approvals.filter((approval) => approval.step === step.hash).map(({ by }) => by);
  return [
    ...invited("requester", requester.id),
    ...[...new Set(approvers)].sort().flatMap((name) => invited("approver", name)),
  ];
};
