// A story in which a service runs and people sign in at it: ada operates and approves, eve approves, olga has no group.

import { startRequest } from "../../src/kernel/command/program.ts";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { RequestOf, SignedInBy } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { servingDigest } from "../../src/kernel/command/serving.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
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

export const by = (sub: string, groups: readonly string[], issuer = ISSUER): SignedInBy => ({
  groups,
  issuer,
  kind: "oidc",
  sub,
});

type SignIn = Partial<RequestOf<"sign-in">["session"]> & { readonly subject?: string };

export const signIn = (
  told: Story,
  who: SignedInBy,
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
