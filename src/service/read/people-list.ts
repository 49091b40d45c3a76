// Who signs in here or is invited to, what they may do now, and which of their sessions are open. Nothing here is
// secret: a session is known by its public id, an invitation by its name.
//
// Whoever audits or operates some environments sees the people with a role there, and what they are granted there.
// keeps B3

import type { Grants } from "../../kernel/command/role-grants.ts";
import { grantsOfPerson, type SignsInBy, servedOidc } from "../../kernel/state/people.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { PersonState, State } from "../../kernel/state/state.ts";
import type { Instant } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { Reading } from "../hold/session.ts";
import { grantsSeen } from "./grants-seen.ts";

export type PersonListed = {
  /** What their provider calls them. */
  readonly called?: string;
  /** Until when an invitation can be redeemed. */
  readonly expiresAt?: Instant;
  readonly grants: Grants;
  readonly groups?: readonly string[];
  /** Who invited them, where somebody did. */
  readonly invitedBy?: string;
  readonly issuer?: string;
  readonly name: string;
  readonly sessions: readonly { readonly expiresAt: Instant; readonly id: string }[];
  /** The last time; absent where they never did. */
  readonly signedInAt?: Instant;
  readonly signsInBy: SignsInBy;
  readonly sub?: string;
};
export type PeopleList = { readonly people: readonly PersonListed[] };

export const listPeople = async (reading: Reading): Promise<PeopleList> => {
  const { at, sees, state } = reading;
  const known = Array.from(entries(state.people), ([, person]) => personListed(state, person, at));
  return {
    people: [...known, ...invitedIn(state, at)]
      .map((person) => ({ ...person, grants: grantsSeen(person.grants, reading) }))
      .filter(({ grants }) => grants.length > 0 || sees(undefined))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
};

const personListed = (state: State, person: PersonState, at: Instant): PersonListed => {
  const open = person.sessions.filter(({ expiresAt, isOut }) => isOut !== true && at < expiresAt);
  return {
    grants: grantsOfPerson(state, person),
    name: person.id,
    sessions: open.map(({ expiresAt, token: id }) => ({ expiresAt, id })),
    ...present({ signedInAt: person.signedInAt }),
    signsInBy: person.known.kind,
    ...knownBy(person.known),
  };
};

const knownBy = (
  known: PersonState["known"],
): Pick<PersonListed, "called" | "groups" | "invitedBy" | "issuer" | "sub"> => {
  if (known.kind === "passkey") return { invitedBy: known.invitedBy };
  const { groups, issuer, name: called, sub } = known;
  return { ...present({ called }), groups, issuer, sub };
};

/** Those that are open: where a provider of identities is served, none is. */
const invitedIn = (state: State, at: Instant): readonly PersonListed[] =>
  servedOidc(state) === undefined
    ? Array.from(entries(state.invitations)).flatMap(([name, { expiresAt, grants, invitedBy }]) =>
        at < expiresAt ? [{ expiresAt, grants, invitedBy, name, sessions: [], signsInBy: "invitation" as const }] : [],
      )
    : [];
