// Tokens: made, rotated and revoked. A token is shown once, in the first answer; the ledger keeps its hash, and knows
// it by its public id, which is a part of it so that whoever holds one finds it in the list. keeps B5

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import type { Grants, RoleGrant } from "../../kernel/command/role-grants.ts";
import type { Role } from "../../kernel/command/roles.ts";
import { nameRefusal } from "../../kernel/decide/token-acts.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { DAY_MS, TOKEN_DAYS_MAX } from "../../kernel/state/spans.ts";
import { tokenNamed } from "../../kernel/state/state.ts";
import type { Instant, Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import { refusedByRule, refusedInput, type ServiceAnswer } from "../answer.ts";
import type { ServiceSession } from "../hold/session.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { tokenUnknown } from "./known-subjects.ts";

export type TokenMade = {
  readonly expiresAt: Instant;
  readonly grants: Grants;
  readonly id: string;
  readonly kind: "person" | "agent";
  readonly name: string;
  readonly seq: number;
  /** The token itself, this once: a repeated answer has none. */
  readonly token?: string;
};

export type TokenRequested = {
  readonly days: number;
  /** Where the roles hold; in all of them when nothing is said. */
  readonly environments?: RoleGrant["environments"];
  /** Follows from the roles when it is not said: what acts or senses by itself is an agent. */
  readonly kind?: "person" | "agent";
  readonly name: string;
  readonly roles: readonly Role[];
};

type Fresh = Pick<Extract<RequestOf<"token">, { readonly act: "rotate" }>, "expiresAt" | "hash" | "token">;

const recordToken = async (
  session: ServiceSession,
  days: number,
  request: (fresh: Fresh) => RequestOf<"token">,
): Promise<ServiceAnswer<TokenMade>> => {
  const { clock, ids } = session.desk.ports;
  const id = ids.publicId();
  const token = `dedalus_${id}_${ids.secretText()}`;
  const expiresAt = later(clock.now(), days * DAY_MS);
  const asked = await session.answer(request({ expiresAt, hash: sha256(token), token: id }));
  const answer = await answerWith(session, asked, tokenIn);
  return answer.kind === "refused" || answer.replayed ? answer : { ...answer, value: { ...answer.value, token } };
};

/**
 * Of the token that the record made, while it stands: once it was revoked, rotated or ended by an accepted clock, a
 * repeated key is told so, and nothing of another token that its subject may have by now.
 */
const tokenIn: ServiceAct<never, TokenMade>["valueIn"] = async ({ state }, record) => {
  const body = bodyOf(record);
  if (body?.kind !== "token" || body.request.act === "revoke") throw new Error(`record ${record.seq} makes no token`);
  const { token: id } = body.request;
  const known = tokenNamed(state, id);
  if (known === undefined) return refusedByRule(refuse("token-unknown", { cause: "id", facts: { token: id } }));
  const { expiresAt, grants, id: name, kind } = known;
  return { expiresAt, grants, id, kind, name, seq: record.seq };
};

const AGENTS: ReadonlySet<Role> = new Set(["agent", "sensor"]);
const kindOf = (roles: readonly Role[]): "person" | "agent" =>
  roles.some((role) => AGENTS.has(role)) ? "agent" : "person";

/** What nobody could be called, or no token may last, is said before anything is recorded. */
const subjectRefusal = ({ days, name }: Pick<TokenRequested, "days" | "name">): Refusal | undefined =>
  nameRefusal(name) ??
  (Number.isInteger(days) && days >= 1 && days <= TOKEN_DAYS_MAX
    ? undefined
    : refuse("token-end", { cause: "days", facts: { limit: TOKEN_DAYS_MAX } }));

export const createToken: ServiceAct<TokenRequested, TokenMade> = {
  perform: async (session, { days, environments = "all", kind, name, roles }) => {
    const refused = subjectRefusal({ days, name });
    if (refused !== undefined) return refusedInput([refused]);
    return recordToken(session, days, (fresh) => ({
      ...fresh,
      act: "create",
      kind: "token",
      subject: { grants: roles.length === 0 ? [] : [{ environments, roles }], id: name, kind: kind ?? kindOf(roles) },
    }));
  },
  valueIn: tokenIn,
};

export const rotateToken: ServiceAct<Pick<TokenRequested, "days" | "name">, TokenMade> = {
  perform: async (session, { days, name }) => {
    const refused = subjectRefusal({ days, name });
    if (refused !== undefined) return refusedInput([refused]);
    const unknown = tokenUnknown(session, { name });
    return unknown === undefined
      ? recordToken(session, days, (fresh) => ({ ...fresh, act: "rotate", kind: "token", subject: name }))
      : refusedByRule(unknown);
  },
  valueIn: tokenIn,
};

/** By its subject or by its public id. */
export type TokenNamed = { readonly name: string } | { readonly id: string };
export type TokenRevoked = { readonly id: string; readonly name?: string; readonly seq: number };

export const revokeToken: ServiceAct<TokenNamed, TokenRevoked> = {
  isBrake: true,
  perform: async (session, named) => {
    const unknown = tokenUnknown(session, named);
    if (unknown !== undefined) return refusedByRule(unknown);
    const state = session.writer.state();
    const found = "name" in named ? get(state.subjects, named.name) : tokenNamed(state, named.id);
    const token = found?.token ?? ("name" in named ? named.name : named.id);
    const asked = await session.answer({ act: "revoke", kind: "token", token });
    const answer = await answerWith(session, asked, revokeToken.valueIn);
    return answer.kind === "refused" || answer.replayed || found === undefined
      ? answer
      : { ...answer, value: { ...answer.value, name: found.id } };
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "token" || body.request.act !== "revoke")
      throw new Error(`record ${record.seq} revokes no token`);
    return { id: body.request.token, seq: record.seq };
  },
};
