// P7-A2: at the service door the newest configuration that was started to serve rules. An instance with another one, or
// with older rules, stops what there is to stop and writes nothing else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startRequest } from "../../src/kernel/command/program.ts";
import type { RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { Request } from "../../src/kernel/command/request.ts";
import { servingDigest } from "../../src/kernel/command/serving.ts";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import { VERSIONS } from "../../src/kernel/versions.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { GROUPS, serve, served, servedConfigOf } from "../kernel/signing-in.ts";
import {
  type Ask,
  CAROL,
  codesOf,
  lastId,
  planned,
  ROBO,
  refusalsOf,
  type Story,
  story,
  tokenOf,
} from "../kernel/story.ts";
import { coded } from "../spine/world.ts";

const CONFIG = servedConfigOf("single-operator");
const NOTE: Request = { kind: "annotate", text: "seen" };

const notedUnder = (own: RecordedConfig, newest: RecordedConfig, asking: Ask = {}): readonly Refusal[] => {
  const told = served("single-operator", own);
  assert.deepEqual(codesOf(serve(told, newest, { instance: told.other })), []);
  return refusalsOf(told.ask(NOTE, { by: ROBO, config: own, door: "service", ...asking }));
};
const withService = (change: object): RecordedConfig =>
  ({ ...CONFIG, service: { ...CONFIG.service, ...change } }) as RecordedConfig;
const withHome = (change: object): RecordedConfig =>
  ({
    ...CONFIG,
    environments: { ...CONFIG.environments, home: { ...CONFIG.environments["home"], ...change } },
  }) as RecordedConfig;

/** What rules at the door, each changed on the instance that was started last. */
const RULES: Readonly<Record<string, RecordedConfig>> = {
  "another approval mode": withHome({ approval: "four-eyes" }),
  "another length of sessions": withService({ sessions: { hours: 1, idleMinutes: 30 } }),
  "another map of groups": servedConfigOf("single-operator", GROUPS.slice(0, 1)),
  "another policy": withHome({ policy: { tighten: [{ action: "vm.stop", to: "refused" }], version: 1 } }),
  "another provider of identities": servedConfigOf("single-operator", GROUPS, "https://other.example"),
  "one environment less": { ...CONFIG, environments: { home: CONFIG.environments["home"] ?? assert.fail() } },
  "no sign-in": withService({ oidc: undefined }),
};
for (const [what, newest] of Object.entries(RULES)) {
  cannot("P7-A2", `write by an instance where the newest has ${what}`, {
    neighbour: () => notedUnder(CONFIG, CONFIG),
    offence: () => coded("instance-outdated", notedUnder(CONFIG, newest)),
  });
}

test("what is an instance's own keeps no other from writing", () => {
  for (const own of [
    withService({ listen: "127.0.0.1:7401", tls: { certificate: "a", key: "b" } }),
    withService({ webhooks: [{ events: ["outcome"], format: "slack", url: { env: "ROOM" } }] }),
    withService({ oidc: { ...CONFIG.service?.oidc, clientSecret: { env: "SECRET" } } }),
    { ...CONFIG, anchor: "another", signingKey: "another" },
  ]) {
    assert.deepEqual(notedUnder(CONFIG, own), []);
    assert.deepEqual(notedUnder(own, CONFIG), []);
  }
});

test("at the ledger's own files each stands on the configuration that it has", () => {
  const newest = servedConfigOf("single-operator", GROUPS.slice(0, 1));
  assert.deepEqual(notedUnder(CONFIG, newest, { door: "local" }), []);
});

test("before anybody has served, a command stands on its own configuration", () => {
  const told = story("single-operator");
  assert.deepEqual(codesOf(told.ask(NOTE, { by: CAROL, door: "service" })), []);
});

/** Every brake, and what the kernel says of what was begun, at an instance that rules no longer. */
test("an instance that rules no longer still stops, takes back and ends", () => {
  const own = withService({ oidc: undefined });
  const told: Story = served("single-operator", own);
  const asking = { by: CAROL, config: own, door: "service" } as const;
  const { id, of } = planned(told, { by: CAROL, config: own });
  serve(told, { ...own, environments: { home: own.environments["home"] ?? assert.fail() } }, { instance: told.other });
  const taken: readonly Request[] = [
    { kind: "deny", of, reason: "no" },
    { kind: "freeze", reason: "no" },
    { act: "revoke", kind: "token", token: tokenOf(told, "bob") },
    { kind: "cancel", plan: id, reason: "no" },
  ];
  for (const request of taken) assert.deepEqual(codesOf(told.ask(request, asking)), [], request.kind);
  const other: readonly Request[] = [
    { kind: "unfreeze", reason: "go on" },
    { kind: "request-approval", of },
    { kind: "challenge", of },
    NOTE,
  ];
  for (const request of other)
    assert.deepEqual(codesOf(told.ask(request, asking)), ["instance-outdated"], request.kind);
  // The approval is not there; that it was looked for says that the instance may take one back.
  const revoke = { approval: lastId(told), kind: "revoke", plan: id, reason: "no" } as const;
  assert.deepEqual(codesOf(told.ask(revoke, asking)), ["approval-unknown"]);
  const outcome = { cause: "provider-done", intent: id, kind: "outcome", outcome: "succeeded" } as const;
  assert.deepEqual(codesOf(told.ask(outcome, { ...asking, by: KERNEL_ACTOR })), ["intent-unknown"]);
});

const NEWEST = Math.max(...Object.keys(VERSIONS).map(Number));
const underRules = (newer: number): readonly Refusal[] => {
  const present = VERSIONS[NEWEST] ?? assert.fail();
  const told = story("single-operator", true, undefined, undefined, { ...VERSIONS, [NEWEST + 1]: present });
  const other = withService({ listen: "127.0.0.1:7401" });
  serve(told, CONFIG);
  told.ask(
    { ...startRequest(other, "2"), rules: newer, serves: servingDigest(other) },
    { by: KERNEL_ACTOR, config: other, everywhere: true, instance: told.other },
  );
  return refusalsOf(told.ask(NOTE, { by: ROBO, config: CONFIG, door: "service" }));
};
cannot("P7-A2", "write by an instance with older rules than the newest", {
  neighbour: () => underRules(NEWEST),
  offence: () => coded("instance-outdated", underRules(NEWEST + 1)),
});

const startingWith = (serves: RecordedConfig): readonly Refusal[] => {
  const told = story("single-operator");
  const request = { ...startRequest(CONFIG, "1"), serves: servingDigest(serves) };
  return refusalsOf(told.ask(request, { by: KERNEL_ACTOR, config: CONFIG, everywhere: true }));
};
cannot("N7", "say that another configuration is served than the one that is brought", {
  neighbour: () => startingWith(CONFIG),
  offence: () => startingWith(servedConfigOf("single-operator", GROUPS.slice(0, 1))),
});
