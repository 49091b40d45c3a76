// Who signs in or is invited, as the service lists them; how a person is removed, and whom a name that nobody has may
// have meant. Keeps B2, B3.

import assert from "node:assert/strict";
import { test } from "node:test";
import { publicId, secretText, ulids } from "../../src/ids.ts";
import type { ServiceAnswer } from "../../src/service/answer.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { LocalService } from "../../src/service/local-service.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { passkeyOf } from "../kernel/signing-in.ts";
import { bearer, codes, keyed, OPERATOR, ok, serving } from "./serving.ts";

const SERVICE = `  away:
    adapter: replay
    path: current.json
    approval: single-operator
    maxObservationAge: 5 min
    desired: away.yaml
service: { url: "http://localhost:7400" }
`;
const newId = ulids();
const instance = (): Caller => ({ credential: { kind: "instance" }, door: "service", key: newId() });

const served = async (t: Parameters<typeof serving>[0]): Promise<LocalService> => {
  const service = (await serving(t, SERVICE, (ports) => ({ ...ports, serves: true }))).open("long");
  assert.equal(await service.begin(), undefined);
  return service;
};
type Where = "all" | readonly string[];
const invited = async (service: LocalService, name: string, environments: Where = "all"): Promise<string> =>
  ok(await service.invite(OPERATOR, { days: 7, environments, name, roles: ["approver"] })).value.link?.split("#")[1] ??
  "";

/** Invited, with a passkey, and signed in: what they ask with. */
const signedIn = async (service: LocalService, name: string, environments: Where = "all"): Promise<Caller> => {
  const by = passkeyOf(name);
  const { credential } = by;
  ok(await service.redeem(instance(), { by, name, secret: sha256(await invited(service, name, environments)) }));
  const id = publicId();
  const text = `dedalus_${id}_${secretText()}`;
  ok(await service.signIn(instance(), { credential, name, session: { hash: sha256(text), id } }));
  return bearer(text);
};
const tokenOf = async (service: LocalService, name: string, role: "operator" | "approver", environments: Where) =>
  bearer(
    ok(await service.createToken(OPERATOR, { days: 7, environments, name, roles: [role] })).value.token ??
      assert.fail("it is shown once"),
  );
const refusal = (answer: ServiceAnswer<unknown>) =>
  answer.kind === "refused" ? [answer.refusals[0]?.code, answer.refusals[0]?.cause] : answer;

test("the list has who signs in and who is invited, by what, and when they last came", async (t) => {
  const service = await served(t);
  await signedIn(service, "finn");
  await invited(service, "gwen", ["home"]);
  const { people } = ok(await service.people(OPERATOR, {})).value;
  const [finn, gwen, ...others] = people;
  assert.deepEqual(others, []);
  assert.deepEqual(
    [finn?.name, finn?.signsInBy, finn?.invitedBy, finn?.sessions.length, typeof finn?.signedInAt],
    ["finn", "passkey", "alice", 1, "string"],
  );
  assert.deepEqual(
    [gwen?.name, gwen?.signsInBy, gwen?.grants, gwen?.sessions, gwen?.signedInAt, typeof gwen?.expiresAt],
    ["gwen", "invitation", [{ environments: ["home"], roles: ["approver"] }], [], undefined, "string"],
  );
});

test("whoever operates one environment lists those with a role there, and what they are granted there", async (t) => {
  const service = await served(t);
  await invited(service, "gwen", ["away", "home"]);
  await invited(service, "hope", ["away"]);
  const lena = await tokenOf(service, "lena", "operator", ["home"]);
  const { people } = ok(await service.people(lena, {})).value;
  assert.deepEqual(
    people.map(({ grants, name }) => [name, grants]),
    [["gwen", [{ environments: ["home"], roles: ["approver"] }]]],
  );
});

test("who is removed is known by nothing any more; a repeated key answers the same record", async (t) => {
  const service = await served(t);
  const finn = await signedIn(service, "finn");
  const caller = keyed();
  const asked = { name: "finn", reason: "left the team" };
  const first = ok(await service.signOut(caller, asked));
  assert.equal(first.value.signsInBy, "passkey");
  const again = ok(await service.signOut(caller, asked));
  assert.deepEqual([again.replayed, again.value], [true, { name: "finn", seq: first.value.seq }]);
  assert.deepEqual(codes(await service.whoami(finn, {})), ["actor-unknown"]);
  assert.deepEqual(ok(await service.people(OPERATOR, {})).value.people, []);
});

test("a name that nobody has is answered with whoever is nearest, or with where they are", async (t) => {
  const service = await served(t);
  await invited(service, "gwen", ["away"]);
  await tokenOf(service, "bob", "approver", ["away"]);
  const remove = (name: string, caller: Caller = OPERATOR) =>
    service.signOut(caller, { name, reason: "left the team" });
  assert.deepEqual(refusal(await remove("gwne")), ["person-unknown", "meant"]);
  assert.deepEqual(refusal(await remove("nobody-here")), ["person-unknown", "nobody"]);
  assert.deepEqual(refusal(await remove("bob")), ["person-unknown", "token"]);
  assert.deepEqual(refusal(await remove("alice")), ["person-unknown", "operator"]);
  const revoke = (name: string, caller: Caller = OPERATOR) => service.revokeToken(caller, { name });
  assert.deepEqual(refusal(await revoke("bbo")), ["token-unknown", "subject-meant"]);
  assert.deepEqual(refusal(await revoke("gwen")), ["token-unknown", "person"]);
  assert.deepEqual(refusal(await revoke("xavier")), ["token-unknown", "subject"]);
  assert.deepEqual(refusal(await service.rotateToken(OPERATOR, { days: 1, name: "bbo" })), [
    "token-unknown",
    "subject-meant",
  ]);
  const [{ id = "" } = {}] = ok(await service.tokens(OPERATOR, {})).value.tokens;
  const near = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
  assert.deepEqual(refusal(await service.revokeToken(OPERATOR, { id: near })), ["token-unknown", "id-meant"]);

  // Whoever operates another environment is told of neither.
  const lena = await tokenOf(service, "lena", "operator", ["home"]);
  for (const name of ["gwne", "gwen", "bob"])
    assert.deepEqual(refusal(await remove(name, lena)), ["person-unknown", "nobody"], name);
  for (const name of ["bbo", "gwen", "bob"])
    assert.deepEqual(refusal(await revoke(name, lena)), ["token-unknown", "subject"], name);
  // And whoever operates nothing hears the same of whoever is there and whoever is not.
  const eve = await tokenOf(service, "eve", "approver", "all");
  for (const name of ["bob", "bbo"]) assert.deepEqual(codes(await revoke(name, eve)), ["role-missing"], name);
  for (const name of ["gwen", "gwne"]) assert.deepEqual(codes(await remove(name, eve)), ["role-missing"], name);
});
