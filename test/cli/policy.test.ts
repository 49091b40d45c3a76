// A policy file that dedalus.yaml names: one that cannot be read whole stops the command, and a plan.json that stands
// on one is explained by that one alone.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { now } from "../../src/clock.ts";
import { atDesk, current, DESIRED, type Printed, vm } from "./desk.ts";

type Dedalus = (...argv: readonly string[]) => Promise<Printed>;

const POLICY = "version: 1\ntighten:\n  - action: vm.start\n    to: high\n";
const FILES = {
  "current.json": current([vm(101, "web-01", "stopped"), vm(102, "web-02", "running")], { observedAt: now() }),
  "policy.yaml": POLICY,
  "wanted.yaml": DESIRED,
};

/** The line of the template, without its comment sign. */
const ruled = async (work: (dedalus: Dedalus, folder: string) => Promise<void>): Promise<void> =>
  atDesk(FILES, async (dedalus, folder) => {
    assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
    const file = join(folder, "dedalus.yaml");
    const template = readFileSync(file, "utf8").replace("desired: desired.yaml", "desired: wanted.yaml");
    writeFileSync(file, template.replace("# policy: policy.yaml", "policy: policy.yaml"));
    assert.equal((await dedalus("register", "--env", "home", "wanted.yaml")).code, 0);
    await work(dedalus, folder);
  });

const COMMANDS = [
  ["plan", "--env", "home"],
  ["observe", "--env", "home"],
  ["plans"],
  ["status"],
  ["freeze", "--reason", "incident"],
  ["doctor"],
] as const;

test("a policy that is named and cannot be read stops every command, and nothing is recorded", async () => {
  await ruled(async (dedalus, folder) => {
    const sizeOf = async () => JSON.parse((await dedalus("status", "--json")).out).size;
    const size = await sizeOf();
    const policy = join(folder, "policy.yaml");
    const spoilt: readonly (readonly [() => void, RegExp])[] = [
      [() => rmSync(policy), /\/policy\.yaml: .*no such file.*file-unreadable\)/],
      [() => mkdirSync(policy), /it is a folder.*file-unreadable\)/],
      [() => rmSync(policy, { recursive: true }), /file-unreadable/],
      [() => writeFileSync(policy, ""), /file-empty/],
      [() => writeFileSync(policy, Buffer.from([0xff, 0xfe])), /text-malformed/],
      [() => writeFileSync(policy, POLICY.replace("high", "read")), /policy\.yaml:4:9[\s\S]*P7-A3, policy-loosens/],
      [() => writeFileSync(policy, POLICY.replace("version: 1", "version: 2")), /version-unknown/],
      [() => writeFileSync(policy, `${POLICY}allow: []\n`), /policy\.yaml:5:1[\s\S]*policy-loosens/],
    ];
    for (const [spoil, expected] of spoilt) {
      spoil();
      for (const command of COMMANDS) {
        const { code, err, out } = await dedalus(...command);
        assert.equal(code, 2, `${command.join(" ")}: ${out}${err}`);
        assert.match(out + err, expected);
      }
    }
    writeFileSync(policy, POLICY);
    assert.equal(await sizeOf(), size);
    assert.match((await dedalus("doctor")).out, /ok {4}policy of home: start high/);
  });
});

test("a policy's path is read from the folder of dedalus.yaml, wherever the command runs", async () => {
  await ruled(async (dedalus, folder) => {
    const names = ["dedalus.yaml", "policy.yaml", "current.json", "desired.yaml", "keys", "ledger", "anchor"];
    mkdirSync(join(folder, "there"));
    for (const name of names) renameSync(join(folder, name), join(folder, "there", name));
    assert.match((await dedalus("status", "--config", "there/dedalus.yaml")).out, /^policy of home: start high$/m);
    rmSync(join(folder, "there/policy.yaml"));
    assert.match((await dedalus("status", "--config", "there/dedalus.yaml")).err, /there\/policy\.yaml/);
  });
});

test("a plan.json that stands on a policy is explained where that policy is, and nowhere else", async () => {
  await ruled(async (dedalus, folder) => {
    const planned = await dedalus("plan", "--env", "home", "--out", "plan.json");
    assert.equal(planned.code, 4, planned.err);
    const explaining = ["explain", "plan.json", "--vm", "101"];
    const here = await dedalus(...explaining);
    assert.equal(here.code, 0, here.err);
    assert.match(here.out, /tier high/);
    writeFileSync(join(folder, "policy.yaml"), POLICY.replace("high", "medium"));
    const changed = await dedalus(...explaining);
    assert.equal(changed.code, 7);
    assert.match(changed.err, /N6, plan-of-other-rules/);
    rmSync(join(folder, "policy.yaml"));
    assert.equal((await dedalus(...explaining)).code, 2);
    rmSync(join(folder, "dedalus.yaml"));
    assert.equal((await dedalus(...explaining)).code, 7);
  });
});

test("planning from files alone is judged by the rules alone, whatever an environment adds", async () => {
  await ruled(async (dedalus) => {
    const made = await dedalus("plan", "--desired", "wanted.yaml", "--replay", "current.json", "--out", "plan.json");
    assert.equal(made.code, 4, made.err);
    assert.match((await dedalus("explain", "plan.json", "--vm", "101")).out, /tier low/);
  });
});
