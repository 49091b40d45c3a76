// The kernel on the command line, in an environment that is replayed: everything but the place itself.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { now } from "../../src/clock.ts";
import { ulids } from "../../src/ids.ts";
import { openSqlite } from "../../src/ledger/engines/sqlite/sqlite.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { type Act, recordNext } from "../ledger/acting.ts";
import { atDesk, current, DESIRED, type Printed, vm } from "./desk.ts";

type Dedalus = (...argv: readonly string[]) => Promise<Printed>;

const FILES = {
  "current.json": current([vm(101, "web-01", "stopped"), vm(102, "web-02", "running")], { observedAt: now() }),
  "wanted.yaml": DESIRED,
};

const begun = async (work: (dedalus: Dedalus, folder: string) => Promise<void>): Promise<void> =>
  atDesk(FILES, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    const config = join(folder, "dedalus.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace("desired: desired.yaml", "desired: wanted.yaml"));
    await work(dedalus, folder);
  });

const planned = async (dedalus: Dedalus): Promise<{ readonly id: string; readonly printed: Printed }> => {
  assert.equal((await dedalus("register", "--env", "home", "wanted.yaml")).code, 0);
  const printed = await dedalus("plan", "--env", "home", "--json");
  return { id: JSON.parse(printed.out).id, printed };
};

test("what is desired is registered with what differs from before, and looks and plans are recorded", async () => {
  await begun(async (dedalus, folder) => {
    const first = await dedalus("register", "--env", "home", "wanted.yaml");
    assert.match(
      first.out,
      / \+ 101 {2}web-01 {2}added\n \+ 102 {2}web-02 {2}added\nregistered 2 VMs for home: 2 differ/,
    );
    writeFileSync(
      join(folder, "wanted.yaml"),
      DESIRED.replace("web-02, target: running", "web-02, target: running, cpus: 2"),
    );
    assert.match(
      (await dedalus("register", "--env", "home", "wanted.yaml")).out,
      / ~ 102 {2}web-02 {2}cpus 2 added\nregistered/,
    );
    assert.match((await dedalus("register", "--env", "home", "wanted.yaml")).out, /nothing differs/);
    const seen = await dedalus("observe", "--env", "home", "--out", "seen.json");
    assert.match(seen.out, /101 {2}web-01 {2}stopped/);
    assert.equal(JSON.parse(readFileSync(join(folder, "seen.json"), "utf8")).environment, "home");
    const plan = await dedalus("plan", "--env", "home", "--only", "101", "--out", "plan.json");
    assert.equal(plan.code, 4);
    assert.match(plan.out, /cannot be applied: it was made from an observation that is not live/);
    assert.match((await dedalus("plans")).out, /home {2}planned {2}start web-01 {2}0 of 1 {2}alice {2}/);
    assert.match((await dedalus("replay")).out, /every decision comes out the same/);
    assert.match((await dedalus("ledger", "verify")).out, /holds/);
  });
});

test("a plan and its steps are shown and explained by the plan's id", async () => {
  await begun(async (dedalus) => {
    const { id } = await planned(dedalus);
    assert.match(
      (await dedalus("plan", "show", id)).out,
      /101 {2}start web-01: stopped → running {2}\[low\] {2}step 1/,
    );
    const explained = await dedalus("explain", id, "--step", "1");
    assert.match(
      explained.out,
      /^\+ VM 101: start web-01\n[\s\S]*effect: {2}The VM is started\.[\s\S]*explanation [0-9a-f]{12}\n/,
    );
    assert.equal((await dedalus("explain", id, "--step", "7")).code, 2);
    const { error } = JSON.parse((await dedalus("explain", id, "--step", "7", "--json")).out);
    assert.deepEqual([error.refusals[0].cause, error.refusals[0].facts], ["only-step", { plan: id }]);
    const unknown = await dedalus("plan", "show", "01KA4QJ5V8R3W2T6Y7Z8N9M0P1");
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /plan-unknown/);
    assert.equal((await dedalus("explain", id, "--as-shown")).code, 2, "nobody was shown it");
  });
});

test("nothing of a replayed environment is applied, whoever agrees", async () => {
  await begun(async (dedalus) => {
    const { id } = await planned(dedalus);
    for (const words of [
      ["approve", id, "--reason", "fine"],
      ["explain", id, "--step", "1", "--challenge"],
    ]) {
      const { code, err } = await dedalus(...words);
      assert.equal(code, 3, err);
      assert.match(err, /plan-not-live/);
    }
    assert.equal((await dedalus("apply", id, "--step", "1", "--confirm", sha256("x"))).code, 3);
    assert.match((await dedalus("status")).out, /0 open, 0 blocked, 0 waiting for approval, 0 approved, 0 frozen/);
  });
});

test("refused commands are records too", async () => {
  await begun(async (dedalus) => {
    const { id } = await planned(dedalus);
    await dedalus("approve", id, "--reason", "fine");
    const { out } = await dedalus("ledger", "show", "--kind", "approve", "--json");
    const [record] = JSON.parse(out).records;
    assert.equal(record.body.result.refusals[0].code, "plan-not-live");
    assert.equal(record.actor.id, "alice");
  });
});

test("a freeze is set, seen and lifted, and each is a record with its reason", async () => {
  await begun(async (dedalus) => {
    assert.match((await dedalus("freeze", "--env", "home", "--reason", "incident")).out, /frozen: home/);
    assert.match(
      (await dedalus("status")).out,
      /! frozen {2}home {2}by alice: incident [^\n]*\n +dedalus unfreeze --env home /,
    );
    assert.equal((await dedalus("unfreeze", "--reason", "over")).code, 3);
    assert.equal((await dedalus("unfreeze", "--env", "home", "--reason", "over")).code, 0);
    assert.equal((await dedalus("freeze", "--env", "nowhere", "--reason", "incident")).code, 2);
    assert.equal((await dedalus("freeze", "--reason", " ")).code, 3);
    assert.match((await dedalus("state", "--at", "2")).out, /1 frozen|0 frozen/);
  });
});

test("a token is shown once, names who acts, and is gone when revoked", async (t) => {
  await begun(async (dedalus, folder) => {
    const made = await dedalus("token", "create", "--name", "bob", "--role", "approver", "--days", "30", "--json");
    const { id: name, token } = JSON.parse(made.out);
    assert.match(name, /^[0-9a-z]{10}$/);
    assert.match(token, new RegExp(`^dedalus_${name}_[A-Za-z0-9_-]{43}$`));
    assert.equal((await dedalus("ledger", "export", "--out", "audit")).code, 0);
    assert.ok(
      !readFileSync(join(folder, "audit/audit_export.jsonl"), "utf8").includes(token),
      "the ledger keeps no token",
    );
    const { id } = await planned(dedalus);
    process.env["DEDALUS_TOKEN"] = token;
    t.after(() => delete process.env["DEDALUS_TOKEN"]);
    assert.match((await dedalus("deny", id, "--reason", "no")).out, /denied by bob: step 1/);
    assert.match((await dedalus("freeze", "--reason", "x")).err, /role-missing/);
    delete process.env["DEDALUS_TOKEN"];
    assert.match(
      (await dedalus("token", "list")).out,
      new RegExp(`^${name} {2}bob {3}person {2}approver {2}alice {4}in 30 d \\(20`, "m"),
    );
    assert.equal((await dedalus("token", "revoke", "--name", "bob")).code, 0);
    process.env["DEDALUS_TOKEN"] = token;
    const { code, err } = await dedalus("deny", id, "--reason", "no");
    assert.equal(code, 3);
    assert.match(err, /actor-unknown/);
    assert.match(err, new RegExp(`token ${name}`));
    assert.ok(!err.includes(token.slice(-43)));
  });
});

test("a token is rotated by its subject and for it, is revoked by its public id, and an old one is dead at once", async (t) => {
  await begun(async (dedalus) => {
    type Made = { readonly expiresAt: string; readonly id: string; readonly token: string };
    const tokenBy = async (...words: readonly string[]): Promise<Made> =>
      JSON.parse((await dedalus("token", ...words, "--name", "bob", "--days", "7", "--json")).out);
    const as = async (token: string, ...words: readonly string[]) => {
      t.after(() => delete process.env["DEDALUS_TOKEN"]);
      process.env["DEDALUS_TOKEN"] = token;
      const done = await dedalus(...words);
      delete process.env["DEDALUS_TOKEN"];
      return done;
    };
    const { id } = await planned(dedalus);
    const first = await tokenBy("create", "--role", "approver");
    const own = await as(first.token, "token", "rotate", "--name", "bob", "--days", "7", "--json");
    const second: Made = JSON.parse(own.out);
    assert.match((await as(first.token, "deny", id, "--reason", "no")).err, /actor-unknown/);
    assert.equal((await as(second.token, "deny", id, "--reason", "no")).code, 0);
    assert.match((await as(second.token, "token", "rotate", "--name", "carol", "--days", "7")).err, /role-missing/);
    const third = await tokenBy("rotate");
    assert.match((await as(second.token, "deny", id, "--reason", "no")).err, /actor-unknown/);
    assert.equal(new Set([first, second, third].map((one) => one.id)).size, 3);
    assert.equal((await dedalus("token", "revoke", "--id", second.id)).code, 3, "it is gone");
    assert.equal((await dedalus("token", "revoke", "--id", third.id)).code, 0);
    assert.equal((await dedalus("token", "list")).out, "no active token\n");
  });
});

test("bad words are refused before anything is opened or written", async () => {
  await begun(async (dedalus) => {
    const bad = [
      ["plan", "--desired", "wanted.yaml"],
      ["plan", "--env", "home", "--desired", "wanted.yaml", "--replay", "current.json"],
      ["plan", "--vm", "101"],
      ["plan", "--env", "home", "--vm", "101"],
      ["plan", "--env", "home", "--action", "vm.start"],
      ["plan", "--env", "home", "--action", "vm.exec", "--vm", "101"],
      ["plan", "--env", "home", "--action", "vm.resize", "--vm", "101"],
      ["plan", "--env", "home", "--action", "vm.resize", "--vm", "101", "--memory", "2 GB"],
      ["plan", "--env", "home", "--action", "vm.snapshot.create", "--vm", "101"],
      ["plan", "--env", "nowhere"],
      ["register", "--env", "away", "wanted.yaml"],
      ["status", "--vm", "abc"],
      ["replay", "--to", "-1"],
      ["token", "create", "--name", " ", "--role", "approver", "--days", "7"],
      ["token", "create", "--name", "Eve", "--role", "approver", "--days", "7"],
      ["token", "create", "--name", "dedalus", "--role", "approver", "--days", "7"],
      ["token", "create", "--name", "eve", "--role", "root", "--days", "7"],
      ["token", "create", "--name", "eve", "--role", "approver"],
      ["token", "create", "--name", "eve", "--role", "approver", "--days", "366"],
      ["token", "rotate", "--name", "eve", "--days", "0"],
      ["token", "revoke"],
      ["token", "revoke", "--name", "eve", "--id", "0000000000"],
      ["explain", "plan.json", "--vm", "101", "--challenge"],
      ["explain", "plan.json", "--vm", "101", "--as-shown"],
      ["explain", "01KA4QJ5V8R3W2T6Y7Z8N9M0P1", "--challenge", "--as-shown"],
    ];
    for (const words of bad) assert.equal((await dedalus(...words)).code, 2, words.join(" "));
    const rules = ["token", "create", "--role", "agent,approver", "--days", "7"];
    assert.equal((await dedalus(...rules, "--name", "eve")).code, 3);
    assert.match(
      (await dedalus("token", "create", "--name", "alice", "--role", "observer", "--days", "7")).err,
      /subject-name/,
    );
    const plain = await dedalus("plan", "--env", "home", "--registered");
    assert.equal(plain.code, 3);
    assert.match(plain.err, /desired-unregistered/);
  });
});

test("an adapter that this version does not have is named", async () => {
  await begun(async (dedalus, folder) => {
    const file = join(folder, "dedalus.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("adapter: replay\n", "adapter: telepathy\n"));
    const { code, out } = await dedalus("observe", "--env", "home", "--json");
    assert.equal(code, 2);
    assert.equal(JSON.parse(out).error.refusals[0].code, "value-wrong");
  });
});

/** A record made by hand, with a chain that is whole. */
const forge = async (folder: string, act: Act): Promise<void> => {
  const opened = await openSqlite(join(folder, "ledger/dedalus.db"), { mode: "write" });
  assert.ok(opened.kind === "open");
  const nextId = ulids();
  const actor = { id: "mallory", kind: "person", roles: ["operator"] } as const;
  const acting = { actor, configHash: sha256("x"), instance: nextId(), nextId, now };
  assert.equal((await recordNext(opened.engine, acting, () => act)).kind, "recorded");
  await opened.engine.close();
};

test("a record whose body no kernel writes is named, by those who fold it and by replay", async () => {
  await begun(async (dedalus, folder) => {
    await planned(dedalus);
    await forge(folder, { kind: "apply", request: {}, result: { kind: "intended" } });
    for (const command of ["status", "plans", "freeze"]) {
      const { code, out } = await dedalus(command, "--json", ...(command === "freeze" ? ["--reason", "x"] : []));
      assert.equal(code, 7, out);
      assert.match(out, /"cause":"body-unfit","code":"ledger-broken","facts":\{"seq":5\}/);
    }
    const { code, err } = await dedalus("replay");
    assert.equal(code, 7, err);
    assert.match(err, /record 5: [^\n]* \(G3, replay-differs\)/);
  });
});

test("a record that no decision led to is found by replay, with its seq", async () => {
  await begun(async (dedalus, folder) => {
    await planned(dedalus);
    await forge(folder, { kind: "freeze", request: { reason: "x" }, result: { kind: "done" } });
    const { code, out } = await dedalus("replay", "--json");
    assert.equal(code, 7);
    const [refusal] = JSON.parse(out).error.refusals;
    assert.equal(refusal.code, "replay-differs");
    assert.equal(refusal.cause, "result");
    assert.deepEqual(refusal.facts, { found: "done", made: "refused", seq: 5 });
    assert.equal((await dedalus("ledger", "verify")).code, 0, "the chain alone cannot see it");
  });
});
