// init, doctor and rules as an operator meets them.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { test } from "node:test";
import { nodeFinding } from "../../src/cli/commands/doctor.ts";
import { parseConfig } from "../../src/formats/dedalus/dedalus-yaml.ts";
import { parseDesired } from "../../src/formats/desired-yaml.ts";
import { RULE_IDS, ruleOf } from "../../src/spine/rules/invariants.ts";
import { known } from "../../src/wire.ts";
import { cannot } from "../cannot.ts";
import { coded } from "../spine/world.ts";
import { atDesk } from "./desk.ts";

test("init writes two files that the parsers accept, and a key for its owner alone", async () => {
  await atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", "demo/", "--operator", "alice")).code, 0);
    assert.deepEqual(readdirSync(join(folder, "demo")).sort(), [".gitignore", "dedalus.yaml", "desired.yaml", "keys"]);
    assert.equal(statSync(join(folder, "demo/keys")).mode & 0o777, 0o700);
    assert.equal(statSync(join(folder, "demo/keys/ledger.key")).mode & 0o777, 0o600);
    assert.equal(
      parseConfig(readFileSync(join(folder, "demo/dedalus.yaml"), "utf8"), "dedalus.yaml", known).kind,
      "ok",
    );
    assert.equal(parseDesired(readFileSync(join(folder, "demo/desired.yaml"), "utf8"), "desired.yaml").kind, "ok");
    assert.equal((await dedalus("doctor", "--config", "demo/dedalus.yaml")).code, 0);
  });
});

test("git takes the configuration of init, and neither its key nor the ledger, its anchor or secrets", async () => {
  await atDesk({}, async (dedalus, folder) => {
    await dedalus("init", "demo", "--operator", "alice");
    assert.equal((await dedalus("ledger", "checkpoint", "--config", "demo/dedalus.yaml")).code, 0);
    mkdirSync(join(folder, "demo/secrets"));
    writeFileSync(join(folder, "demo/secrets/apply"), "secret\n");
    const git = (...words: readonly string[]): string =>
      execFileSync("git", words, { cwd: join(folder, "demo"), encoding: "utf8" });
    git("init", "--quiet");
    const taken = git("ls-files", "--others", "--exclude-standard").trim().split("\n");
    assert.deepEqual(taken.toSorted(), [".gitignore", "dedalus.yaml", "desired.yaml"]);
    for (const room of ["keys", "ledger", "anchor"])
      assert.ok(readdirSync(join(folder, "demo", room)).length > 0, room);
  });
});

test("init overwrites nothing, and writes nothing when one of its files is there", async () => {
  await atDesk({ "desired.yaml": "mine\n" }, async (dedalus, folder) => {
    const { code, out } = await dedalus("init", ".", "--json");
    assert.equal(code, 2);
    const [refusal] = JSON.parse(out).error.refusals;
    assert.equal(refusal.code, "file-exists");
    assert.equal(refusal.position.file, "desired.yaml");
    assert.deepEqual(readdirSync(folder), ["desired.yaml"]);
    assert.equal(readFileSync(join(folder, "desired.yaml"), "utf8"), "mine\n");
  });
});

test("init leaves nothing behind when a key is there, or when none can be made", async () => {
  await atDesk({}, async (dedalus, folder) => {
    mkdirSync(join(folder, "keys"));
    writeFileSync(join(folder, "keys/ledger.key"), "mine\n");
    const { code, out } = await dedalus("init", ".", "--operator", "alice", "--json");
    assert.equal(code, 2);
    assert.equal(JSON.parse(out).error.refusals[0].position.file, "keys/ledger.key");
    assert.deepEqual(readdirSync(folder), ["keys"]);
    assert.equal(readFileSync(join(folder, "keys/ledger.key"), "utf8"), "mine\n");
    rmSync(join(folder, "keys"), { recursive: true });
    writeFileSync(join(folder, "keys"), "a file where the folder belongs\n");
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 2);
    assert.deepEqual(readdirSync(folder), ["keys"]);
  });
});

test("init says so when the folder cannot be made", async () => {
  await atDesk({ taken: "a file\n" }, async (dedalus) => {
    const { code, out } = await dedalus("init", "taken/below", "--json");
    assert.equal(code, 2);
    const [{ cause, code: refused, facts }] = JSON.parse(out).error.refusals;
    assert.deepEqual([refused, cause, facts], ["file-unwritable", "folder-ENOTDIR", { folder: "taken/below" }]);
  });
});

test("an operator needs a name", async () => {
  await atDesk({}, async (dedalus, folder) => {
    assert.equal((await dedalus("init", "x", "--operator", "  ")).code, 2);
    assert.deepEqual(readdirSync(folder), []);
  });
});

test("doctor is content without a configuration, and not with a named one that is missing", async () => {
  await atDesk({}, async (dedalus) => {
    assert.equal((await dedalus("doctor")).code, 0);
    const { code, out } = await dedalus("doctor", "--config", "none.yaml");
    assert.equal(code, 2);
    assert.match(out, /WRONG configuration: none\.yaml/);
  });
});

test("doctor names every problem of the configuration with its place", async () => {
  await atDesk({ "dedalus.yaml": "version: 1\noperater: x\n" }, async (dedalus) => {
    const { code, out } = await dedalus("doctor");
    assert.equal(code, 2);
    assert.match(out, /dedalus\.yaml:2:1: operater: Key not known/);
  });
});

cannot("N6", "run on another Node than the pinned one unsaid", {
  neighbour: () => nodeFinding("24.21.0", ["24.21.0"]).refusals,
  offence: () => coded("node-unpinned", nodeFinding("24.20.0", ["24.21.0"]).refusals),
});

test("an installed package pins no Node: doctor names the one that runs", () => {
  const { code, facts, refusals } = nodeFinding("24.20.0", []);
  assert.deepEqual(refusals, []);
  assert.deepEqual([code, facts], ["node-own", { running: "24.20.0" }]);
});

const withEnvironment = async (environment: string): Promise<string> =>
  atDesk({}, async (dedalus, folder) => {
    await dedalus("init", ".", "--operator", "alice");
    const path = join(folder, "desired.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("environment: home", `environment: ${environment}`));
    return (await dedalus("doctor", "--json")).out;
  });

const withKeyMode = async (mode: number): Promise<string> =>
  atDesk({}, async (dedalus, folder) => {
    await dedalus("init", ".", "--operator", "alice");
    chmodSync(join(folder, "keys/ledger.key"), mode);
    return (await dedalus("doctor", "--json")).out;
  });

test("a key file that others can read is named, with the remedy", async () => {
  const [refusal] = JSON.parse(await withKeyMode(0o640)).checks.flatMap(
    ({ refusals }: { refusals: object[] }) => refusals,
  );
  assert.equal(refusal.code, "secret-open");
  assert.ok(isAbsolute(refusal.facts.file) && refusal.facts.file.endsWith("/keys/ledger.key"), refusal.facts.file);
  assert.deepEqual(refusal.nextSteps, [{ ask: "closeFile", with: { file: refusal.facts.file } }]);
});

const refusalsIn = (json: string): readonly { readonly rule: string }[] =>
  JSON.parse(json).checks.flatMap(({ refusals }: { refusals: readonly { rule: string }[] }) => refusals);

const foreign = await withEnvironment("cloud");
const own = await withEnvironment("home");
cannot("B3", "use one environment's desired file in another", {
  neighbour: () => refusalsIn(own),
  offence: () => refusalsIn(foreign),
});

const open = await withKeyMode(0o644);
const closed = await withKeyMode(0o600);
cannot("B5", "leave a key file open to others unsaid", {
  neighbour: () => refusalsIn(closed),
  offence: () => refusalsIn(open),
});

test("rules lists every rule with how it is kept, and says what is not yet", async () => {
  await atDesk({}, async (dedalus) => {
    const { out } = await dedalus("rules");
    for (const id of RULE_IDS) assert.ok(out.includes(ruleOf(id).sentence), id);
    const open = RULE_IDS.filter((id) => ruleOf(id).kept === "not yet").length;
    assert.match(out, new RegExp(`${RULE_IDS.length} rules: ${RULE_IDS.length - open} kept, ${open} not yet`));
  });
});

test("one rule is shown in full, with every refusal under it", async () => {
  await atDesk({}, async (dedalus) => {
    const { out } = await dedalus("rules", "n2");
    assert.match(out, /production-touched/);
    assert.equal(JSON.parse((await dedalus("rules", "N2", "--json")).out).rules[0].id, "N2");
    const { code, err } = await dedalus("rules", "P7-A9");
    assert.equal(code, 2);
    assert.match(err, /there is no rule P7-A9/);
  });
});
