// Bugs about who comes in: sessions that do not end, and roles that hold where nobody gave them.

import { rolesHeld } from "../../src/kernel/command/role-grants.ts";
import { entries, get, put } from "../../src/kernel/state/persistent-map.ts";
import type { SessionState, State } from "../../src/kernel/state/state.ts";
import type { Instant } from "../../src/spine/model.ts";
import { judging, type Planted } from "./planted-parts.ts";

const withSessions = (state: State, change: (session: SessionState) => SessionState): State => ({
  ...state,
  people: [...entries(state.people)].reduce(
    (people, [id, person]) => put(people, id, { ...person, sessions: person.sessions.map(change) }),
    state.people,
  ),
});

const SESSIONS_FOR_EVER = judging("let a session live for ever", "proven", (state) => ({
  state: withSessions(state, (session) => ({ ...session, expiresAt: "9999-12-31T23:59:59.999Z" as Instant })),
}));

const TAKES_THE_SIGNED_OUT = judging("take a session that was signed out", "proven", (state) => ({
  state: withSessions(state, ({ isOut: _, ...session }) => session),
}));

/** Both the door and the kernel take roles of somewhere for roles of here. */
const ROLES_EVERYWHERE = judging("take roles of one environment in another", "placed", (state, command) => {
  const { actor } = command;
  const subject = get(state.subjects, actor.id);
  if (subject === undefined) return {};
  const roles = rolesHeld(subject.grants);
  return {
    command: { ...command, actor: { ...actor, roles } },
    state: {
      ...state,
      subjects: put(state.subjects, actor.id, { ...subject, grants: [{ environments: "all", roles }] }),
    },
  };
});

export const PLANTED_PEOPLE: readonly Planted[] = [SESSIONS_FOR_EVER, TAKES_THE_SIGNED_OUT, ROLES_EVERYWHERE];
