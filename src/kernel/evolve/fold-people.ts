// What records do to people: they sign in and out, and an operator ends everything by which somebody is known here.
//
// Who signs out ends one session, and what they agreed to stands: nothing was taken from them. What an operator ends is
// taken: open approvals, confirmations, plans and invitations go with it, as with a token that is revoked. Keeps B2,
// P7-A2.

import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Requests, SignOutRequest } from "../command/request.ts";
import { issuedKey, sessionNamed } from "../state/people.ts";
import { drop, EMPTY, entries, get, mapFrom, put } from "../state/persistent-map.ts";
import { SESSIONS_MAX } from "../state/spans.ts";
import type { PersonState, SessionState, State } from "../state/state.ts";
import { makersFor, nothingLeftOf, withoutAgreement, withToken } from "./fold-tokens.ts";
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
  const known = get(state.people, subject);
  const before = known?.sessions ?? [];
  const sessions = [...kept(before, record), session];
  const signedInAt = record.processTime;
  if (by.kind === "passkey")
    return known === undefined ? state : withPerson(state, { ...known, sessions, signedInAt }, before);
  const person = { id: subject, known: by, sessions, signedInAt };
  return { ...withPerson(state, person, before), issued: put(state.issued, issuedKey(by), subject) };
};

/** A second invitation of one name takes the place of the first, whose secret opens nothing any more. */
export const invited = (
  state: State,
  { actor }: LedgerRecord,
  { subject, ...invitation }: Requests["invite"],
): State => ({
  ...state,
  invitations: put(state.invitations, subject, {
    ...invitation,
    invitedBy: actor.id,
    makers: makersFor(state, actor.id),
  }),
});

/** A passkey is its redeemer's own making. A token was in the hands of whoever made it, and so the inviter's. */
export const redeemed = (state: State, _: LedgerRecord, { by, subject }: Requests["redeem"]): State => {
  const invitation = get(state.invitations, subject);
  if (invitation === undefined) return state;
  const { grants, invitedBy, makers } = invitation;
  const open = { ...state, invitations: drop(state.invitations, subject) };
  if (by.kind === "token") {
    const { expiresAt, hash, token } = by;
    return withToken(open, { expiresAt, grants, hash, id: subject, kind: "person", makers, token });
  }
  return withPerson(open, { id: subject, known: { ...by, grants, invitedBy }, sessions: [] }, []);
};

type Fold<O extends SignOutRequest["ends"]> = (
  state: State,
  request: Extract<SignOutRequest, { readonly ends: O }>,
) => State;

const SIGN_OUTS: { readonly [O in SignOutRequest["ends"]]: Fold<O> } = {
  person: (state, { subject }) => {
    const person = get(state.people, subject);
    if (person === undefined) return nothingLeftOf(state, subject);
    const ended = withPerson(state, { ...person, sessions: [] }, person.sessions);
    // A passkey is gone with it, as a token that is revoked; a provider of identities goes on knowing whom it knows.
    const without = person.known.kind === "oidc" ? ended : { ...ended, people: drop(ended.people, subject) };
    return nothingLeftOf(withoutAgreement(without, subject), subject);
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

/** Nobody is known by a session or invited any more; who they are is not forgotten. */
export const allSignedOut = (state: State): Pick<State, "invitations" | "people" | "sessions"> => ({
  invitations: EMPTY,
  people: mapped(state.people, (person) => ({ ...person, sessions: [] })),
  sessions: EMPTY,
});

/**
 * The same, where the end of somebody may be among what is missing: a passkey proves nobody until its person is invited
 * again. Whom a provider of identities names is still theirs to name.
 */
export const noneByPasskey = (state: State): ReturnType<typeof allSignedOut> => {
  const out = allSignedOut(state);
  return { ...out, people: mapFrom([...entries(out.people)].filter(([, { known }]) => known.kind === "oidc")) };
};
