// The cookie of a signed-in browser: sealed, idle, renewed, and held against a word of our own forms.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sealerOf } from "../../../src/boundary/identity/browser-seal.ts";
import { SESSION_COOKIE, sessionCookies } from "../../../src/boundary/identity/session-cookie.ts";
import { secretText } from "../../../src/ids.ts";
import type { Instant } from "../../../src/spine/model.ts";
import { later } from "../../../src/spine/values/instant.ts";

const NOW = "2026-11-18T10:00:00.000Z" as Instant;
const MINUTE_MS = 60_000;
const SECRET = "a secret of the service";
const cookies = sessionCookies(sealerOf(SECRET, secretText), SECRET, 30);

const headerOf = (setCookie: string): string => setCookie.slice(0, setCookie.indexOf(";"));

test("a browser brings its session back, and nothing of it can be read there", () => {
  const set = cookies.issue("dedalus_abc_secret", NOW);
  assert.match(set, /^__Host-dedalus=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  assert.ok(!set.includes("secret"));
  assert.deepEqual(cookies.read(headerOf(set), later(NOW, 1_000)), { token: "dedalus_abc_secret" });
});

test("it is over when nobody used it for the idle time, and goes on while somebody does", () => {
  const set = headerOf(cookies.issue("t", NOW));
  assert.equal(cookies.read(set, later(NOW, 30 * MINUTE_MS)), undefined);
  const used = cookies.read(set, later(NOW, 29 * MINUTE_MS));
  assert.equal(used?.token, "t");
  const renewed = headerOf(used?.renewed ?? "");
  assert.equal(cookies.read(renewed, later(NOW, 58 * MINUTE_MS))?.token, "t");
});

test("two cookies of the name, one among others, and one that is cleared", () => {
  const set = headerOf(cookies.issue("t", NOW));
  assert.equal(cookies.read(`theme=dark; ${set}; other=1`, NOW)?.token, "t");
  assert.equal(cookies.read(`${set}; ${SESSION_COOKIE}=forged`, NOW), undefined);
  assert.equal(cookies.read(`${SESSION_COOKIE}=forged`, NOW), undefined);
  assert.equal(cookies.read(undefined, NOW), undefined);
  assert.match(cookies.clear, /Max-Age=0/);
});

test("a form of another session, or of no page of ours, has another word", () => {
  assert.ok(cookies.isCsrf("t", cookies.csrf("t")));
  for (const word of [cookies.csrf("u"), "", undefined, 1, `${cookies.csrf("t")}x`])
    assert.ok(!cookies.isCsrf("t", word), String(word));
});
