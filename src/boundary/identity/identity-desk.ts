// What the pages of signing in are given, and what they answer with; they know neither the HTTP server nor the
// ledger.
//
// Whoever signs in, redeems an invitation or leaves is recorded by the service; these are its few calls, with what a
// browser must be told. Not here: how a reply becomes a response (boundary/http/).

import type { RedeemRequested } from "../../service/act/invitation.ts";
import type { InvitationOpen, PasskeyFound } from "../../service/read/at-the-door.ts";
import type { Instant, Sha256 } from "../../spine/model.ts";
import type { WebPage } from "../pages/web-page.ts";
import type { Sealer } from "./browser-seal.ts";
import type { ProviderSaid, RelyingParty } from "./relying-party.ts";
import type { SessionCookies } from "./session-cookie.ts";

/** Of a token that somebody made: its public id, and its hash. Itself it is nobody's but theirs. */
export type SessionAsked = { readonly hash: Sha256; readonly id: string };

/** What was proven of somebody: by what their provider says, or by the passkey that they have. */
export type ProvenPerson = { readonly said: ProviderSaid } | { readonly credential: string; readonly name: string };

/** What somebody sets who was invited. */
export type RedeemedAtDoor = RedeemRequested["by"];

/** What was refused, as people read it. */
export type IdentityRefused = {
  readonly refusals: readonly { readonly detail: string; readonly summary: string }[];
};

/** What is recorded, and what has to be known for it. Whoever proves themselves does so here and nowhere else. */
export type PeopleCalls = {
  /** The invitation whose secret has this hash, while it can be redeemed. */
  readonly invitation: (secret: Sha256) => Promise<InvitationOpen | undefined>;
  readonly passkeyOf: (credential: string) => Promise<PasskeyFound["passkey"]>;
  /** Undefined where no invitation is open for this secret. */
  readonly redeem: (
    secret: Sha256,
    redeemed: RedeemedAtDoor,
  ) => Promise<IdentityRefused | { readonly subject: string } | undefined>;
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
  /** Whether a provider is configured: people sign in there and nowhere else. */
  readonly hasProvider: () => boolean;
  readonly now: () => Instant;
  /** Where browsers find the service. */
  readonly origin: string;
  /** The provider as it is configured now; undefined where none is, or it cannot be used. */
  readonly partyNow: () => RelyingParty | undefined;
  readonly publicId: () => string;
  readonly sealer: Sealer;
  readonly secretText: () => string;
  /** A challenge is of use once. False where it was used. */
  readonly spend: (challenge: string, until: Instant) => boolean;
};

export type WebRequest = {
  /** Of a form or of JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly cookie: string | undefined;
  /** A request with a bearer token is that token's alone, whatever cookies come with it. */
  readonly hasBearer: boolean;
  /** What stands in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** From where the browser says that it comes (Sec-Fetch-Site); undefined where it says nothing. */
  readonly site: string | undefined;
};

export type WebReply = (
  | { readonly kind: "json"; readonly status: number; readonly value: object }
  | { readonly kind: "page"; readonly page: WebPage }
  | { readonly kind: "redirect"; readonly to: string }
) & { readonly setCookies?: readonly string[] };

export type WebAnswer = (desk: IdentityDesk, request: WebRequest) => Promise<WebReply>;

/** What is answered where, for whoever is in a browser. */
export type WebRoutes = Readonly<Record<`${"GET" | "POST"} /${string}`, WebAnswer>>;
