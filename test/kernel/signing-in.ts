// A story in which a service runs and people sign in at it: ada operates and approves, eve approves, olga has no group.

import { startRequest } from "../../src/kernel/command/program.ts";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { RedeemedBy, RequestOf, SignedInByOidc } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { servingDigest } from "../../src/kernel/command/serving.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { later } from "../../src/spine/values/instant.ts";
import { type Ask, configOf, freshToken, type Mode, type Story, story } from "./story.ts";

export const ISSUER = "https://id.example";
export const HOUR = 3_600_000;
type Group = NonNullable<NonNullable<RecordedConfig["service"]>["oidc"]>["groups"][number];
export const GROUPS: readonly Group[] = [
  { environments: "all", group: "eyes", roles: ["approver"] },
  { environments: "all", group: "ops", roles: ["operator"] },
];

export const servedConfigOf = (mode: Mode, groups: readonly Group[] = GROUPS, issuer = ISSUER): RecordedConfig => ({
  ...configOf(mode),
  service: { listen: "127.0.0.1:7400", oidc: { groups, issuer }, sessions: { hours: 12, idleMinutes: 30 } },
});

export const serve = (told: Story, config: RecordedConfig, asking: Ask = {}): Result =>
  told.ask(
    { ...startRequest(config, "1"), serves: servingDigest(config) },
    { by: KERNEL_ACTOR, config, everywhere: true, ...asking },
  );

/** A story with a service that was started on this configuration. */
export const served = (mode: Mode = "four-eyes", config = servedConfigOf(mode)): Story => {
  const told = story(mode);
  serve(told, config);
  return told;
};

export const by = (sub: string, groups: readonly string[], issuer = ISSUER): SignedInByOidc => ({
  groups,
  issuer,
  kind: "oidc",
  sub,
});

type SignIn = Partial<RequestOf<"sign-in">["session"]> & { readonly subject?: string };

export const signIn = (
  told: Story,
  who: SignedInByOidc,
  { subject = who.sub, ...session }: SignIn = {},
  asking: Ask = {},
): Result =>
  told.ask(
    {
      by: who,
      kind: "sign-in",
      session: { ...freshToken(told.now(), told.records.length), expiresAt: later(told.now(), HOUR), ...session },
      subject,
    },
    { by: KERNEL_ACTOR, config: servedConfigOf("four-eyes"), door: "service", everywhere: true, ...asking },
  );

export const someone = (id: string, ...roles: readonly string[]): Actor => ({ id, kind: "person", roles });

/** Of somebody who approves everywhere, unless something else is said. */
export const invitation = (
  told: Story,
  subject: string,
  more: Partial<RequestOf<"invite">> = {},
): RequestOf<"invite"> => ({
  expiresAt: later(told.now(), 24 * HOUR),
  grants: [{ environments: "all", roles: ["approver"] }],
  kind: "invite",
  secret: sha256(`secret of ${subject}`),
  subject,
  ...more,
});

export const passkeyOf = (subject: string): Extract<RedeemedBy, { readonly kind: "passkey" }> => ({
  algorithm: "ES256",
  credential: `credential-of-${subject}`,
  kind: "passkey",
  publicKey: `public-key-of-${subject}`,
});

export const redemption = (
  subject: string,
  secret = `secret of ${subject}`,
  set: RedeemedBy = passkeyOf(subject),
): RequestOf<"redeem"> => ({ by: set, kind: "redeem", secret: sha256(secret), subject });
