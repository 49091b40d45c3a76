// Who has a token that stands, until when, and who made it. Nothing here is secret: a token is known by its public id.

import type { Grants } from "../../kernel/command/role-grants.ts";
import { entries } from "../../kernel/state/persistent-map.ts";
import type { Instant } from "../../spine/model.ts";
import type { Reading } from "../hold/session.ts";

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

export const listTokens = async ({ at, state }: Reading): Promise<TokenList> => ({
  tokens: Array.from(entries(state.subjects), ([, token]) => token)
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
