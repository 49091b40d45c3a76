// What a newcomer meets first: the next steps of init, who one is before there is a ledger, what doctor did not look
// at, and files that are named as seen from where one stands.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atDesk } from "./desk.ts";

const commandsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^ *(dedalus [a-z].*)$/gm), ([, line = ""]) => line);

type Checks = {
  readonly checks: readonly { readonly code: string; readonly facts: Readonly<Record<string, unknown>> }[];
};
const checkOf = (json: string, code: string) => (JSON.parse(json) as Checks).checks.find((one) => one.code === code);

test("init leads into the folder that it wrote, and names no configuration there", async () => {
  await atDesk({}, async (dedalus) => {
    assert.deepEqual(commandsIn((await dedalus("init", ".", "--operator", "alice")).out), ["dedalus doctor"]);
    const elsewhere = await dedalus("init", "my lab", "--operator", "alice");
    assert.match(elsewhere.out, /^ {2}cd 'my lab'\n {2}dedalus doctor$/m);
  });
});

test("where a variable names a configuration, init's next steps name theirs, and lead nowhere", async (t) => {
  t.after(() => delete process.env["DEDALUS_CONFIG"]);
  process.env["DEDALUS_CONFIG"] = "other/dedalus.yaml";
  await atDesk({}, async (dedalus) => {
    const { out } = await dedalus("init", "lab", "--operator", "alice");
    assert.deepEqual(commandsIn(out), ["dedalus doctor --config lab/dedalus.yaml"]);
    assert.doesNotMatch(out, /^ *cd /m);
  });
});

test("whoami needs no ledger and makes none; without a configuration nobody is known", async () => {
  await atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("whoami")).code, 2);
    await dedalus("init", ".", "--operator", "alice");
    const { code, out } = await dedalus("whoami", "--json");
    assert.deepEqual([code, JSON.parse(out).actor.id, JSON.parse(out).provenBy], [0, "alice", "operator"]);
    assert.equal(existsSync(join(folder, "ledger")), false);
  });
});

test("doctor says that no provider was asked, and how to ask it; with --env it is asked", async () => {
  await atDesk({}, async (dedalus) => {
    await dedalus("init", ".", "--operator", "alice");
    assert.equal(checkOf((await dedalus("doctor", "--json")).out, "provider-unasked")?.facts["environment"], "home");
    const { out } = await dedalus("doctor");
    assert.match(out, /^- .*provider of home/m);
    assert.deepEqual(commandsIn(out), ["dedalus doctor --env home"]);
    assert.equal(checkOf((await dedalus("doctor", "--env", "home", "--json")).out, "provider-unasked"), undefined);
  });
});

test("a desired file is named by its full path, from whichever folder it is read", async () => {
  await atDesk({}, async (dedalus, folder) => {
    mkdirSync(join(folder, "lab"));
    await dedalus("init", "lab", "--operator", "alice");
    const file = join(folder, "lab/desired.yaml");
    const config = ["--config", "lab/dedalus.yaml"];
    const read = checkOf((await dedalus("doctor", ...config, "--json")).out, "desired-read");
    assert.equal(read?.facts["file"], file);
    writeFileSync(file, `${readFileSync(file, "utf8")}surprise: 1\n`);
    const { err } = await dedalus("plan", ...config);
    assert.ok(err.startsWith(`${file}:`), err);
  });
});

test("B3 a desired file of another environment is told as that, by every command that reads it", async () => {
  await atDesk({}, async (dedalus, folder) => {
    await dedalus("init", ".", "--operator", "alice");
    const file = join(folder, "desired.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("environment: home", "environment: lab"));
    for (const words of [["plan"], ["register"], ["register", "desired.yaml"]]) {
      const { code, out } = await dedalus(...words, "--json");
      const [refusal] = JSON.parse(out).error.refusals;
      const { environment, of } = refusal.facts;
      assert.deepEqual([code, refusal.code, environment, of], [2, "desired-foreign", "home", "lab"], words.join(" "));
    }
  });
});

test("a file at --out that cannot be read is an error, and no bug", async () => {
  await atDesk({}, async (dedalus) => {
    await dedalus("init", ".", "--operator", "alice");
    // A plain file that nobody can read from its beginning.
    const { code, out } = await dedalus("plan", "--out", "/proc/self/mem", "--json");
    assert.deepEqual([code, JSON.parse(out).error.refusals[0].code], [2, "file-unreadable"]);
  });
});
