// token: who is known by which name, until when, and who made that so. Keeps B2, B3, P7-A2.
//
// One name is one subject with one token. Where roles may be given and taken is granting.ts's matter; what becomes of
// the agreement that a token gave evolve/fold-tokens.ts's; who may ask for which act is the table's (actors.ts).

import { isInstant } from "../../ledger/record/envelope.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { isSubject, RESERVED_SUBJECTS } from "../../spine/values/subject.ts";
import type { Command, NewToken, TokenRequest } from "../command/request.ts";
import { DONE, unless } from "../command/result.ts";
import { rolesHeld } from "../command/role-grants.ts";
import type { Role } from "../command/roles.ts";
import { servedOidc } from "../state/people.ts";
import { find, get } from "../state/persistent-map.ts";
import { DAY_MS, TOKEN_DAYS_MAX } from "../state/spans.ts";
import { type State, type TokenState, tokenNamed } from "../state/state.ts";
import { beyondRefusal, grantsRefusals, takenRefusal } from "./granting.ts";
import type { Decider } from "./rulebook.ts";

/** Short enough to be said, long enough that two never meet by chance. */
export const TOKEN_ID = /^[0-9a-z]{10}$/;

export const nameRefusal = (name: string): Refusal | undefined =>
  isSubject(name)
    ? undefined
    : refuse("subject-name", { cause: RESERVED_SUBJECTS.includes(name) ? "reserved" : "form", facts: { name } });

type Asked<A extends TokenRequest["act"]> = Extract<TokenRequest, { readonly act: A }>;
type Judge<A extends TokenRequest["act"]> = (
  state: State,
  command: Command<"token">,
  request: Asked<A>,
  at: Instant,
) => readonly (Refusal | undefined)[];

const JUDGES: { readonly [A in TokenRequest["act"]]: Judge<A> } = {
  create: (state, command, request, at) => [
    nameRefusal(request.subject.id),
    operatorRefusal(state, request.subject.id),
    get(state.subjects, request.subject.id) === undefined && get(state.people, request.subject.id) === undefined
      ? undefined
      : refuse("token-known", { cause: "subject", facts: { subject: request.subject.id } }),
    ...newRefusals(state, request, at),
    ...grantsRefusals(state, command, request.subject.grants),
    beyondRefusal(state, command, request.subject.grants),
    personRefusal(state, request.subject.kind),
    sensorRefusal(request.subject),
    rolesRefusal(request.subject),
  ],
  revoke: (state, command, { token }) => [
    ofTokenRefusal(
      state,
      command,
      tokenNamed(state, token),
      refuse("token-unknown", { cause: "id", facts: { token } }),
    ),
  ],
  rotate: (state, command, request, at) => {
    const { subject } = request;
    const unknown = refuse("token-unknown", { cause: "subject", facts: { subject } });
    const known = get(state.subjects, subject);
    return [
      ofTokenRefusal(state, command, known, unknown),
      personRefusal(state, known?.kind),
      ...newRefusals(state, request, at),
    ];
  },
};

export const decideToken: Decider<"token"> = (state, command, at) =>
  unless((JUDGES[command.request.act] as Judge<TokenRequest["act"]>)(state, command, command.request, at), () => DONE);

/**
 * Two subjects of one name could take each other's approvals and confirmations for their own. Every configuration that
 * was ever recorded counts: a process that has it acts as its operator without a token.
 */
const operatorRefusal = (state: State, id: string): Refusal | undefined =>
  find(state.configs, ({ operator }) => operator === id) === undefined
    ? undefined
    : refuse("subject-name", { cause: "operator", facts: { operator: id } });

/** Of another's token; everybody may take another in the place of their own, if they may ask at all (actors.ts). */
const ofTokenRefusal = (
  state: State,
  command: Command<"token">,
  token: TokenState | undefined,
  unknown: Refusal,
): Refusal | undefined => {
  if (token === undefined) return unknown;
  if (command.request.act === "rotate" && token.id === command.actor.id) return undefined;
  return takenRefusal(state, command, token.grants, unknown);
};

export const newRefusals = (
  state: State,
  { expiresAt, hash, token }: NewToken,
  at: Instant,
): readonly (Refusal | undefined)[] => [
  TOKEN_ID.test(token) && isSha256(hash) && isInstant(expiresAt)
    ? undefined
    : refuse("token-malformed", { cause: "form" }),
  get(state.tokens, hash) === undefined &&
  get(state.sessions, hash) === undefined &&
  tokenNamed(state, token) === undefined
    ? undefined
    : refuse("token-known", { cause: "in-use", facts: { token } }),
  at < expiresAt && expiresAt <= later(at, TOKEN_DAYS_MAX * DAY_MS)
    ? undefined
    : refuse("token-end", { cause: "end", facts: { at, expiresAt, token } }),
];

/** Where people sign in at a service, none is given a token: they would be two. */
const personRefusal = (state: State, kind: "person" | "agent" | undefined): Refusal | undefined => {
  const oidc = kind === "person" ? servedOidc(state) : undefined;
  return oidc === undefined
    ? undefined
    : refuse("people-by-oidc", { cause: "token-asked", facts: { issuer: oidc.issuer } });
};

const FOR_AGENTS: ReadonlySet<Role> = new Set(["agent", "observer"]);

/** What pushes telemetry is a program, and has no other power beside it. */
const sensorRefusal = ({ grants, kind }: Asked<"create">["subject"]): Refusal | undefined => {
  const roles = rolesHeld(grants);
  return !roles.includes("sensor") || (roles.length === 1 && kind === "agent")
    ? undefined
    : refuse("sensor-alone", { cause: kind, facts: { roles } });
};

/** Of a sensor nothing more is said than above. */
const rolesRefusal = ({ grants, kind }: Asked<"create">["subject"]): Refusal | undefined => {
  const roles = rolesHeld(grants);
  return kind === "agent" && !roles.includes("sensor") && roles.some((role) => !FOR_AGENTS.has(role))
    ? refuse("agent-decides", { cause: "roles", facts: { roles } })
    : undefined;
};
