// Completion of what only a ledger knows: VMs, plans and environments, in a real bash.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { atCluster, type Cluster, type PlanValue, WANTED } from "./cluster.ts";

const DEDALUS = fileURLToPath(new URL("../../bin/dedalus", import.meta.url));
const PROGRAM = `source ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dedalus; printf '%s\\n' "\${COMPREPLY[@]}"`;

/** What a bash offers for the last word. */
const offeredIn = async ({ folder }: Pick<Cluster, "folder">, ...words: readonly string[]) => {
  const child = spawn("bash", ["--norc", "-c", PROGRAM, "bash", DEDALUS, ...words], { cwd: folder });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  child.stderr.on("data", (text) => {
    printed += text;
  });
  await once(child, "close");
  return printed.split("\n").filter((line) => line !== "");
};

const ledgerFiles = (folder: string): readonly string[] =>
  readdirSync(join(folder, "ledger"))
    .filter((name) => !/-(?:shm|wal)$/.test(name))
    .map((name) => `${name} ${statSync(join(folder, "ledger", name)).size}`);

test("bash completes VMs by name and number, plans by id, and environments", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, folder, value } = cluster;
    const { id } = await value<PlanValue>("plan", "--env", "home");
    writeFileSync(join(folder, "script.bash"), (await dedalus("completion", "bash")).out);
    const before = ledgerFiles(folder);
    assert.deepEqual(await offeredIn(cluster, "start", "b"), ["batch-01"]);
    assert.deepEqual(await offeredIn(cluster, "start", "web-01", "10"), ["101", "102", "103", "105"]);
    assert.deepEqual(await offeredIn(cluster, "status", "--vm", "d"), ["dns-01"]);
    assert.deepEqual(await offeredIn(cluster, "plan", "--json", "--vm", "d"), ["dns-01"], "an option is not ours");
    assert.deepEqual(await offeredIn(cluster, "explain", id.slice(0, 12)), [id]);
    assert.deepEqual(await offeredIn(cluster, "plan", "show", ""), [id]);
    assert.deepEqual(await offeredIn(cluster, "drift", "--env", ""), ["home"]);
    assert.deepEqual(await offeredIn(cluster, "history", "--env", "=", "lab", "w"), [], "no VM of another environment");
    assert.deepEqual(ledgerFiles(folder), before, "it only reads");
  });
});

test("cannot offer a name that a shell would execute", async () => {
  const wanted = WANTED.replace("name: web-01", 'name: "$(touch owned)"');
  await atCluster(
    async (cluster) => {
      const { dedalus, folder } = cluster;
      writeFileSync(join(folder, "script.bash"), (await dedalus("completion", "bash")).out);
      const offered = await offeredIn(cluster, "start", "");
      assert.ok(offered.includes("101") && offered.includes("batch-01"), offered.join(" "));
      assert.ok(!offered.some((word) => word.includes("touch")), offered.join(" "));
      assert.ok(!readdirSync(folder).includes("owned"));
    },
    { wanted },
  );
});

test("a ledger that cannot be read offers nothing, and says nothing", async () => {
  await atCluster(async ({ dedalus, folder }) => {
    assert.match((await dedalus("__complete", "vms")).out, /^web-01\tVM 101, home$/m);
    const key = join(folder, "keys/ledger.key");
    const text = readFileSync(key);
    writeFileSync(key, "no key");
    assert.deepEqual(await dedalus("__complete", "vms"), { code: 0, err: "", out: "" });
    writeFileSync(key, text);
    writeFileSync(join(folder, "anchor/checkpoints.txt"), "no anchor");
    assert.deepEqual(await dedalus("__complete", "plans"), { code: 0, err: "", out: "" });
  });
});
