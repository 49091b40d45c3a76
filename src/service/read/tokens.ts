// Who has a token that stands, until when, and who made it. Nothing here is secret: a token is known by its public id.
//
// Whoever audits or operates some environments sees the tokens with a role there, and what they are granted there.
// keeps B3

import type { Grants } from "../../kernel/command/role-grants.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { Instant } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";
import { grantsSeen } from "./grants-seen.ts";

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

export const listTokens = async (reading: Reading): Promise<TokenList> => ({
  tokens: Array.from(entries(reading.state.subjects), ([, token]) => token)
    .map((token) => ({ ...token, grants: grantsSeen(token.grants, reading) }))
    .filter(({ grants }) => grants.length > 0 || reading.sees(undefined))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ expiresAt, grants, id: name, kind, makers, token: id }) => ({
      expiresAt,
      grants,
      id,
      isExpired: reading.at >= expiresAt,
      kind,
      maker: makers[0],
      name,
    })),
});
