// Who signed in, what they may do now, and which of their sessions are open. Nothing here is secret: a session is known
// by its public id.

import type { Grants } from "../../kernel/command/role-grants.ts";
import { grantsOfPerson } from "../../kernel/state/people.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { PersonState } from "../../kernel/state/state.ts";
import type { Instant } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import type { Reading } from "../hold/session.ts";

export type PersonListed = {
  /** What their provider calls them. */
  readonly called?: string;
  readonly grants: Grants;
  readonly groups?: readonly string[];
  /** Who invited them, where they have a passkey. */
  readonly invitedBy?: string;
  readonly issuer?: string;
  readonly name: string;
  readonly sessions: readonly { readonly expiresAt: Instant; readonly id: string }[];
  readonly sub?: string;
};
export type PeopleList = { readonly people: readonly PersonListed[] };

export const listPeople = async ({ at, state }: Reading): Promise<PeopleList> => ({
  people: Array.from(entries(state.people), ([, person]) => person)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((person) => {
      const open = person.sessions.filter(({ expiresAt, isOut }) => isOut !== true && at < expiresAt);
      return {
        grants: grantsOfPerson(state, person),
        name: person.id,
        sessions: open.map(({ expiresAt, token: id }) => ({ expiresAt, id })),
        ...knownBy(person.known),
      };
    }),
});

const knownBy = (
  known: PersonState["known"],
): Pick<PersonListed, "called" | "groups" | "invitedBy" | "issuer" | "sub"> => {
  if (known.kind === "passkey") return { invitedBy: known.invitedBy };
  const { groups, issuer, name: called, sub } = known;
  return { ...present({ called }), groups, issuer, sub };
};
