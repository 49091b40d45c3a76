// Who may ask for what. The actor of a command is held against what the ledger knows: a token that was made, was
// neither rotated nor revoked and has not ended, the operator of the recorded configuration, or the kernel itself;
// anybody else is nobody. keeps B2
//
// Roles are one table, and hold where they were granted: a command is judged by those of its own environment, and one
// of no environment by those granted for all. Deciding (approve, deny, confirm) is for people, whatever roles an
// agent's token claims. A sensor ingests, and does nothing else; nobody else does. keeps B3

import type { Actor } from "../../ledger/record/record.ts";
import type { Instant, Refusal, Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { KERNEL_ID } from "../../spine/values/subject.ts";
import { RECORD_KINDS } from "../command/record-kinds.ts";
import type { Command, Door, RequestKind } from "../command/request.ts";
import { type Grants, rolesHeld, rolesHeldIn } from "../command/role-grants.ts";
import type { Role } from "../command/roles.ts";
import { grantsOfPerson, isOperatorName } from "../state/people.ts";
import { get } from "../state/persistent-map.ts";
import type { State, TokenState } from "../state/state.ts";
import { agentsOnlyRefusal, unlistedRefusal } from "./agent-door.ts";
import { personByTokenRefusal, sessionBearer, sessionRefusal } from "./session-proof.ts";

/** Whoever can write the ledger's own files is its operator. */
export const LOCAL_ROLES: readonly Role[] = ["approver", "auditor", "observer", "operator"];
export const LOCAL_GRANTS: Grants = [{ environments: "all", roles: LOCAL_ROLES }];

/**
 * Of an actor who was proven: what their groups or their token grant, or what is the operator's at the ledger's own
 * files.
 */
export const grantsOf = (state: State, { id }: Pick<Actor, "id">): Grants => {
  const person = get(state.people, id);
  if (person !== undefined) return grantsOfPerson(state, person);
  return get(state.subjects, id)?.grants ?? (isOperatorName(state, id) ? LOCAL_GRANTS : []);
};

export type Row = {
  /** Taken at the door of agents. What does not say so is not, so that nothing is taken there by default. */
  readonly atAgentDoor?: true;
  /** Deciding is for people: an agent is told that, and not which role it would need. */
  readonly decides?: true;
  readonly kinds: readonly Actor["kind"][];
  readonly roles: readonly Role[] | "any";
};

const ANYBODY: Row = { kinds: ["agent", "person"], roles: ["agent", "approver", "auditor", "observer", "operator"] };
/** Whoever came in may go, whatever they may do besides. */
const LEAVES: Row = { kinds: ["agent", "person"], roles: "any" };
const KERNEL: Row = { kinds: ["kernel"], roles: "any" };
const ASKS: Row = { kinds: ["agent", "person"], roles: ["agent", "operator"] };
const OPERATES: Row = { kinds: ["person"], roles: ["operator"] };
const DECIDES: Row = { decides: true, kinds: ["person"], roles: ["approver"] };

const atAgentDoor = (row: Row): Row => ({ ...row, atAgentDoor: true });

export type May = Readonly<Record<RequestKind, Row>>;

export const MAY: May = {
  "accept-clock": OPERATES,
  "accept-identity": OPERATES,
  annotate: ANYBODY,
  apply: atAgentDoor(ASKS),
  approve: DECIDES,
  cancel: atAgentDoor(ASKS),
  challenge: { ...OPERATES, decides: true },
  deny: DECIDES,
  dispatched: atAgentDoor(KERNEL),
  freeze: OPERATES,
  ingest: { kinds: ["agent"], roles: ["sensor"] },
  invite: OPERATES,
  "ledger.checkpoint": { kinds: ["person"], roles: ["auditor", "operator"] },
  "ledger.join": OPERATES,
  "ledger.re-anchor": OPERATES,
  "ledger.restore": OPERATES,
  "ledger.seal": OPERATES,
  "ledger.unlock": OPERATES,
  "ledger.unseal": OPERATES,
  observe: atAgentDoor({ kinds: ["agent", "person"], roles: ["agent", "observer", "operator"] }),
  outcome: atAgentDoor(KERNEL),
  plan: atAgentDoor(ASKS),
  reconcile: OPERATES,
  recover: KERNEL,
  redeem: KERNEL,
  register: OPERATES,
  "request-approval": atAgentDoor(ASKS),
  revoke: DECIDES,
  "sign-in": KERNEL,
  "sign-out": OPERATES,
  start: KERNEL,
  token: OPERATES,
  unfreeze: OPERATES,
};

/** Whoever they are, but for a sensor, they may take another token in the place of their own; and sign out of it. */
const rowFor = (may: May, { actor, kind, request }: Command): Row => {
  if (kind === "token" && request.act === "rotate" && request.subject === actor.id) return ANYBODY;
  return kind === "sign-out" && request.ends === "session" ? LEAVES : may[kind];
};

/** Whether this kind of actor, with the roles that it shows, may ask for it under the rules of this program. */
export const isCovered = (actor: Actor, asked: RequestKind): boolean => isWithin(actor, MAY[asked]);

/** The same of whoever has these grants, in one environment. */
export const isCoveredIn = ({ actor, grants }: Reader, asked: RequestKind, environment: string): boolean =>
  isCovered({ ...actor, roles: rolesHeldIn(grants, environment) }, asked);

const isWithin = (actor: Actor, { kinds, roles }: Row): boolean =>
  kinds.includes(actor.kind) && (roles === "any" || roles.some((role) => actor.roles.includes(role)));

/** What gives somebody roles, or takes them away. */
const OF_SOMEBODY: ReadonlySet<RequestKind> = new Set(["invite", "sign-out", "token"]);

/** Who asks, as a command says it, and in which environment. */
export type Asker = Pick<Command, "actor" | "configHash" | "door" | "environment" | "token">;
type Asked = { readonly kind: RequestKind; readonly operator: string | undefined; readonly row: Row };

export const actorRefusal = (may: May, state: State, command: Command, at: Instant): Refusal | undefined => {
  const { configHash, kind, request } = command;
  // With an environment it would be judged by the roles that hold there alone.
  if (RECORD_KINDS[kind].of === "whole" && command.environment !== undefined)
    return refuse("environment-unknown", { cause: "needless", facts: { asked: kind } });
  // An act that brings its configuration is judged by that; its decider holds it against the hash.
  const config = "config" in request ? request.config : get(state.configs, configHash);
  return refusalOf(state, command, { kind, operator: config?.operator, row: rowFor(may, command) }, at);
};

/**
 * Whether they may ask for this kind of thing at all: for whoever has to ask a provider before there is a command. The
 * command is judged again when it comes.
 */
export const askerRefusal = (
  may: May,
  state: State,
  asker: Asker,
  kind: RequestKind,
  at: Instant,
): Refusal | undefined =>
  refusalOf(state, asker, { kind, operator: get(state.configs, asker.configHash)?.operator, row: may[kind] }, at);

const refusalOf = (state: State, asker: Asker, { kind, operator, row }: Asked, at: Instant): Refusal | undefined => {
  const { actor, door } = asker;
  const unproven =
    agentsOnlyRefusal(door, actor) ?? (isItself(asker, operator) ? undefined : unprovenRefusal(state, asker, at));
  if (unproven !== undefined) return unproven;
  if (actor.kind === "agent" && row.decides === true) {
    return refuse("agent-decides", { cause: "asked", facts: { actor: actor.id, asked: kind } });
  }
  const unlisted = unlistedRefusal(door, kind, row.atAgentDoor === true);
  if (unlisted !== undefined) return unlisted;
  if (kind !== "token" && isWithin(actor, row)) return undefined;
  const grants = grantsOf(state, actor);
  // Nobody belongs to one environment: whoever operates one may ask, and of whom is granting.ts's matter.
  const roles = OF_SOMEBODY.has(kind) ? rolesHeld(grants) : actor.roles;
  return roleRefusal({ ...actor, roles }, row, kind, grants, asker.environment);
};

const roleRefusal = (
  actor: Actor,
  row: Row,
  asked: string,
  grants: Grants,
  environment: string | undefined,
): Refusal | undefined => {
  if (isWithin(actor, row)) return undefined;
  const held = rolesHeld(grants);
  const facts = { actor: actor.id, asked };
  if (isWithin({ ...actor, roles: held }, row))
    return environment === undefined
      ? refuse("role-elsewhere", { cause: "whole", facts })
      : refuse("role-elsewhere", { cause: "environment", facts: { ...facts, environment } });
  return held.length === 0
    ? refuse("role-missing", { cause: "none", facts })
    : refuse("role-missing", { cause: "others", facts: { ...facts, roles: held } });
};

type ReadRow = Row & {
  /**
   * Where the role must hold: in the environment that is read of; anywhere, and then only what is of such environments
   * is shown; or everywhere, for what is of the whole ledger.
   */
  readonly holds: "anywhere" | "everywhere" | "there";
};
const AUDITS: ReadRow = { holds: "everywhere", kinds: ["person"], roles: ["auditor", "operator"] };

/**
 * What can be read and leaves no record, and by whom. An agent may read the account of what was decided, its own
 * included, and have proven what it may read; what hands everything on or shows the machine is for people. A sensor
 * reads nothing.
 */
const MAY_READ = {
  account: { ...ANYBODY, holds: "anywhere" },
  // Of whoever is about to be proven: for the process that serves, and nobody else.
  door: { ...KERNEL, holds: "everywhere" },
  drift: { ...MAY.observe, holds: "there" },
  export: AUDITS,
  installation: AUDITS,
  inventory: { ...OPERATES, holds: "there" },
  // For monitoring, which is a program: where people sign in at a provider, no token of a person proves anybody.
  metrics: { holds: "everywhere", kinds: ["agent"], roles: ["observer"] },
  people: { ...AUDITS, holds: "anywhere" },
  proof: AUDITS,
  records: AUDITS,
  tokens: { ...AUDITS, holds: "anywhere" },
  tokensThere: { ...AUDITS, holds: "there" },
} as const satisfies Readonly<Record<string, ReadRow>>;
export type Readable = keyof typeof MAY_READ;

/** Whoever reads, and what they are granted. */
export type Reader = { readonly actor: Pick<Actor, "id" | "kind">; readonly grants: Grants };

/** `environment` is the one that is read of, for what is read of one. */
export const readerRefusal = (reader: Reader, readable: Readable, environment?: string): Refusal | undefined => {
  const { actor, grants } = reader;
  const row: ReadRow = MAY_READ[readable];
  const at = row.holds === "there" ? environment : undefined;
  const roles = row.holds === "anywhere" ? rolesHeld(grants) : rolesHeldIn(grants, at);
  return roleRefusal({ ...actor, roles }, row, readable, grants, at);
};

/** Whether they have a role in this environment that reads: without one they see nothing of it. keeps B3 */
export const seesOf = ({ actor, grants }: Reader, environment: string): boolean =>
  isWithin({ ...actor, roles: rolesHeldIn(grants, environment) }, ANYBODY);

/** Whether they see what is of no single environment: the ledger itself, its configurations, its tokens. */
export const seesWhole = ({ actor, grants }: Reader): boolean =>
  isWithin({ ...actor, roles: rolesHeldIn(grants, undefined) }, AUDITS);

/** The kernel, or the operator at the ledger's own files: neither shows a token. */
const isItself = ({ actor, door, token }: Asker, operator: string | undefined): boolean => {
  if (token !== undefined) return false;
  if (actor.kind === "kernel") return actor.id === KERNEL_ID;
  const isOperator = door === "local" && actor.kind === "person" && actor.id === operator;
  return isOperator && sameRoles(actor.roles, LOCAL_ROLES);
};

/** By a session, or by a token: no name has both. */
const unprovenRefusal = (state: State, asker: Asker, at: Instant): Refusal | undefined => {
  const person = get(state.people, asker.actor.id);
  return person === undefined ? tokenRefusal(state, asker, at) : sessionRefusal(state, person, asker, at);
};

/**
 * The one that was shown is the one that its subject has now: an older one is dead, whoever was proven by it before.
 */
const tokenRefusal = (state: State, asker: Asker, at: Instant): Refusal | undefined => {
  const { actor, environment, token } = asker;
  const known = get(state.subjects, actor.id);
  const isTheirs =
    known !== undefined &&
    known.token === token &&
    known.kind === actor.kind &&
    sameRoles(rolesHeldIn(known.grants, environment), actor.roles);
  if (!isTheirs) {
    const facts = { actor: actor.id, kind: actor.kind, ...(token === undefined ? {} : { token }) };
    return refuse("actor-unknown", { cause: "actor", facts });
  }
  return endedRefusal(known, at) ?? personByTokenRefusal(state, asker.door, known);
};

const endedRefusal = ({ expiresAt, id, token }: TokenState, at: Instant): Refusal | undefined =>
  at < expiresAt ? undefined : refuse("token-expired", { cause: "token", facts: { actor: id, expiresAt, token } });

/** Whose token or session has this hash; for doors, which then ask as that subject and name the token. */
export const bearerOf = (state: State, hash: Sha256, at: Instant, door: Door): TokenState | Refusal => {
  const session = sessionBearer(state, hash, at, door);
  if (session !== undefined) return session;
  const known = get(state.tokens, hash);
  if (known === undefined) return refuse("actor-unknown", { cause: "token" });
  return agentsOnlyRefusal(door, known) ?? endedRefusal(known, at) ?? personByTokenRefusal(state, door, known) ?? known;
};

const sameRoles = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((role) => others.includes(role));
