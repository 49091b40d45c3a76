// The relying party of OpenID Connect: sends a browser to the provider, and reads who came back.
//
// Code with PKCE, state and nonce; the ID token is verified against the provider's keys. Who somebody is, is issuer
// and `sub`; a name is for display and may change. What they may do is not said here: groups are handed on, and the
// kernel derives roles from its recorded map. A provider that does not answer, or answers wrongly, is a flaw and
// never a sign-in. Keeps B2, B4.

import * as oidc from "openid-client";

export type PartyConfig = {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly groupsClaim: string;
  readonly issuer: string;
  readonly nameClaim: string;
  readonly redirectUri: string;
};

/** What has to come back with the browser, sealed. */
export type AuthorizationKept = { readonly nonce: string; readonly state: string; readonly verifier: string };
export type ProviderSaid = {
  readonly groups: readonly string[];
  readonly issuer: string;
  readonly name?: string;
  readonly sub: string;
};
export type PartyFlaw = "answer" | "declined" | "unreachable";

export type RelyingParty = {
  readonly begin: () => Promise<{ readonly kept: AuthorizationKept; readonly url: string } | PartyFlaw>;
  readonly finish: (url: URL, kept: AuthorizationKept) => Promise<ProviderSaid | PartyFlaw>;
};

const SCOPE = "openid profile groups";
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

export const relyingPartyOf = (config: PartyConfig): RelyingParty => {
  const { clientId, clientSecret, issuer, redirectUri } = config;
  const server = new URL(issuer);
  let discovered: Promise<oidc.Configuration> | undefined;
  /** One that did not answer is asked again by the next who signs in. */
  const discover = (): Promise<oidc.Configuration> => {
    discovered ??= oidc
      .discovery(
        server,
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
        // Only to this machine itself: everywhere else the connection is verified.
        server.protocol === "http:" && LOOPBACK.has(server.hostname) ? { execute: [oidc.allowInsecureRequests] } : {},
      )
      .catch((error: unknown) => {
        discovered = undefined;
        throw error;
      });
    return discovered;
  };
  return {
    begin: async () => {
      try {
        const provider = await discover();
        const kept = {
          nonce: oidc.randomNonce(),
          state: oidc.randomState(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(provider, {
          code_challenge: await oidc.calculatePKCECodeChallenge(kept.verifier),
          code_challenge_method: "S256",
          nonce: kept.nonce,
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: kept.state,
        });
        return { kept, url: url.href };
      } catch (error) {
        return flawOf(error);
      }
    },
    finish: async (url, kept) => {
      try {
        const provider = await discover();
        const tokens = await oidc.authorizationCodeGrant(provider, url, {
          expectedNonce: kept.nonce,
          expectedState: kept.state,
          idTokenExpected: true,
          pkceCodeVerifier: kept.verifier,
        });
        const claims = tokens.claims();
        if (claims === undefined) return "answer";
        const known = hasGroups(claims, config)
          ? claims
          : { ...(await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
        return saidOf(known, claims.iss, claims.sub, config);
      } catch (error) {
        return flawOf(error);
      }
    },
  };
};

type Claims = Readonly<Record<string, unknown>>;

const hasGroups = (claims: Claims, { groupsClaim }: PartyConfig): boolean => Object.hasOwn(claims, groupsClaim);

const saidOf = (claims: Claims, issuer: string, sub: string, config: PartyConfig): ProviderSaid => {
  const [groups, name] = [claims[config.groupsClaim], claims[config.nameClaim]];
  return {
    groups: Array.isArray(groups) ? [...new Set(groups.filter((one) => typeof one === "string"))].sort() : [],
    issuer,
    ...(typeof name === "string" && name !== "" ? { name } : {}),
    sub,
  };
};

const ANSWERED = [oidc.ClientError, oidc.ResponseBodyError, oidc.WWWAuthenticateChallengeError] as const;

/** A person who says no at the provider, a provider that answers wrongly, and one that does not answer. */
const flawOf = (error: unknown): PartyFlaw => {
  if (error instanceof oidc.AuthorizationResponseError) return "declined";
  if (ANSWERED.some((kind) => error instanceof kind)) return "answer";
  // What fetch itself throws: no address, no connection, no trust in the certificate.
  if (error instanceof TypeError) return "unreachable";
  throw error;
};
