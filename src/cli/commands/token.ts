// dedalus token create, rotate, revoke and list: who may ask as whom, and until when. A token is shown once; the ledger
// keeps its hash, and knows it by its public id.

import { now } from "../../clock.ts";
import { publicId, secretText } from "../../ids.ts";
import type { RequestOf, Role } from "../../kernel/command/request.ts";
import { nameRefusal } from "../../kernel/decide/tokens.ts";
import { entries, get } from "../../kernel/state/persistent-map.ts";
import { DAY_MS, TOKEN_DAYS_MAX } from "../../kernel/state/spans.ts";
import { type State, type TokenState, tokenNamed } from "../../kernel/state/state.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { later } from "../../spine/values/instant.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput, failed } from "../failure.ts";
import type { Outcome } from "../outcome.ts";
import { inSession, type Session } from "../session.ts";
import { reading } from "./plans.ts";

const ROLES: readonly Role[] = ["observer", "operator", "approver", "auditor", "agent", "sensor"];
const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

const nameIn = (given: Arguments): string | Refusal => {
  const name = given.text.get("name") ?? "";
  return nameRefusal(name) ?? name;
};

const daysIn = (given: Arguments): number | Refusal => {
  const word = given.text.get("days") ?? "";
  const days = /^[1-9][0-9]{0,2}$/.test(word) ? Number(word) : 0;
  return days >= 1 && days <= TOKEN_DAYS_MAX
    ? days
    : refuse("token-end", { cause: "days", facts: { limit: TOKEN_DAYS_MAX } });
};

export const create: Run = async (given, io) => {
  const [name, days] = [nameIn(given), daysIn(given)];
  const words = (given.text.get("role") ?? "").split(",").map((word) => word.trim());
  const wrong = words.find((word) => !isRole(word));
  if (typeof name !== "string") return badInput([name]);
  if (typeof days !== "number") return badInput([days]);
  if (wrong !== undefined)
    return badInput([
      refuse("usage", { because: `${JSON.stringify(wrong)} is no role`, next: `The roles are ${ROLES.join(", ")}.` }),
    ]);
  const roles = words.filter(isRole);
  const kind = roles.includes("agent") || roles.includes("sensor") ? "agent" : "person";
  return inSession(given, io, (session) =>
    made(session, days, { kind, name, roles }, (fresh) => ({
      ...fresh,
      act: "create",
      kind: "token",
      subject: { id: name, kind, roles },
    })),
  );
};

export const rotate: Run = async (given, io) => {
  const [name, days] = [nameIn(given), daysIn(given)];
  if (typeof name !== "string") return badInput([name]);
  if (typeof days !== "number") return badInput([days]);
  return inSession(given, io, async (session) => {
    const known = get(session.writer.state().subjects, name);
    if (known === undefined) return unknownToken(name);
    const { kind, roles } = known;
    return made(session, days, { kind, name, roles }, (fresh) => ({
      ...fresh,
      act: "rotate",
      kind: "token",
      subject: name,
    }));
  });
};

type Fresh = Pick<Extract<RequestOf<"token">, { readonly act: "rotate" }>, "expiresAt" | "hash" | "token">;
type Bearer = { readonly kind: string; readonly name: string; readonly roles: readonly Role[] };

/** The public id is a part of the token, so that whoever holds one finds it in the list. */
const made = async (
  { ask }: Session,
  days: number,
  { kind, name, roles }: Bearer,
  request: (fresh: Fresh) => RequestOf<"token">,
): Promise<Outcome> => {
  const id = publicId();
  const token = `dedalus_${id}_${secretText()}`;
  const expiresAt = later(now(), days * DAY_MS);
  const asked = await ask(request({ expiresAt, hash: sha256(token), token: id }));
  if (asked.kind === "refused") return asked.outcome;
  const { seq } = asked.record;
  return {
    exit: "done",
    json: { expiresAt, id, kind, name, roles, seq, token },
    text: () => [
      `token ${id} for ${name} (${kind}, ${roles.join(", ")}), until ${expiresAt}; it is shown this once:`,
      token,
      `record ${seq}`,
    ],
  };
};

const unknownToken = (word: string): Outcome =>
  failed("refused", "kernel", [refuse("token-unknown", { cause: "subject", facts: { subject: word } })]);

/** By its subject or by its public id. */
const tokenIn = (state: State, given: Arguments): TokenState | undefined =>
  get(state.subjects, given.text.get("name") ?? "") ?? tokenNamed(state, given.text.get("id") ?? "");

export const revoke: Run = async (given, io) => {
  if (given.text.has("name") === given.text.has("id")) {
    return badInput([refuse("usage", { because: "exactly one of --name and --id is needed" })]);
  }
  return inSession(
    given,
    io,
    async ({ ask, writer }) => {
      const found = tokenIn(writer.state(), given);
      if (found === undefined) return unknownToken(given.text.get("name") ?? given.text.get("id") ?? "");
      const { id: name, token: id } = found;
      const asked = await ask({ act: "revoke", kind: "token", token: id });
      if (asked.kind === "refused") return asked.outcome;
      return {
        exit: "done",
        json: { id, name, seq: asked.record.seq },
        text: () => [
          `revoked token ${id} of ${name}; its open approvals and plans are void`,
          `record ${asked.record.seq}`,
        ],
      };
    },
    true,
  );
};

export const list: Run = (given, io) =>
  reading(
    given,
    io,
    async (state) => {
      const at = now();
      const tokens = Array.from(entries(state.subjects), ([, token]) => token)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ expiresAt, id: name, kind, makers, roles, token: id }) => ({
          expiresAt,
          id,
          isExpired: at >= expiresAt,
          kind,
          maker: makers[0],
          name,
          roles,
        }));
      return {
        exit: "done",
        json: { tokens },
        text: () => (tokens.length === 0 ? ["there is no token"] : tokens.map(tokenLine)),
      };
    },
    "tokens",
  );

type Listed = Bearer & {
  readonly expiresAt: string;
  readonly id: string;
  readonly isExpired: boolean;
  readonly maker: string | undefined;
};
const tokenLine = ({ expiresAt, id, isExpired, kind, maker, name, roles }: Listed): string =>
  `${id}  ${name}  ${kind}  ${roles.join(", ")}  made by ${maker}  ${isExpired ? "ended" : "until"} ${expiresAt}`;
