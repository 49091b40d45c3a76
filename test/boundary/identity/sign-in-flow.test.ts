// Signing in by a real provider: a browser, a terminal, who is turned away, and what is recorded of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { terminalAddress, terminalCode } from "../../../src/boundary/contract/terminal-sign-in.ts";
import { sha256 } from "../../../src/spine/values/hash.ts";
import { newKey } from "../at-door.ts";
import { type AtSignIn, atSignIn } from "./at-sign-in.ts";
import type { CookieJar, Visited } from "./cookie-jar.ts";

const PEOPLE = { "u-1": { groups: ["sre", "staff"], name: "ada" }, "u-2": { groups: ["staff"], name: "eve" } };
const TOKEN = "dedalus_abcdefghjk_a-secret-of-the-terminal";
const ASKED = { hash: sha256(TOKEN), id: "abcdefghjk" };

const signInsIn = async ({ served }: AtSignIn): Promise<readonly unknown[]> =>
  (await served.records())
    .filter(({ body, kind }) => kind === "sign-in" && Object(body).result.kind === "done")
    .map(({ body }) => Object(body).request);

const field = ({ body }: Visited, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? assert.fail(`no ${name} in ${body}`);

const signedIn = async (at: AtSignIn, jar: CookieJar): Promise<Visited> => {
  const page = await jar.get(await at.signIn(jar, "u-1"));
  assert.equal(page.status, 200);
  assert.match(page.body, /signed in as <strong>ada<\/strong>/);
  return page;
};

test("a person signs in with a browser, is known in it, and signs out", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  const page = await signedIn(at, jar);
  const [recorded] = (await signInsIn(at)) as { readonly by: object; readonly subject: string }[];
  assert.deepEqual(recorded?.by, {
    groups: ["sre"],
    issuer: at.provider.issuer,
    kind: "oidc",
    name: "ada",
    sub: "u-1",
  });
  assert.equal(recorded?.subject, "ada");
  assert.match((await jar.get(`${at.origin}/signed-in`)).body, /signed in as <strong>ada/);
  const out = await jar.post(`${at.origin}/sign-out`, { csrf: field(page, "csrf") });
  assert.match(out.body, /Your session has ended/);
  const after = await jar.get(`${at.origin}/signed-in`, () => true);
  assert.equal(after.location, `${at.origin}/sign-in`);
});

test("a flood of strangers at one address keeps nobody out who signed in there", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  await signedIn(at, jar);
  const invitations = Array.from({ length: 300 }, () => fetch(`${at.origin}/invitation`));
  const statuses = (await Promise.all(invitations)).map(({ status }) => status);
  assert.ok(statuses.includes(429), "strangers are limited");
  const own = await Promise.all(Array.from({ length: 50 }, () => jar.get(`${at.origin}/signed-in`, () => true)));
  assert.deepEqual(new Set(own.map(({ status }) => status)), new Set([200]));
});

test("a form of another page ends no session", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  await signedIn(at, jar);
  for (const csrf of ["", "forged"]) assert.equal((await jar.post(`${at.origin}/sign-out`, { csrf })).status, 403);
  assert.match((await jar.get(`${at.origin}/signed-in`)).body, /signed in as/);
});

test("a browser that was idle for too long is asked to sign in again", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  await signedIn(at, jar);
  at.clock.aheadMs = 31 * 60_000;
  assert.equal((await jar.get(`${at.origin}/signed-in`, () => true)).location, `${at.origin}/sign-in`);
});

test("a terminal is signed in when its person says yes to the code that it shows, and not before", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  const path = terminalAddress("", ASKED);
  const page = await jar.get(await at.signIn(jar, "u-1", path));
  assert.ok(page.body.includes(terminalCode(ASKED.hash)));
  assert.deepEqual([await at.whoami(TOKEN), await signInsIn(at)], [401, []]);
  const no = await jar.post(`${at.origin}/sign-in/terminal`, { answer: "no", flow: field(page, "flow") });
  assert.match(no.body, /Nothing was recorded/);
  assert.deepEqual([await at.whoami(TOKEN), await signInsIn(at)], [401, []]);
  const yes = await jar.post(`${at.origin}/sign-in/terminal`, { answer: "yes", flow: field(page, "flow") });
  assert.match(yes.body, /Your terminal is signed in as <strong>ada/);
  assert.equal(await at.whoami(TOKEN), 200);
  const again = await jar.post(`${at.origin}/sign-in/terminal`, { answer: "yes", flow: field(page, "flow") });
  assert.match(again.body, /Not signed in/);
  assert.equal((await signInsIn(at)).length, 1);
});

test("an address that is not whole asks for nothing", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  for (const query of ["hash=1&id=abcdefghjk", `hash=${ASKED.hash}`, `hash=${ASKED.hash}&id=UPPER12345`])
    assert.equal((await at.newJar().get(`${at.origin}/sign-in?${query}`)).status, 400, query);
});

test("who is in no group of the map is told so, and leaves no record", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  const page = await jar.get(await at.signIn(jar, "u-2"));
  assert.deepEqual([page.status, await signInsIn(at)], [403, []]);
  assert.match(page.body, /role="alert"/);
});

test("what comes back without the browser that went, twice, or late signs nobody in", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  const back = await at.signIn(jar, "u-1");
  assert.equal((await at.newJar().get(back)).status, 400);
  at.clock.aheadMs = 11 * 60_000;
  assert.equal((await jar.get(back)).status, 400);
  at.clock.aheadMs = 0;
  assert.equal((await jar.get(back)).status, 200);
  assert.equal((await jar.get(back)).status, 400);
  assert.equal((await signInsIn(at)).length, 1);
});

test("a page lets nothing in from elsewhere, and is kept by nobody", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const reply = await fetch(`${at.origin}/sign-in/callback`);
  const policy = reply.headers.get("content-security-policy") ?? "";
  for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'"])
    assert.ok(policy.includes(part));
  assert.ok(!policy.includes("unsafe"));
  assert.equal(reply.headers.get("cache-control"), "no-store");
  assert.equal(reply.headers.get("x-content-type-options"), "nosniff");
});

test("a signed-in browser asks as its person; for more than reading it needs the word of our own pages", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  const jar = at.newJar();
  const csrf = field(await signedIn(at, jar), "csrf");
  const cookie = jar.cookies(at.origin);
  const read = await fetch(`${at.origin}/v1/whoami`, { headers: { cookie } });
  assert.deepEqual([read.status, Object(await read.json()).actor.id], [200, "ada"]);
  const freeze = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const sent = { cookie, "content-type": "application/json", "idempotency-key": newKey(), ...headers };
    const reply = await fetch(`${at.origin}/v1/freezes`, {
      body: JSON.stringify({ reason: "an incident" }),
      headers: sent,
      method: "POST",
    });
    return reply.status;
  };
  assert.equal(await freeze({}), 400);
  assert.equal(await freeze({ "dedalus-csrf": "forged" }), 400);
  assert.equal(await freeze({ authorization: "Bearer nobody", "dedalus-csrf": csrf }), 401);
  assert.equal(await freeze({ "dedalus-csrf": csrf }), 201);
});
