// A slip of the finger is refused before anything is done, and the nearest right thing is named: commands, options,
// actions, VMs, snapshots, environments.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Facts } from "../../src/spine/model.ts";
import { applied, atCluster, type Cluster, planned, WANTED } from "./cluster.ts";

type Refused = { readonly cause?: string; readonly code: string; readonly facts: Facts; readonly vmid?: number };
const refusalOf = async (
  { dedalus }: Cluster,
  words: readonly string[],
): Promise<Refused & { readonly exit: number }> => {
  const { code: exit, out } = await dedalus(...words, "--json");
  const [refusal] = JSON.parse(out).error?.refusals ?? [];
  return { ...(refusal ?? assert.fail(out)), exit };
};

const recordsOf = async ({ dedalus }: Cluster): Promise<string> => (await dedalus("ledger", "show", "--json")).out;
const acts = (records: string): number => (records.match(/"kind":"(?:register|observe|plan)"/g) ?? []).length;

const SLIPS: Readonly<Record<string, readonly [readonly string[], string]>> = {
  "a command": [["shutdwon", "101"], "shutdown"],
  "a command of a group": [["ledger", "verfy"], "ledger verify"],
  "an option": [["plan", "--olny", "101"], "--only"],
  "an action": [["plan", "--action", "shutdwon", "--vm", "101"], "shutdown"],
  "an environment": [["plan", "--env", "hmoe"], "home"],
  "a VM of --only": [["plan", "--only", "wbe-01"], "web-01"],
  "a VM of --vm": [["plan", "--action", "start", "--vm", "wbe-01"], "web-01"],
  "a VM of a short command": [["start", "wbe-01"], "web-01"],
  "a VM of history": [["history", "wbe-01"], "web-01"],
  "a VM of status": [["status", "--vm", "wbe-01"], "web-01"],
  "a rule": [["rules", "P7-E11"], "P7-E1"],
};

for (const [what, [words, meant]] of Object.entries(SLIPS)) {
  test(`the nearest of ${what} is named, and nothing is recorded`, () =>
    atCluster(async (cluster) => {
      const before = acts(await recordsOf(cluster));
      const { exit, facts } = await refusalOf(cluster, words);
      assert.deepEqual([exit, facts["meant"]], [2, meant]);
      assert.equal(acts(await recordsOf(cluster)), before);
    }));
}

test("the nearest snapshot is named, and one that is near to none is not", () =>
  atCluster(async (cluster) => {
    const { id } = await planned(cluster, "snapshot.create", 101, "--snapshot", "before-upgrade");
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
    const near = await planned(cluster, "snapshot.rollback", 101, "--snapshot", "before-upgarde");
    const [slip] = near.plan.answers as readonly unknown[] as readonly Refused[];
    assert.deepEqual([slip?.cause, slip?.facts["meant"]], ["snapshot-absent-meant", "before-upgrade"]);
    const far = await planned(cluster, "snapshot.rollback", 101, "--snapshot", "nightly");
    const [other] = far.plan.answers as readonly unknown[] as readonly Refused[];
    assert.equal(other?.cause, "snapshot-absent");
  }));

const MORE = `${WANTED}  - { vmid: 106, name: mail-01, target: running }\n`;

test("a mistyped --only is refused before the desired file is registered", () =>
  atCluster(async (cluster) => {
    const { dedalus, folder } = cluster;
    writeFileSync(join(folder, "desired.yaml"), MORE);
    const before = acts(await recordsOf(cluster));
    assert.equal((await refusalOf(cluster, ["plan", "--only", "mial-01"])).facts["meant"], "mail-01");
    assert.equal((await refusalOf(cluster, ["plan", "--only", "999"])).code, "vm-not-desired");
    assert.equal(acts(await recordsOf(cluster)), before, "nothing is half done");
    // Its neighbour: a VM that only the file names is meant, once the file is registered.
    await dedalus("plan", "--only", "mail-01");
    assert.equal(acts(await recordsOf(cluster)), before + 3);
  }));

test("one unknown VM of a short command refuses all, and nothing is planned", () =>
  atCluster(async (cluster) => {
    const before = acts(await recordsOf(cluster));
    for (const word of ["wbe-02", "999"]) {
      const { exit } = await refusalOf(cluster, ["start", "web-01", word]);
      assert.equal(exit, 2);
      assert.equal(acts(await recordsOf(cluster)), before);
    }
    // Its neighbour: the same VM said twice is one VM.
    const { out } = await cluster.dedalus("start", "web-01", "101", "--json");
    assert.match(out, /confirmation-missing/);
    assert.equal(acts(await recordsOf(cluster)), before + 2);
  }));

test("slips that lead to the same help name it once, and one that leads elsewhere keeps its own", () =>
  atCluster(async ({ dedalus }) => {
    const counted = async (...words: readonly string[]): Promise<readonly number[]> => {
      const { err } = await dedalus(...words);
      return [/^Command not understood/gm, /^ +dedalus token create --help$/gm].map(
        (one) => err.match(one)?.length ?? 0,
      );
    };
    assert.deepEqual(await counted("token", "create"), [3, 1]);
    assert.deepEqual(await counted("token", "create", "--nmae", "bob"), [3, 1]);
  }));

test("the value of a mistyped option is part of the same slip", () =>
  atCluster(async ({ dedalus }) => {
    const causes = async (...words: readonly string[]): Promise<readonly string[]> =>
      JSON.parse((await dedalus(...words, "--json")).out).error.refusals.map(({ cause }: Refused) => cause);
    assert.deepEqual(await causes("plan", "--evn", "home"), ["option-unknown-meant"]);
    assert.deepEqual(await causes("plan", "--evn=home", "extra"), ["option-unknown-meant", "argument-extra"]);
    assert.deepEqual(await causes("plan", "--evn", "home", "extra"), ["option-unknown-meant", "argument-extra"]);
    assert.deepEqual(
      await causes("plan", "--registred", "extra"),
      ["option-unknown-meant", "argument-extra"],
      "a flag",
    );
    assert.deepEqual(await causes("plan", "--evn", "--olny", "101"), ["option-unknown-meant", "option-unknown-meant"]);
    assert.deepEqual(await causes("plan", "--zzzzzzzz", "home"), ["option-unknown"], "near to none");
    assert.deepEqual(
      await causes("plan", "--zzzzzzzz", "home", "extra"),
      ["option-unknown", "argument-extra"],
      "what is no value of it is still too much",
    );
    assert.deepEqual(await causes("history", "--zzzzzzzz", "web-01"), ["option-unknown"], "it may be the argument too");
    const create = ["token", "create", "--name", "bob", "--days", "9"];
    assert.deepEqual(await causes(...create, "--roles", "agent"), ["option-unknown-meant"], "and is not missing too");
    assert.deepEqual(await causes(...create, "--zzzzzzzz", "agent"), ["option-unknown", "option-missing"]);
  }));

test("a VM that is unknown is told of the argument that the command has", () =>
  atCluster(async (cluster) => {
    assert.equal((await refusalOf(cluster, ["start", "web01"])).facts["argument"], "VM");
    assert.equal((await refusalOf(cluster, ["status", "--vm", "web01"])).facts["argument"], "--vm");
  }));
