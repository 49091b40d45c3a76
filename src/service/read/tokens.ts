// Who has a token that stands, until when, and who made it. Nothing here is secret: a token is known by its public id.
//
// Whoever audits or operates some environments sees the tokens with a role there, and what they are granted there.
// keeps B3

import type { Grants } from "../../kernel/command/role-grants.ts";
import { type Reader, readerRefusal } from "../../kernel/decide/actors.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { Instant } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";
import type { Sight } from "../hold/sight.ts";

export type TokenListed = {
  readonly expiresAt: Instant;
  readonly grants: Grants;
  readonly id: string;
  readonly isExpired: boolean;
  readonly kind: "person" | "agent";
  readonly maker: string | undefined;
  readonly name: string;
};
export type TokenList = { readonly tokens: readonly TokenListed[] };

/** A grant for all environments is one of each. */
const grantsSeen = (grants: Grants, reader: Reader, sees: Sight): Grants => {
  if (sees(undefined)) return grants;
  const isTold = (environment: string): boolean => readerRefusal(reader, "tokensThere", environment) === undefined;
  return grants.flatMap(({ environments, roles }): Grants => {
    if (environments === "all") return [{ environments, roles }];
    const told = environments.filter(isTold);
    return told.length === 0 ? [] : [{ environments: told, roles }];
  });
};

export const listTokens = async ({ actor, at, grants: own, sees, state }: Reading): Promise<TokenList> => ({
  tokens: Array.from(entries(state.subjects), ([, token]) => token)
    .map((token) => ({ ...token, grants: grantsSeen(token.grants, { actor, grants: own }, sees) }))
    .filter(({ grants }) => grants.length > 0 || sees(undefined))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ expiresAt, grants, id: name, kind, makers, token: id }) => ({
      expiresAt,
      grants,
      id,
      isExpired: at >= expiresAt,
      kind,
      maker: makers[0],
      name,
    })),
});
