// Who asked for a plan, for whoever reads it: by which door, and who is behind them.

import type { Door } from "../../kernel/command/request.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import type { PlanState, State } from "../../kernel/state/state.ts";
import { present } from "../../spine/values/present.ts";

/** `maker` made the token that it was asked with, `invitedBy` invited its person; absent where nobody did. */
export type RequesterShown = {
  readonly door: Door;
  readonly id: string;
  readonly invitedBy?: string;
  readonly kind: string;
  readonly maker?: string;
};

export const requesterIn = (
  state: State,
  { requester: { door, id, kind, makers } }: Pick<PlanState, "requester">,
): RequesterShown => {
  const known = get(state.people, id)?.known;
  const invitedBy = known?.kind === "passkey" ? known.invitedBy : undefined;
  const maker = (makers ?? get(state.subjects, id)?.makers)?.[0];
  return { door, id, kind, ...present({ invitedBy, maker }) };
};
