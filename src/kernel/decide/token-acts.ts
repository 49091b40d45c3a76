// token: who is known by which name, until when, and who made that so. Keeps B2, P7-A2.
//
// One name is one subject with one token. What becomes of the agreement that a token gave is evolve/fold-tokens.ts's
// matter; who may ask for which act is the table's (actors.ts).

import { isInstant } from "../../ledger/record/envelope.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isSha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { isSubject, RESERVED_SUBJECTS } from "../../spine/values/subject.ts";
import type { Command, TokenRequest } from "../command/request.ts";
import { DONE, unless } from "../command/result.ts";
import type { Role } from "../command/roles.ts";
import { servedOidc } from "../state/people.ts";
import { find, get } from "../state/persistent-map.ts";
import { DAY_MS, TOKEN_DAYS_MAX } from "../state/spans.ts";
import { type State, tokenNamed } from "../state/state.ts";
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
  create: (state, _, request, at) => [
    nameRefusal(request.subject.id),
    operatorRefusal(state, request.subject.id),
    get(state.subjects, request.subject.id) === undefined && get(state.people, request.subject.id) === undefined
      ? undefined
      : refuse("token-known", { cause: "subject", facts: { subject: request.subject.id } }),
    ...newRefusals(state, request, at),
    personRefusal(state, request.subject.kind),
    sensorRefusal(request.subject),
    rolesRefusal(request.subject),
  ],
  revoke: (state, _, { token }) => [
    tokenNamed(state, token) === undefined ? refuse("token-unknown", { cause: "id", facts: { token } }) : undefined,
  ],
  rotate: (state, _, request, at) => [
    get(state.subjects, request.subject) === undefined
      ? refuse("token-unknown", { cause: "subject", facts: { subject: request.subject } })
      : undefined,
    personRefusal(state, get(state.subjects, request.subject)?.kind),
    ...newRefusals(state, request, at),
  ],
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

const newRefusals = (
  state: State,
  { expiresAt, hash, token }: Asked<"create" | "rotate">,
  at: Instant,
): readonly (Refusal | undefined)[] => [
  TOKEN_ID.test(token) && isSha256(hash) && isInstant(expiresAt) ? undefined : refuse("token-malformed", {}),
  get(state.tokens, hash) === undefined && tokenNamed(state, token) === undefined
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
const sensorRefusal = ({ kind, roles }: Asked<"create">["subject"]): Refusal | undefined =>
  !roles.includes("sensor") || (roles.length === 1 && kind === "agent")
    ? undefined
    : refuse("sensor-alone", { cause: kind, facts: { roles } });

/** Of a sensor nothing more is said than above. */
const rolesRefusal = ({ kind, roles }: Asked<"create">["subject"]): Refusal | undefined =>
  kind === "agent" && !roles.includes("sensor") && roles.some((role) => !FOR_AGENTS.has(role))
    ? refuse("agent-decides", { cause: "roles", facts: { roles } })
    : undefined;
