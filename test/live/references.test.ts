// What a person asks about one VM after something happened to it: the whole of its records, and an exit code that says
// that somebody must act.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { applied, atCluster, type PlanValue, planned, THREE_NODES } from "./cluster.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));

/** As a shell runs it, in a real pipe. */
const inShell = (folder: string, line: string) =>
  spawnSync("bash", ["-c", line.replaceAll("dedalus", `'${DEDALUS}'`)], {
    cwd: folder,
    encoding: "utf8",
    timeout: 30_000,
  });

type Records = { readonly records: readonly { readonly kind: string; readonly seq: number }[] };

test("every record that concerns a VM is shown, what became of it and what was refused too", async () => {
  await atCluster(async ({ dedalus, value, ...cluster }) => {
    const kindsOf = async (...words: readonly string[]): Promise<readonly string[]> =>
      (await value<Records>("ledger", "show", ...words)).records.map(({ kind }) => kind);
    const whole = await value<PlanValue>("plan", "--env", "home");
    await applied({ dedalus, value, ...cluster }, whole.id);
    await dedalus("approve", whole.id, "--reason", "too late");
    await dedalus("cancel", whole.id, "--reason", "done");
    assert.deepEqual(await kindsOf("--vm", "web-01"), [
      "register",
      "plan",
      "challenge",
      "apply",
      "dispatched",
      "outcome",
      "approve",
      "cancel",
    ]);
    assert.deepEqual(await kindsOf("--vm", "102"), ["register", "plan", "cancel"], "and no other VM's");
    const { records } = await value<Records>("ledger", "show", "--vm", "101", "--kind", "outcome");
    const [outcome] = records;
    const late = await value<Records>("ledger", "show", "--vm", "101", "--from", `${outcome?.seq}`);
    assert.deepEqual(late.records[0], outcome, "it is known by its intent, which is older than the first record shown");
  });
});

test("status ends with 5 while a VM is blocked, and with 0 for the others", async () => {
  await atCluster(
    async (cluster) => {
      assert.equal((await cluster.dedalus("status")).code, 0);
      const { id } = await planned(cluster, "start", 101);
      const { applied: [one] = [] } = await applied(cluster, id);
      assert.equal(one?.result.outcome, "unknown", JSON.stringify(one));
      assert.equal((await cluster.dedalus("status")).code, 5);
      assert.equal((await cluster.dedalus("status", "--vm", "web-01")).code, 5);
      assert.equal((await cluster.dedalus("status", "--vm", "102")).code, 0);
    },
    {
      scenario: THREE_NODES.replace("faults: []", "faults:\n  - { on: { call: start }, fate: { kind: verdict-lost } }"),
    },
  );
});

test("a command that is printed to be run next names the configuration that was named", async () => {
  await atCluster(async (cluster) => {
    await planned(cluster, "start", 101);
    const challenged = async (...more: readonly string[]): Promise<string> =>
      (await cluster.dedalus("explain", "latest", "--step", "1", "--challenge", ...more)).out;
    assert.match(await challenged("--config", "dedalus.yaml"), / --confirm [0-9a-f]{64} --config dedalus\.yaml\n/);
    assert.match(await challenged(), / --confirm [0-9a-f]{64}\n/);
  });
});

test("output that nobody reads, or that has no room, ends without a trace of the program", async () => {
  await atCluster(async ({ folder }) => {
    for (const command of ["ledger show", "ledger show --json", "status", "--help", "rules"]) {
      const full = inShell(folder, `dedalus ${command} >/dev/full`);
      assert.equal(full.status, 2, command);
      assert.equal(full.stderr, "standard output could not be written: ENOSPC\n", command);
      const left = inShell(folder, `set -o pipefail; dedalus ${command} | head -c 1 >/dev/null`);
      assert.deepEqual([left.status, left.stderr], [0, ""], command);
    }
    const followed = inShell(folder, "set -o pipefail; dedalus ledger show --follow | head -1 | wc -l");
    assert.deepEqual([followed.status, followed.stdout.trim(), followed.stderr], [0, "1", ""]);
    const read = inShell(folder, "set -o pipefail; timeout 3 dedalus ledger show --follow | cat >/dev/null");
    assert.equal(read.status, 124, "whoever is read goes on");
  });
});

type Misused = { readonly error: { readonly refusals: readonly { readonly cause: string; readonly facts: object }[] } };

test("P7-A2 no decision is made on latest: it names no text that was read, and the plan's own id does", async () => {
  await atCluster(async (cluster) => {
    const stop = await planned(cluster, "vm.stop", 102);
    const start = await planned(cluster, "vm.start", 101);
    for (const words of [["approve"], ["deny"], ["revoke"]]) {
      const misused = await cluster.value<Misused>(...words, "LATEST", "--step", "1", "--reason", "agreed");
      const [refusal] = misused.error.refusals;
      assert.equal(refusal?.cause, "plan-unnamed", JSON.stringify(misused));
      assert.deepEqual(refusal?.facts, { candidates: [stop.id, start.id], found: "LATEST", plan: start.id });
    }
    const { code, err } = await cluster.dedalus("approve", "latest", "--step", "1", "--reason", "agreed");
    assert.equal(code, 2);
    assert.match(err, new RegExp(`dedalus explain ${start.id}`));
    assert.doesNotMatch((await cluster.dedalus("ledger", "show", "--json")).out, /"kind":"(approve|deny|revoke)"/);
    for (const word of [["approve"], ["revoke"], ["deny"]]) {
      const done = await cluster.dedalus(...word, stop.id.slice(0, 25), "--step", "1", "--reason", "read");
      assert.equal(done.code, 0, done.err);
    }
  });
});

test("B5 a token that nobody was shown is no success, and how to take it back is said", async () => {
  await atCluster(async ({ dedalus, folder }) => {
    const words = (name: string): string => `token create --name ${name} --role observer --days 1`;
    const ways = { closed: ">&-", full: ">/dev/full", left: "| true", nowhere: ">/dev/null" };
    for (const [name, way] of Object.entries(ways)) {
      // The reader of the pipe is gone before anything is written.
      const { status, stderr } = inShell(folder, `set -o pipefail; dedalus ${words(name)} ${way}`);
      assert.equal(status, 5, `${name}: ${stderr}`);
      assert.match(stderr, new RegExp(`token [0-9a-z]{10} for ${name} [^\n]*token revoke --name ${name}\n`), name);
    }
    for (const more of ["", " --json"]) {
      const { status, stderr, stdout } = inShell(folder, `dedalus ${words(`shown${more.length}`)}${more}`);
      assert.deepEqual([status, stderr], [0, ""], stdout);
    }
    assert.equal((await dedalus("token", "revoke", "--name", "closed")).code, 0);
  });
});
