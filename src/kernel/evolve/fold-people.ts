// What records do to people: they sign in and out, and an operator ends everything by which somebody is known here.
//
// Who signs out ends one session, and what they agreed to stands: nothing was taken from them. What an operator ends is
// taken: open approvals, confirmations and plans go with it, as with a token that is revoked. Keeps B2, P7-A2.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Requests, SignOutRequest } from "../command/request.ts";
import { issuedKey, sessionNamed } from "../state/people.ts";
import { drop, EMPTY, get, put } from "../state/persistent-map.ts";
import { SESSIONS_MAX } from "../state/spans.ts";
import type { PersonState, SessionState, State } from "../state/state.ts";
import { withoutAgreement, withoutPlans } from "./fold-tokens.ts";
import { mapped } from "./void-agreement.ts";

/** Those that have not ended; of too many the oldest make room. */
const kept = (sessions: readonly SessionState[], { processTime }: LedgerRecord): readonly SessionState[] =>
  sessions.filter(({ expiresAt }) => processTime < expiresAt).slice(-(SESSIONS_MAX - 1));

const withPerson = (state: State, person: PersonState, before: readonly SessionState[]): State => {
  const gone = before.filter(({ hash }) => !person.sessions.some((one) => one.hash === hash && one.isOut !== true));
  const sessions = gone.reduce((map, { hash }) => drop(map, hash), state.sessions);
  return {
    ...state,
    people: put(state.people, person.id, person),
    sessions: person.sessions.reduce(
      (map, { hash, isOut }) => (isOut === true ? map : put(map, hash, person.id)),
      sessions,
    ),
  };
};

export const signedIn = (state: State, record: LedgerRecord, { by, session, subject }: Requests["sign-in"]): State => {
  const before = get(state.people, subject)?.sessions ?? [];
  const person = { id: subject, known: by, sessions: [...kept(before, record), session] };
  return { ...withPerson(state, person, before), issued: put(state.issued, issuedKey(by), subject) };
};

type Fold<O extends SignOutRequest["ends"]> = (
  state: State,
  request: Extract<SignOutRequest, { readonly ends: O }>,
) => State;

const SIGN_OUTS: { readonly [O in SignOutRequest["ends"]]: Fold<O> } = {
  person: (state, { subject }) => {
    const person = get(state.people, subject);
    if (person === undefined) return state;
    const ended = withPerson(state, { ...person, sessions: [] }, person.sessions);
    return withoutPlans(withoutAgreement(ended, subject), subject);
  },
  session: (state, { token }) => {
    const found = sessionNamed(state, token);
    if (found === undefined) return state;
    const { person } = found;
    const sessions = person.sessions.map((one) => (one.token === token ? { ...one, isOut: true as const } : one));
    return withPerson(state, { ...person, sessions }, person.sessions);
  },
};

export const signedOut = (state: State, _: LedgerRecord, request: SignOutRequest): State =>
  (SIGN_OUTS[request.ends] as Fold<SignOutRequest["ends"]>)(state, request);

/** Nobody is known by a session any more; who they are is not forgotten. */
export const allSignedOut = (state: State): Pick<State, "people" | "sessions"> => ({
  people: mapped(state.people, (person) => ({ ...person, sessions: [] })),
  sessions: EMPTY,
});
