// Invitations at the service: the link is shown once, its secret is recorded nowhere, and whoever redeems it is known
// by what they set. Only the process that serves asks for what the door needs. Keeps B2, B5.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { publicId, secretText, ulids } from "../../src/ids.ts";
import type { Caller } from "../../src/service/hold/callers.ts";
import type { LocalService } from "../../src/service/local-service.ts";
import type { Refusal } from "../../src/spine/model.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { framedExplanation } from "../../src/spine/words/steps/explanation-in-words.ts";
import { cannot } from "../cannot.ts";
import { passkeyOf } from "../kernel/signing-in.ts";
import { bearer, codes, keyed, OPERATOR, ok, type Serving, serving } from "./serving.ts";

const URL_SERVED = "http://localhost:7400";
const SERVICE = `service: { url: "${URL_SERVED}" }\n`;
const newId = ulids();
const instance = (): Caller => ({ credential: { kind: "instance" }, door: "service", key: newId() });
const FINN = { days: 7, name: "finn", roles: ["approver"] } as const;

const served = async (t: Parameters<typeof serving>[0]): Promise<{ at: Serving; service: LocalService }> => {
  const at = await serving(t, SERVICE, (ports) => ({ ...ports, serves: true }));
  const service = at.open("long");
  assert.equal(await service.begin(), undefined);
  return { at, service };
};
const secretIn = (link: string | undefined): string => {
  const [page, secret = ""] = (link ?? assert.fail("it is shown once")).split("#");
  assert.equal(page, `${URL_SERVED}/invitation`);
  return secret;
};
const token = () => {
  const id = publicId();
  const text = `dedalus_${id}_${secretText()}`;
  return { made: { hash: sha256(text), id }, text };
};

test("an invitation shows its link once; its secret is in no record, and a repeated key shows none", async (t) => {
  const { at, service } = await served(t);
  const caller = keyed();
  const first = ok(await service.invite(caller, FINN));
  const secret = secretIn(first.value.link);
  const again = ok(await service.invite(caller, FINN));
  const { link: _, ...shown } = first.value;
  assert.deepEqual([again.replayed, again.value], [true, shown]);
  const text = JSON.stringify(await at.records());
  assert.ok(text.includes(sha256(secret)) && !text.includes(secret));
});

test("a process that serves invites to the pages that it has since its start, whatever is written by now", async (t) => {
  const at = async (pagesAt: { readonly url?: string }) => {
    const { open } = await serving(t, SERVICE, (ports) => ({ ...ports, pagesAt, serves: true }));
    return open("long").invite(keyed(), FINN);
  };
  const none = await at({});
  assert.deepEqual(none.kind === "refused" && none.refusals.map(({ cause }) => cause), ["no-address"]);
  const { value } = ok(await at({ url: "http://localhost:7401" }));
  assert.match(value.link ?? "", /^http:\/\/localhost:7401\/invitation#/);
});

test("who redeems an invitation with a passkey signs in by it, and the inviter is known", async (t) => {
  const { service } = await served(t);
  const secret = sha256(secretIn(ok(await service.invite(OPERATOR, FINN)).value.link));
  const { invitation } = ok(await service.findInvitation(instance(), { secret })).value;
  assert.deepEqual([invitation?.name, invitation?.invitedBy], ["finn", "alice"]);
  const by = passkeyOf("finn");
  assert.ok(by.kind === "passkey");
  ok(await service.redeem(instance(), { by, name: "finn", secret }));
  assert.deepEqual(ok(await service.findInvitation(instance(), { secret })).value, {});
  const twice = await service.redeem(instance(), { by, name: "finn", secret });
  assert.equal(twice.kind === "refused" && twice.refusals[0]?.cause, "not-open");

  const { credential } = by;
  const { passkey } = ok(await service.findPasskey(instance(), { credential })).value;
  assert.deepEqual([passkey?.name, passkey?.publicKey], ["finn", by.publicKey]);
  const session = token();
  ok(await service.signIn(instance(), { credential, name: "finn", session: session.made }));
  assert.equal(ok(await service.whoami(bearer(session.text), {})).value.actor.id, "finn");
  const [person] = ok(await service.people(OPERATOR, {})).value.people;
  assert.deepEqual([person?.name, person?.invitedBy], ["finn", "alice"]);
  const other = { credential: passkeyOf("gwen").credential, name: "finn", session: token().made };
  assert.deepEqual(codes(await service.signIn(instance(), other)), ["sign-in-refused"]);
});

test("who redeems an invitation with a token is proven by it, and it is the inviter's making", async (t) => {
  const { service } = await served(t);
  const secret = sha256(secretIn(ok(await service.invite(OPERATOR, FINN)).value.link));
  const { made, text } = token();
  ok(await service.redeem(instance(), { by: { ...made, kind: "token" }, name: "finn", secret }));
  assert.equal(ok(await service.whoami(bearer(text), {})).value.actor.id, "finn");
  const [listed] = ok(await service.tokens(OPERATOR, {})).value.tokens;
  assert.deepEqual([listed?.name, listed?.maker], ["finn", "alice"]);
});

test("nobody but the process that serves asks for what the door needs", async (t) => {
  const { service } = await served(t);
  const secret = sha256(secretIn(ok(await service.invite(OPERATOR, FINN)).value.link));
  const operator = ok(await service.createToken(OPERATOR, { days: 1, name: "olga", roles: ["operator"] })).value.token;
  for (const caller of [OPERATOR, bearer(operator ?? "")]) {
    assert.deepEqual(codes(await service.findInvitation(caller, { secret })), ["role-missing"]);
    assert.deepEqual(codes(await service.findPasskey(caller, { credential: "x" })), ["role-missing"]);
    const by = { ...token().made, kind: "token" } as const;
    assert.deepEqual(codes(await service.redeem(caller, { by, name: "finn", secret })), ["role-missing"]);
  }
  const local: Caller = { ...instance(), door: "local" };
  assert.deepEqual(codes(await service.findInvitation(local, { secret })), ["actor-unknown"]);
});

test("an invitation that nobody could redeem is refused before anything is recorded", async (t) => {
  const { at, service } = await served(t);
  const before = (await at.records()).length;
  for (const days of [0, 8, 1.5])
    assert.deepEqual(codes(await service.invite(OPERATOR, { ...FINN, days })), ["invitation-refused"]);
  assert.equal((await at.records()).length, before);
  const nowhere = await serving(t);
  const refused = await nowhere.open().invite(OPERATOR, FINN);
  assert.equal(refused.kind === "refused" && refused.refusals[0]?.cause, "no-address");
});

test("an explanation names who invited whoever asked, and so does what was shown then", async (t) => {
  const { service } = await served(t);
  const invited = { days: 7, name: "finn", roles: ["operator"] } as const;
  const secret = sha256(secretIn(ok(await service.invite(OPERATOR, invited)).value.link));
  const by = passkeyOf("finn");
  ok(await service.redeem(instance(), { by, name: "finn", secret }));
  const session = token();
  ok(await service.signIn(instance(), { credential: by.credential, name: "finn", session: session.made }));
  const finn = bearer(session.text);
  const step = { number: 1 };
  const planBy = async (caller: Caller): Promise<string> =>
    ok(await service.makePlan(caller, { environment: "home", scope: "all" })).value.id;
  const plan = await planBy(finn);
  const party = [{ invitedBy: "alice", name: "finn", party: "requester" }];
  const shown = ok(await service.explain(OPERATOR, { plan, step })).value;
  assert.deepEqual(shown.shown?.invited, party);
  const beside = shown.shown ?? assert.fail("it is shown");
  assert.ok(framedExplanation(shown.explanation, beside).lines.some((line) => /finn.*alice/.test(line)));
  ok(await service.challenge(OPERATOR, { plan, step }));
  const then = ok(await service.explain(OPERATOR, { plan, step, words: "as-shown" })).value.asShown;
  assert.deepEqual(then?.invited, party);
});

const invitingAt = async (t: Parameters<typeof serving>[0], url: string): Promise<readonly Refusal[]> => {
  const at = await serving(t, `service: { url: "${url}" }\n`);
  const answer = await at.open().invite(OPERATOR, FINN);
  return answer.kind === "ok" ? [] : answer.refusals;
};

cannot("B2", "invite to a page whose address has no name, where no passkey can be set", {
  neighbour: () => invitingAt({ after }, "http://localhost:7400"),
  offence: () => invitingAt({ after }, "http://127.0.0.1:7400"),
});

test("a name is what a browser takes for one", async (t) => {
  for (const url of ["https://192.0.2.7", "https://127.1", "http://127.0.0.1:7400", "http://[::1]:7400"]) {
    const [refusal] = await invitingAt(t, url);
    assert.deepEqual([refusal?.code, refusal?.cause, refusal?.facts], ["invitation-refused", "no-name", { url }], url);
  }
  for (const url of ["https://dedalus.example", "http://localhost:7400", "https://dedalus"])
    assert.deepEqual(await invitingAt(t, url), [], url);
});
