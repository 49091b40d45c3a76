// A terminal signs in at a service with a real provider of identities: the code is compared in a browser, the session
// is kept for this server alone, and ends with logout.

import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type AtSignIn, atSignIn } from "../boundary/identity/at-sign-in.ts";
import { atDesk, type Printed } from "../cli/desk.ts";
import { codesIn } from "./cluster.ts";

const PEOPLE = { "u-1": { groups: ["sre", "staff"], name: "ada" } };

const shell = (t: TestContext, folder: string): void => {
  process.env["XDG_CONFIG_HOME"] = folder;
  t.after(() => {
    delete process.env["XDG_CONFIG_HOME"];
    delete process.env["DEDALUS_TOKEN"];
  });
};

/** What a person does: opens the address, signs in, compares the code, and says yes or no. */
const answerAt = async (at: AtSignIn, told: string, answer: "no" | "yes"): Promise<void> => {
  const address = /^ {2}(http\S+)$/m.exec(told)?.[1] ?? assert.fail(told);
  const code = /^ {2}code (\S+)$/m.exec(told)?.[1] ?? assert.fail(told);
  const jar = at.newJar();
  const page = await jar.get(await at.signIn(jar, "u-1", address.slice(at.origin.length)));
  assert.ok(page.body.includes(code), page.body);
  const flow = /name="flow" value="([^"]*)"/.exec(page.body)?.[1] ?? assert.fail(page.body);
  await jar.post(`${at.origin}/sign-in/terminal`, { answer, flow });
};

type Desk = { readonly dedalus: (...argv: readonly string[]) => Promise<Printed>; readonly folder: string };

/** A desk whose person answers as soon as they are told where. */
const atTerminal = (t: TestContext, at: AtSignIn, answer: "no" | "yes", work: (desk: Desk) => Promise<void>) => {
  const stop = new AbortController();
  let told = "";
  return atDesk(
    {},
    async (dedalus, folder) => {
      shell(t, folder);
      await work({ dedalus, folder });
    },
    {
      err: (text) => {
        told += text;
        if (!/^ {2}code \S+$/m.test(told)) return;
        const shown = told;
        told = "";
        void answerAt(at, shown, answer).then(() => {
          if (answer === "no") stop.abort();
        });
      },
      interrupted: () => stop.signal,
    },
  );
};

test("login keeps a session that whoami knows, and logout ends it", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  await atTerminal(t, at, "yes", async ({ dedalus, folder }) => {
    const signed = await dedalus("--server", at.origin, "login");
    assert.match(
      signed.out,
      new RegExp(`^signed in at ${at.origin} as ada\nroles: approver, operator in all environments\n$`),
    );
    const sessions = join(folder, "dedalus/sessions");
    const [file = ""] = readdirSync(sessions);
    assert.equal(statSync(join(sessions, file)).mode & 0o777, 0o600);
    assert.match((await dedalus("whoami", "--server", at.origin)).out, /^ada \(person\), by your sign-in at/);
    const elsewhere = await dedalus("whoami", "--json", "--server", "http://127.0.0.1:1");
    assert.deepEqual(codesIn(JSON.parse(elsewhere.out)), ["actor-unknown"], "a session is for its own server alone");
    const out = await dedalus("logout", "--server", at.origin);
    assert.match(out.out, /^signed out at .*: the session of ada ended\nrecord \d+\n$/);
    assert.equal(existsSync(join(sessions, file)), false);
    assert.equal((await dedalus("whoami", "--server", at.origin)).code, 3);
  });
});

test("a code that nobody confirms signs nobody in, and leaves no file", async (t) => {
  const at = await atSignIn(t, PEOPLE);
  await atTerminal(t, at, "no", async ({ dedalus, folder }) => {
    const refused = await dedalus("--server", at.origin, "login", "--json");
    assert.deepEqual(codesIn(JSON.parse(refused.out)), ["sign-in-unconfirmed"]);
    assert.equal(existsSync(join(folder, "dedalus/sessions")), false);
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
