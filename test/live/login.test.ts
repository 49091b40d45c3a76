// A terminal signs in at a service with a real provider of identities: the code is compared in a browser, the session
// is kept for this server alone, and ends with logout.

import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { atSignIn } from "../boundary/identity/at-sign-in.ts";
import { atDesk } from "../cli/desk.ts";
import { codesIn } from "./cluster.ts";
import { atTerminal, sessionsIn } from "./terminal-sign-in.ts";

const PEOPLE = { "u-1": { groups: ["sre", "staff"], name: "ada" } };

const shell = (t: TestContext, folder: string): void => {
  process.env["XDG_CONFIG_HOME"] = folder;
  t.after(() => {
    delete process.env["XDG_CONFIG_HOME"];
    delete process.env["DEDALUS_TOKEN"];
  });
};

test("login keeps a session that whoami knows, and logout ends it", async (t) => {
  const { origin } = await atSignIn(t, PEOPLE);
  await atTerminal({ answer: "yes", origin, sub: "u-1" }, async ({ dedalus, folder }) => {
    const signed = await dedalus("--server", origin, "login");
    assert.match(
      signed.out,
      new RegExp(`^signed in at ${origin} as ada\nroles: approver, operator in all environments\n$`),
    );
    const sessions = sessionsIn(folder);
    const [file = ""] = readdirSync(sessions);
    assert.equal(statSync(join(sessions, file)).mode & 0o777, 0o600);
    assert.match((await dedalus("whoami", "--server", origin)).out, /^ada \(person\), by your sign-in at/);
    const elsewhere = await dedalus("whoami", "--json", "--server", "http://127.0.0.1:1");
    assert.deepEqual(codesIn(JSON.parse(elsewhere.out)), ["actor-unknown"], "a session is for its own server alone");
    const out = await dedalus("logout", "--server", origin);
    assert.match(out.out, /^signed out at .*: the session of ada ended\nrecord \d+\n$/);
    assert.equal(existsSync(join(sessions, file)), false);
    assert.equal((await dedalus("whoami", "--server", origin)).code, 3);
  });
});

test("a code that nobody confirms signs nobody in, and leaves no file", async (t) => {
  const { origin } = await atSignIn(t, PEOPLE);
  await atTerminal({ answer: "no", origin, sub: "u-1" }, async ({ dedalus, folder }) => {
    const refused = await dedalus("--server", origin, "login", "--json");
    assert.deepEqual(codesIn(JSON.parse(refused.out)), ["sign-in-unconfirmed"]);
    assert.equal(existsSync(sessionsIn(folder)), false);
  });
});

test("without a server, beside a token, and where nobody can sign in, login says so", async (t) => {
  const { atDoor } = await import("../boundary/at-door.ts");
  const { url } = await atDoor(t);
  await atDesk({}, async (dedalus, folder) => {
    shell(t, folder);
    assert.match((await dedalus("login")).err, /login needs --server URL/);
    const told = await dedalus("--server", url, "login", "--json");
    assert.deepEqual([told.code, codesIn(JSON.parse(told.out))], [3, ["sign-in-unavailable"]]);
    assert.match((await dedalus("--server", url, "logout")).err, /nobody is signed in/);
    process.env["DEDALUS_TOKEN"] = "dedalus_0123456789_x";
    assert.match((await dedalus("--server", url, "login")).err, /login and DEDALUS_TOKEN/);
  });
});
