// A service elsewhere, asked from a folder without any configuration: where it is named, who asks, and which commands
// ask none.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { COMMANDS } from "../../src/cli/catalogue/catalogue.ts";
import { atDesk, type Printed } from "../cli/desk.ts";
import { atCluster, codesIn } from "./cluster.ts";
import { serveCluster } from "./served-cluster.ts";

type Elsewhere = {
  readonly dedalus: (...argv: readonly string[]) => Promise<Printed>;
  readonly folder: string;
  readonly served: { readonly folder: string; readonly url: string };
  readonly token: string;
};

const NAMES = ["DEDALUS_CONFIG", "DEDALUS_SERVER", "DEDALUS_TOKEN", "XDG_CONFIG_HOME"] as const;

const forget = (): void => {
  for (const name of NAMES) delete process.env[name];
};

/** What the shell says from here on, until the test ends. */
const shell = (t: TestContext, said: Partial<Record<(typeof NAMES)[number], string>>): void => {
  t.after(forget);
  forget();
  Object.assign(process.env, said);
};

const elsewhere = (work: (at: Elsewhere) => Promise<void>): Promise<void> =>
  atCluster(async ({ dedalus, folder }) => {
    const made = await dedalus("token", "create", "--name", "olga", "--role", "operator", "--days", "2", "--json");
    const served = await serveCluster(folder);
    try {
      await atDesk({}, (remote, here) =>
        work({
          dedalus: remote,
          folder: here,
          served: { folder, url: served.url },
          token: JSON.parse(made.out).token,
        }),
      );
    } finally {
      await served.stop();
    }
  });

const clientFile = (folder: string, text: string): void => {
  mkdirSync(join(folder, "dedalus"), { recursive: true });
  writeFileSync(join(folder, "dedalus/client.yaml"), text);
};

test("the nearest word names the service: an option, then the shell, then the client file", (t) =>
  elsewhere(async ({ dedalus, folder, served, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    assert.match((await dedalus("whoami")).err, /there is none in this folder or above it/);
    clientFile(folder, `version: 1\nserver: ${served.url}\n`);
    const who = await dedalus("whoami");
    assert.deepEqual([who.code, who.out.split("\n")[0]], [0, `olga (person), by DEDALUS_TOKEN at ${served.url}`]);
    const told = JSON.parse((await dedalus("whoami", "--json")).out);
    assert.deepEqual([told.actor.id, told.server], ["olga", served.url]);
    shell(t, { DEDALUS_SERVER: "http://127.0.0.1:1", DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    assert.equal((await dedalus("whoami")).code, 8);
    assert.equal((await dedalus("--server", served.url, "whoami")).code, 0);
    assert.equal((await dedalus("whoami", "--server", `${served.url}/`)).code, 0);
  }));

test("a dedalus.yaml of this folder wins over the client file, and an option over both", (t) =>
  elsewhere(async ({ dedalus, folder, served, token }) => {
    shell(t, { XDG_CONFIG_HOME: folder });
    clientFile(folder, `version: 1\nserver: ${served.url}\n`);
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    assert.match((await dedalus("whoami")).out, /^alice \(person\), by the operator of dedalus\.yaml\n/);
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    assert.match((await dedalus("whoami", "--server", served.url)).out, /^olga/);
    const both = await dedalus("whoami", "--server", served.url, "--config", "dedalus.yaml");
    assert.match(both.err, /--server and --config cannot be given together/);
    shell(t, { DEDALUS_CONFIG: "dedalus.yaml", DEDALUS_SERVER: served.url, XDG_CONFIG_HOME: folder });
    assert.match((await dedalus("whoami")).err, /DEDALUS_SERVER and DEDALUS_CONFIG cannot be given together/);
  }));

test("a desired file here that differs from what is registered there is named, with how to register it", (t) =>
  elsewhere(async ({ dedalus, folder, served, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    clientFile(folder, `version: 1\nserver: ${served.url}\n`);
    const theirs = join(served.folder, "desired.yaml");
    const registered = readFileSync(theirs, "utf8");
    rmSync(theirs);
    const said = async (...argv: readonly string[]) => {
      const { err, out } = await dedalus(...argv, "--env", "home");
      assert.doesNotMatch(out + err, /does not exist/);
      return /dedalus register desired\.yaml --env home/.test(out);
    };
    assert.equal(await said("plan"), false, "none is here");
    const here = join(folder, "desired.yaml");
    writeFileSync(here, registered);
    assert.equal(await said("plan"), false, "it says what is registered");
    writeFileSync(here, registered.replace("environment: home", "environment: away"));
    assert.equal(await said("plan"), false, "it is another environment's");
    for (const text of [registered.replace(/^.*vmid: 105.*\n/m, ""), "no desired state"]) {
      writeFileSync(here, text);
      for (const command of ["plan", "drift"]) assert.equal(await said(command), true, command);
      assert.equal(await said("plan", "--registered"), false);
      assert.equal(await said("plan", "--action", "start", "--vm", "101"), false);
    }
    writeFileSync(theirs, registered);
    assert.equal(await said("plan"), true, "what the service has of its own changes nothing");
  }));

test("a certificate that the client file names and that is not there is told by its path, and who names it", (t) =>
  elsewhere(async ({ dedalus, folder, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    clientFile(folder, "version: 1\nserver: https://localhost:1\ntls: { verify: ca, file: missing.pem }\n");
    const { code, out } = await dedalus("status", "--json");
    const [refusal] = JSON.parse(out).error.refusals;
    const home = join(folder, "dedalus");
    assert.deepEqual(
      [code, refusal.code, refusal.facts],
      [2, "file-unreadable", { file: join(home, "missing.pem"), folder: home }],
    );
    writeFileSync(join(home, "missing.pem"), "x");
    assert.notEqual(codesIn(JSON.parse((await dedalus("status", "--json")).out))[0], "file-unreadable");
  }));

test("a server without its scheme is told how it is written", (t) =>
  elsewhere(async ({ dedalus, folder, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    const { code, err } = await dedalus("status", "--server", "localhost:7400");
    assert.equal(code, 2);
    assert.match(err, /http:\/\/localhost:7400 for a service on this machine/);
  }));

test("without a token nobody asks, and a session that others can read is none", (t) =>
  elsewhere(async ({ dedalus, folder, served, token }) => {
    shell(t, { DEDALUS_SERVER: served.url, XDG_CONFIG_HOME: folder });
    assert.match((await dedalus("status")).err, /DEDALUS_TOKEN is not set, and nobody is signed in/);
    const sessions = join(folder, "dedalus/sessions");
    mkdirSync(sessions, { recursive: true });
    const file = join(sessions, served.url.replaceAll(/[^a-z0-9.-]+/g, "_"));
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
    assert.match((await dedalus("whoami")).out, /^olga \(person\), by your sign-in at/);
    chmodSync(file, 0o644);
    assert.deepEqual(codesIn(JSON.parse((await dedalus("whoami", "--json")).out)), ["secret-open"]);
  }));

test("every command that asks no service says so and why; every other one asks it", (t) =>
  elsewhere(async ({ dedalus, folder, served, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    const local = COMMANDS.filter(({ place }) => place !== "both");
    assert.ok(local.length > 8);
    for (const { name, options, positionals } of local) {
      const needed = options.flatMap((one) => (one.required && one.value ? [`--${one.name}`, "1"] : []));
      const words = positionals.filter(({ required }) => required).map(() => "x");
      const { code, err } = await dedalus(...name.split(" "), ...words, ...needed, "--server", served.url);
      assert.equal(code, 2, name);
      assert.match(err, new RegExp(`^Command not understood: ${name} (?:works on|is for|tells of)`), name);
    }
  }));

test("what is worked out from files is refused with a server, and what is read from here is named", (t) =>
  elsewhere(async ({ dedalus, folder, served, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    const at = ["--server", served.url];
    assert.match((await dedalus("plan", "--desired", "d", "--replay", "c", ...at)).err, /--server and --desired/);
    assert.match((await dedalus("ledger", "verify", "--export", "x", ...at)).err, /--server and --export/);
    writeFileSync(join(folder, "plan.json"), "{}");
    assert.match((await dedalus("explain", "plan.json", "--vm", "1", ...at)).err, /works on files that are named/);
    assert.match((await dedalus("register", ...at)).err, /FILE is missing/);
  }));

test("an address that is no origin, or would be asked without TLS, is asked nothing", (t) =>
  elsewhere(async ({ dedalus, folder, token }) => {
    shell(t, { DEDALUS_TOKEN: token, XDG_CONFIG_HOME: folder });
    assert.match((await dedalus("status", "--server", "https://a/b")).err, /takes the origin of a service/);
    assert.match((await dedalus("status", "--server", "http://dedalus.example")).err, /without TLS/);
    clientFile(folder, "version: 1\nserver: https://dedalus.example\ntoken: x\n");
    const bad = await dedalus("status");
    assert.match(bad.err, /client\.yaml:3:1/);
  }));
