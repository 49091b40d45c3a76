// Who may ask for what. The actor of a command is held against what the ledger knows: a token that was made and not
// revoked, the operator of the recorded configuration, or the kernel itself; anybody else is nobody. keeps B2
//
// Roles are one table. Deciding (approve, deny, confirm) is for people, whatever roles an agent's token claims. A sensor
// ingests, and does nothing else; nobody else does.

import type { Actor } from "../ledger/record.ts";
import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/refusals.ts";
import { get } from "./persistent-map.ts";
import type { Command, RequestKind, Role } from "./request.ts";
import type { State } from "./state.ts";

/** Whoever can write the ledger's own files is its operator. */
export const LOCAL_ROLES: readonly Role[] = ["approver", "auditor", "observer", "operator"];

type Row = { readonly kinds: readonly Actor["kind"][]; readonly roles: readonly Role[] | "any" };

const ANYBODY: Row = { kinds: ["agent", "person"], roles: ["agent", "approver", "auditor", "observer", "operator"] };
const KERNEL: Row = { kinds: ["kernel"], roles: "any" };
const ASKS: Row = { kinds: ["agent", "person"], roles: ["agent", "operator"] };
const OPERATES: Row = { kinds: ["person"], roles: ["operator"] };
const DECIDES: Row = { kinds: ["person"], roles: ["approver"] };

const MAY: Readonly<Record<RequestKind, Row>> = {
  "accept-clock": OPERATES,
  "accept-identity": OPERATES,
  annotate: ANYBODY,
  apply: ASKS,
  approve: DECIDES,
  cancel: ASKS,
  challenge: OPERATES,
  deny: DECIDES,
  desire: OPERATES,
  dispatched: KERNEL,
  freeze: OPERATES,
  ingest: { kinds: ["agent"], roles: ["sensor"] },
  "ledger.checkpoint": { kinds: ["person"], roles: ["auditor", "operator"] },
  "ledger.rearm": OPERATES,
  "ledger.seal": OPERATES,
  "ledger.unseal": OPERATES,
  observe: { kinds: ["agent", "person"], roles: ["agent", "observer", "operator"] },
  outcome: KERNEL,
  plan: ASKS,
  "re-anchor": OPERATES,
  reconcile: OPERATES,
  recover: KERNEL,
  "request-approval": ASKS,
  revoke: DECIDES,
  start: KERNEL,
  token: OPERATES,
  unfreeze: OPERATES,
};

/** Whether this kind of actor, with the roles that it shows, may ask for it. */
export const isCovered = (actor: Actor, asked: RequestKind): boolean => isWithin(actor, MAY[asked]);

const isWithin = (actor: Actor, { kinds, roles }: Row): boolean =>
  kinds.includes(actor.kind) && (roles === "any" || roles.some((role) => actor.roles.includes(role)));

const DECISIONS: ReadonlySet<RequestKind> = new Set(["approve", "challenge", "deny", "revoke"]);

export const actorRefusal = (state: State, command: Command): Refusal | undefined => {
  const { actor, kind } = command;
  if (!isKnown(state, command)) {
    return refuse("actor-unknown", { because: `the ledger knows no such ${actor.kind}`, facts: { actor: actor.id } });
  }
  if (actor.kind === "agent" && DECISIONS.has(kind)) {
    return refuse("agent-decides", { because: `${actor.id} is an agent`, facts: { asked: kind } });
  }
  return roleRefusal(actor, MAY[kind], kind);
};

const roleRefusal = (actor: Actor, row: Row, asked: string): Refusal | undefined => {
  if (isWithin(actor, row)) return undefined;
  return refuse("role-missing", {
    because: `${actor.id} has ${actor.roles.length === 0 ? "no role" : actor.roles.join(", ")}`,
    facts: { actor: actor.id, asked },
  });
};

/**
 * What can be read and leaves no record, and by whom. An agent may read the account of what was decided, its own included;
 * what is signed with the installation's key or hands everything on is for people. A sensor reads nothing.
 */
const MAY_READ = {
  account: ANYBODY,
  export: { kinds: ["person"], roles: ["auditor", "operator"] },
  proof: { kinds: ["person"], roles: "any" },
  tokens: { kinds: ["person"], roles: ["auditor", "operator"] },
} as const satisfies Readonly<Record<string, Row>>;
export type Readable = keyof typeof MAY_READ;

export const readerRefusal = (actor: Actor, readable: Readable): Refusal | undefined =>
  roleRefusal(actor, MAY_READ[readable], readable);

const isKnown = (state: State, { actor, configHash, door, request }: Command): boolean => {
  if (actor.kind === "kernel") return true;
  // An act that brings its configuration is judged by that; its decider holds it against the hash.
  const config = "config" in request ? request.config : get(state.configs, configHash);
  const isOperator = door === "local" && actor.kind === "person" && actor.id === config?.operator;
  if (isOperator && sameRoles(actor.roles, LOCAL_ROLES)) return true;
  const subject = get(state.subjects, actor.id);
  return subject !== undefined && subject.kind === actor.kind && sameRoles(subject.roles, actor.roles);
};

const sameRoles = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((role) => others.includes(role));
