// What the pages of signing in are given, and what they answer with; they know neither the HTTP server nor the
// ledger.
//
// Whoever signs in or leaves is recorded by the service; these are its few calls, with what a
// browser must be told. Not here: how a reply becomes a response (boundary/http/).

import type { Instant, Sha256 } from "../../spine/model.ts";
import type { WebPage } from "../pages/web-page.ts";
import type { Sealer } from "./browser-seal.ts";
import type { ProviderSaid, RelyingParty } from "./relying-party.ts";
import type { SessionCookies } from "./session-cookie.ts";

/** Of a token that somebody made: its public id, and its hash. Itself it is nobody's but theirs. */
export type SessionAsked = { readonly hash: Sha256; readonly id: string };

/** What was proven of somebody. */
export type ProvenPerson = { readonly said: ProviderSaid };

/** What was refused, as people read it. */
export type IdentityRefused = {
  readonly refusals: readonly { readonly detail: string; readonly summary: string }[];
};

/** What is recorded, and what has to be known for it. Whoever proves themselves does so here and nowhere else. */
export type PeopleCalls = {
  readonly signIn: (
    proof: ProvenPerson,
    session: SessionAsked,
  ) => Promise<IdentityRefused | { readonly subject: string }>;
  /** Ends the session of this token. */
  readonly signOut: (token: string) => Promise<IdentityRefused | undefined>;
  readonly whoIs: (token: string) => Promise<string | undefined>;
};

export type IdentityDesk = {
  readonly calls: PeopleCalls;
  readonly cookies: SessionCookies;
  readonly now: () => Instant;
  /** Where browsers find the service. */
  readonly origin: string;
  /** The provider as it is configured now; undefined where none is. */
  readonly partyNow: () => RelyingParty | undefined;
  readonly publicId: () => string;
  readonly sealer: Sealer;
  readonly secretText: () => string;
};

export type WebRequest = {
  /** Of a form or of JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookie: string | undefined;
  readonly query: URLSearchParams;
};

export type WebReply = (
  | { readonly kind: "json"; readonly status: number; readonly value: object }
  | { readonly kind: "page"; readonly page: WebPage }
  | { readonly kind: "redirect"; readonly to: string }
) & { readonly setCookies?: readonly string[] };

export type WebAnswer = (desk: IdentityDesk, request: WebRequest) => Promise<WebReply>;
