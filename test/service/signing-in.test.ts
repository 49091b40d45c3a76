// People sign in at a service, are known by their sessions, and go; on a real ledger.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SignInRequested } from "../../src/service/act/signing-in.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { bearer, codes, type Ending, OPERATOR, ok, serving } from "./serving.ts";

const SERVICE = `service:
  url: https://dedalus.example
  oidc:
    issuer: https://id.example
    clientId: dedalus
    groups:
      ops: { roles: [operator], environments: all }
      eyes: { roles: [observer], environments: all }
`;
const INSTANCE: Caller = { credential: { kind: "instance" }, door: "service" };

const sessionToken = (no: number): string => `dedalus_s${String(no).padStart(9, "0")}_secret${no}`;
const asking = (no: number, more: Partial<SignInRequested> = {}): SignInRequested => ({
  called: "ada",
  groups: ["everybody", "ops", "eyes"],
  issuer: "https://id.example",
  session: { hash: sha256(sessionToken(no)), id: `s${String(no).padStart(9, "0")}` },
  sub: "sub-of-ada",
  ...more,
});

const served = async (t: Ending) => {
  const desk = await serving(t, SERVICE, (ports) => ({ ...ports, serves: true }));
  return { ...desk, service: desk.openReloading() };
};

test("who signs in is known by the session, with the roles of their groups, until they sign out", async (t) => {
  const { records, service } = await served(t);
  const { value } = ok(await service.signIn(INSTANCE, asking(1)));
  assert.deepEqual([value.name, value.id], ["ada", "s000000001"]);
  const ada = bearer(sessionToken(1));
  const { value: who } = ok(await service.whoami(ada, {}));
  assert.equal(who.actor.id, "ada");
  ok(await service.freeze(ada, { reason: "to see" }));
  const [signed] = (await records()).filter(({ kind }) => kind === "sign-in");
  assert.deepEqual(signed?.actor, { id: "dedalus", kind: "kernel", roles: [] });
  assert.match(JSON.stringify(signed?.body), /"groups":\["eyes","ops"\]/);
  assert.doesNotMatch(JSON.stringify(signed), /everybody|secret1/);
  ok(await service.signOut(ada, {}));
  assert.deepEqual(codes(await service.whoami(ada, {})), ["actor-unknown"]);
});

test("who signed out, or whose sessions an operator ended, is shown nothing that was shown to them before", async (t) => {
  const { service } = await served(t);
  ok(await service.signIn(INSTANCE, asking(1)));
  ok(await service.signIn(INSTANCE, asking(2)));
  const [first, second] = [bearer(sessionToken(1)), bearer(sessionToken(2))];
  for (const one of [first, second])
    assert.equal(ok(await service.plans(one, {})).value, ok(await service.plans(one, {})).value, "it is remembered");
  ok(await service.signOut(first, {}));
  assert.deepEqual(codes(await service.plans(first, {})), ["actor-unknown"]);
  ok(await service.plans(second, {}));
  ok(await service.signOut(OPERATOR, { name: "ada", reason: "left" }));
  assert.deepEqual(codes(await service.plans(second, {})), ["actor-unknown"]);
});

test("somebody else of the same name gets another one, and keeps it", async (t) => {
  const { service } = await served(t);
  ok(await service.signIn(INSTANCE, asking(1)));
  const other = ok(await service.signIn(INSTANCE, asking(2, { sub: "sub-of-another" }))).value;
  assert.match(other.name, /^ada-[0-9a-f]{8}$/);
  const again = ok(await service.signIn(INSTANCE, asking(3, { called: "renamed", sub: "sub-of-another" }))).value;
  assert.equal(again.name, other.name);
});

test("who has no role leaves no record, and a session is nothing at the ledger's own files", async (t) => {
  const { records, service } = await served(t);
  ok(await service.signIn(INSTANCE, asking(1)));
  const before = (await records()).length;
  assert.deepEqual(codes(await service.signIn(INSTANCE, asking(2, { groups: ["everybody"], sub: "stranger" }))), [
    "sign-in-refused",
  ]);
  assert.equal((await records()).length, before);
  assert.deepEqual(codes(await service.whoami({ ...bearer(sessionToken(1)), door: "local" }, {})), ["actor-unknown"]);
});

test("nobody signs somebody in but the serving process itself", async (t) => {
  const { service } = await served(t);
  assert.deepEqual(codes(await service.signIn(OPERATOR, asking(1))), ["role-missing"]);
  assert.deepEqual(codes(await service.signIn({ ...INSTANCE, door: "local" }, asking(1))), ["actor-unknown"]);
  assert.deepEqual(codes(await service.tokens(INSTANCE, {})), ["role-missing"]);
});

test("operators see who signed in, and end the sessions of a person", async (t) => {
  const { service } = await served(t);
  ok(await service.signIn(INSTANCE, asking(1)));
  ok(await service.signIn(INSTANCE, asking(2)));
  const { people } = ok(await service.people(OPERATOR, {})).value;
  assert.deepEqual(
    people.map(({ groups, name, sessions }) => [name, groups, sessions.map(({ id }) => id)]),
    [["ada", ["eyes", "ops"], ["s000000001", "s000000002"]]],
  );
  ok(await service.signOut(OPERATOR, { name: "ada", reason: "left the team" }));
  for (const no of [1, 2])
    assert.deepEqual(codes(await service.whoami(bearer(sessionToken(no)), {})), ["actor-unknown"]);
  assert.deepEqual(codes(await service.signOut(OPERATOR, { name: "eve", reason: "who" })), ["person-unknown"]);
});

test("a session ends by itself, at the time that is configured", async (t) => {
  const { clock, service } = await served(t);
  ok(await service.signIn(INSTANCE, asking(1)));
  clock.aheadMs = 12 * 3_600_000 + 1_000;
  assert.deepEqual(codes(await service.whoami(bearer(sessionToken(1)), {})), ["token-expired"]);
});
