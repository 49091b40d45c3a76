// import against a simulated cluster: everything that is there, as a file that reads back, and nothing recorded or
// overwritten.

import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseDesired } from "../../src/formats/desired-yaml.ts";
import { atCluster, codesIn, THREE_NODES } from "./cluster.ts";

type Imported = {
  readonly draft: string;
  readonly unanswered?: { readonly code: string };
  readonly guests: readonly { readonly status: string; readonly vmid: number }[];
};

const parsed = (text: string) => {
  const read = parseDesired(text, "draft.yaml");
  assert.equal(read.kind, "ok", read.kind === "bad" ? JSON.stringify(read.problems) : "");
  return read.kind === "ok" ? read.value : assert.fail();
};

test("import writes every guest with its present status, and comments out what cannot be wanted so", async () => {
  await atCluster(async ({ dedalus, folder, mutations, simulator }) => {
    // As it is right after init: no ledger, nothing registered.
    rmSync(join(folder, "ledger"), { force: true, recursive: true });
    rmSync(join(folder, "anchor"), { force: true, recursive: true });
    const { code, err } = await dedalus("import", "--env", "home", "--out", "draft.yaml");
    assert.equal(code, 0, err);
    const text = readFileSync(join(folder, "draft.yaml"), "utf8");
    const { environment, vms } = parsed(text);
    assert.equal(environment, "home");
    assert.deepEqual(
      vms.map(({ cpus, memory, name, target, vmid }) => [vmid, name, target, cpus, memory]),
      [
        [101, "web-01", "stopped", 2, 2 * 2 ** 30],
        [102, "batch-01", "running", 4, 4 * 2 ** 30],
        [103, "prod-db", "running", 4, 8 * 2 ** 30],
        [105, "cache-01", "running", 2, 2 * 2 ** 30],
        [106, "backup-01", "stopped", 1, 2 ** 30],
        [108, "ha-01", "stopped", 1, 2 ** 30],
        [200, "dns-01", "running", 1, 512 * 2 ** 20],
      ],
    );
    assert.match(text, /# left out: paused.*\n {2}# - vmid: 104\n/);
    assert.match(text, /# left out: a template\n {2}# - vmid: 107\n/);
    assert.match(text, /# production: its name[^\n]*\n {2}# production: it has the tag prod[^\n]*\n {2}- vmid: 103\n/);
    assert.deepEqual(mutations(), []);
    assert.ok(simulator.requests().length > 0);
    assert.equal(existsSync(join(folder, "ledger/dedalus.db")), false, "nothing is recorded");
  });
});

test("a draft with its comments removed is still the draft of the same guests", async () => {
  await atCluster(async ({ value }) => {
    const { draft } = await value<Imported>("import");
    const uncommented = draft.replaceAll(/^ {2}# (- vmid| {2}\w+: )/gm, "  $1");
    assert.deepEqual(
      parsed(uncommented).vms.map(({ vmid }) => vmid),
      [101, 102, 103, 104, 105, 106, 107, 108, 200],
    );
  });
});

test("import does not overwrite a file, and asks nobody before it knows that it can write", async () => {
  await atCluster(async ({ dedalus, folder, simulator, value }) => {
    const before = simulator.requests().length;
    writeFileSync(join(folder, "mine.yaml"), "mine");
    assert.equal((await dedalus("import", "--out", "mine.yaml")).code, 2);
    assert.deepEqual(codesIn(await value("import", "--out", "mine.yaml")), ["file-exists"]);
    assert.equal(readFileSync(join(folder, "mine.yaml"), "utf8"), "mine");
    assert.equal(simulator.requests().length, before);
  });
});

test("import exits 8 and writes nothing when the provider does not answer", async () => {
  await atCluster(async ({ dedalus, folder, simulator, value }) => {
    await simulator.stop();
    assert.equal((await dedalus("import", "--out", "draft.yaml")).code, 8);
    assert.equal(existsSync(join(folder, "draft.yaml")), false);
    assert.equal((await value<Imported>("import")).unanswered?.code, "list-not-seen");
  });
});

test("import of an adapter that cannot list says so", async () => {
  await atCluster(async ({ folder, value }) => {
    const file = join(folder, "dedalus.yaml");
    const text = readFileSync(file, "utf8").replace(
      /adapter: proxmox[\s\S]*apply \}\n/,
      "adapter: replay\n    path: current.json\n",
    );
    writeFileSync(file, text);
    writeFileSync(join(folder, "current.json"), "[]");
    assert.deepEqual(codesIn(await value("import")), ["inventory-unavailable"]);
  });
});

test("a guest that the token may not see is not listed", async () => {
  const scenario = THREE_NODES.replace(
    "{ path: /, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
    "{ path: /vms/101, who: dedalus@pve!observe, role: PVEAuditor, propagate: true }",
  );
  await atCluster(
    async ({ value }) => {
      const { guests } = await value<Imported>("import");
      assert.deepEqual(
        guests.map(({ vmid }) => vmid),
        [101],
      );
    },
    { scenario },
  );
});

test("import is for people who operate", async (t) => {
  await atCluster(async ({ dedalus, value }) => {
    t.after(() => delete process.env["DEDALUS_TOKEN"]);
    for (const [role, code] of [
      ["observer", 3],
      ["agent", 3],
      ["operator", 0],
    ] as const) {
      const words = ["token", "create", "--name", `${role}-1`, "--role", role, "--days", "1"];
      const { token } = await value<{ readonly token: string }>(...words);
      process.env["DEDALUS_TOKEN"] = token;
      assert.equal((await dedalus("import")).code, code, role);
      delete process.env["DEDALUS_TOKEN"];
    }
  });
});
