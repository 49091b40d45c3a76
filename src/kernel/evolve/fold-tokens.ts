// What records do to tokens: made, rotated, revoked; and what ends with one.
//
// The agreement of a token ends with it: its subject's open approvals and confirmations are gone, whether somebody else
// took the token away or its subject took another. Who is revoked has asked for nothing any more either, so that nobody
// of the same name inherits a plan that people agreed to; and has invited nobody, so that they do not come back by a
// link of their own. Keeps B2, P7-A2.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { TokenRequest } from "../command/request.ts";
import { drop, entries, get, put } from "../state/persistent-map.ts";
import { forget, keep, recentEntries } from "../state/recent.ts";
import { type State, type TokenState, tokenNamed } from "../state/state.ts";
import { withoutApprovals } from "./fold-plans.ts";

type Fold<A extends TokenRequest["act"]> = (
  state: State,
  actor: string,
  request: Extract<TokenRequest, { readonly act: A }>,
) => State;

const FOLDS: { readonly [A in TokenRequest["act"]]: Fold<A> } = {
  create: (state, actor, { expiresAt, hash, subject, token }) =>
    withToken(state, { ...subject, expiresAt, hash, makers: makersFor(state, actor), token }),
  revoke: (state, _, { token }) => {
    const old = tokenNamed(state, token);
    return old === undefined ? state : nothingLeftOf(withoutToken(state, old), old.id);
  },
  rotate: (state, actor, { expiresAt, hash, subject, token }) => {
    const old = get(state.subjects, subject);
    if (old === undefined) return state;
    // Whoever rotates their own keeps their makers: a maker who knows the old token could have asked for it.
    const makers = actor === old.id ? old.makers : makersFor(state, actor);
    return withToken(withoutToken(state, old), { ...old, expiresAt, hash, makers, token });
  },
};

export const tokened = (state: State, { actor }: LedgerRecord, request: TokenRequest): State =>
  (FOLDS[request.act] as Fold<TokenRequest["act"]>)(state, actor.id, request);

export const makersFor = (state: State, maker: string): readonly string[] => [
  ...new Set([maker, ...(get(state.subjects, maker)?.makers ?? [])]),
];

export const withToken = (state: State, token: TokenState): State => ({
  ...state,
  subjects: put(state.subjects, token.id, token),
  tokens: put(state.tokens, token.hash, token),
});

const withoutToken = (state: State, { hash, id }: TokenState): State => ({
  ...withoutAgreement(state, id),
  subjects: drop(state.subjects, id),
  tokens: drop(state.tokens, hash),
});

/** What somebody agreed to and is still open. */
export const withoutAgreement = (state: State, id: string): State => ({
  ...state,
  challenges: [...recentEntries(state.challenges)].reduce(
    (challenges, [challenge, { by }]) => (by === id ? forget(challenges, challenge) : challenges),
    state.challenges,
  ),
  plans: [...recentEntries(state.plans)].reduce(
    (plans, [plan, one]) =>
      one.approvals.some(({ by }) => by === id)
        ? keep(
            plans,
            plan,
            withoutApprovals(one, ({ by }) => by === id),
          )
        : plans,
    state.plans,
  ),
});

/** Of whoever was taken away, besides what they agreed to. */
export const nothingLeftOf = (state: State, id: string): State => {
  const { invitations } = state;
  const theirs = [...entries(invitations)].filter(([name, { invitedBy }]) => name === id || invitedBy === id);
  const left =
    theirs.length === 0
      ? state
      : { ...state, invitations: theirs.reduce((map, [name]) => drop(map, name), invitations) };
  return withoutPlans(left, id);
};

const withoutPlans = (state: State, requester: string): State => ({
  ...state,
  plans: [...recentEntries(state.plans)].reduce(
    (plans, [id, plan]) =>
      // Also of one that was superseded: a step of it may be claimed, and its call is not made then.
      plan.requester.id === requester && plan.closed !== "canceled"
        ? keep(plans, id, { ...plan, closed: "requester-revoked" as const })
        : plans,
    state.plans,
  ),
});
