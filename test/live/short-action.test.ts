// The short commands at a real terminal: one action is planned, asked about and applied; nothing is approved by them.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Refusal } from "../../src/spine/model.ts";
import { atTerminal } from "./at-terminal.ts";
import { atCluster, codesIn, WANTED } from "./cluster.ts";

const HOME = ["--env", "home"] as const;

test("start is one command and one y, and the VM has its name", async () => {
  await atCluster(async (cluster) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["start", "web-01"],
      [{ says: /Start web-01 \(VM 101\)\? \[y/, types: "y\n" }],
    );
    assert.equal(code, 0, printed);
    assert.deepEqual(cluster.mutations(), ["POST /api2/json/nodes/pve1/qemu/101/status/start"]);
    assert.doesNotMatch(printed, /not the registered/);
  });
});

test("shutdown asks the guest, says that it is not what is registered, and stop is another action", async () => {
  await atCluster(async (cluster) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["shutdown", "102", ...HOME],
      [{ says: /Shut down batch-01 \(VM 102\)\? \[y/, types: "y\n" }],
    );
    assert.equal(code, 0, printed);
    assert.match(printed, /not the registered status: the next plan will propose to undo it/);
    assert.deepEqual(cluster.mutations(), ["POST /api2/json/nodes/pve1/qemu/102/status/shutdown"]);
  });
});

test("P7-A2 stop cuts the power only when it was approved, and approves nothing itself", async () => {
  await atCluster(async (cluster) => {
    const { code, printed } = await atTerminal(cluster.folder, ["stop", "102", ...HOME], []);
    assert.equal(code, 3, printed);
    assert.match(printed, /approval-missing/);
    assert.deepEqual(cluster.mutations(), []);
    assert.doesNotMatch((await cluster.dedalus("ledger", "show", "--json")).out, /"kind":"approve"/);
  });
});

test("N2 production is refused by a short command as by every other, and nobody is asked", async () => {
  await atCluster(async (cluster) => {
    const { code, printed } = await atTerminal(cluster.folder, ["shutdown", "103", ...HOME], []);
    assert.equal(code, 3, printed);
    assert.doesNotMatch(printed, /\[y\/N/);
    assert.deepEqual(cluster.mutations(), []);
  });
});

const PROTECTED = WANTED.replace("name: batch-01,", "name: batch-01, protected: true,");

for (const command of ["stop", "reboot"] as const) {
  test(`N2 ${command} of a VM that the desired file protects by now is refused, and the protection is registered`, async () => {
    await atCluster(async (cluster) => {
      writeFileSync(join(cluster.folder, "desired.yaml"), PROTECTED);
      const { code, printed } = await atTerminal(cluster.folder, [command, "batch-01", ...HOME], []);
      assert.equal(code, 3, printed);
      assert.match(printed, /production-touched/);
      assert.doesNotMatch(printed, /\[y\/N/);
      assert.deepEqual(cluster.mutations(), []);
      const { desiredFile } = await cluster.value<{ readonly desiredFile?: object }>("plan", ...HOME);
      assert.equal(desiredFile, undefined, "the file is what is registered");
    });
  });

  test(`N2 ${command} registers no loosening: what is registered as protected stays so, and it is said`, async () => {
    await atCluster(
      async (cluster) => {
        writeFileSync(join(cluster.folder, "desired.yaml"), WANTED);
        const { desiredFile } = await cluster.value<{ readonly desiredFile?: { readonly kind: string } }>(
          ...[command, "batch-01", ...HOME],
        );
        assert.equal(desiredFile?.kind, "loosens");
        const { code, printed } = await atTerminal(cluster.folder, [command, "batch-01", ...HOME], []);
        assert.equal(code, 3, printed);
        assert.match(printed, /production-touched/);
        assert.deepEqual(cluster.mutations(), []);
      },
      { wanted: PROTECTED },
    );
  });
}

test("what differs in the desired file elsewhere is shown before the question, and stops no short command", async () => {
  await atCluster(async (cluster) => {
    writeFileSync(join(cluster.folder, "desired.yaml"), WANTED.replace("name: cache-01,", "name: cache-01, cpus: 2,"));
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["start", "web-01"],
      [{ says: /105 +cache-01 +cpus 2 added[\s\S]*Start web-01 \(VM 101\)\? \[y/, types: "y\n" }],
    );
    assert.equal(code, 0, printed);
    assert.deepEqual(cluster.mutations(), ["POST /api2/json/nodes/pve1/qemu/101/status/start"]);
  });
});

test("P7-E1 of several VMs each has a question of its own, and a no ends it", async () => {
  await atCluster(async (cluster) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["reboot", "102", "105", ...HOME],
      [
        { says: /Reboot batch-01 \(VM 102\)\? \[y/, types: "y\n" },
        { says: /Reboot cache-01 \(VM 105\)\? \[y/, types: "n\n" },
      ],
    );
    assert.equal(code, 5, printed);
    assert.equal(cluster.mutations().length, 1, printed);
  });
});

test("Ctrl-C while one of several VMs is acted on ends before the next is asked about, with 5", async () => {
  await atCluster(
    async (cluster) => {
      const { code, printed } = await atTerminal(
        cluster.folder,
        ["reboot", "102", "105", ...HOME],
        [
          { says: /Reboot batch-01 \(VM 102\)\? \[y/, types: "y\n" },
          { says: /VM 102: waiting for the provider/, types: "\x03" },
          { says: /Reboot cache-01 \(VM 105\)\? \[y/, types: "y\n" },
        ],
      );
      assert.equal(code, 5, printed);
      assert.match(printed, /VM 102 reboot succeeded/);
      assert.doesNotMatch(printed, /cache-01/);
      assert.equal(cluster.mutations().length, 1, printed);
    },
    { clock: { kind: "driven", requestMs: 500 } },
  );
});

test("snapshot takes a name, resize a size, and without a terminal the way of a script is named", async () => {
  await atCluster(async (cluster) => {
    const taken = await atTerminal(
      cluster.folder,
      ["snapshot", "101", "before-upgrade", ...HOME],
      [{ says: /~ snapshot web-01: before-upgrade[\s\S]*Snapshot web-01 \(VM 101\)\? \[y/, types: "y\n" }],
    );
    assert.equal(taken.code, 0, taken.printed);
    assert.equal((await cluster.dedalus("resize", "101", ...HOME)).code, 2, "no size is given");
    assert.equal((await cluster.dedalus("start", "nobody")).code, 2, "no VM has this name");
    assert.deepEqual(codesIn(await cluster.value("start", "101", ...HOME)), ["confirmation-missing"]);
  });
});

type Misnamed = { readonly error: { readonly refusals: readonly Refusal[] } };

test("a snapshot's name that the provider takes for none is a usage error, with the grammar and a name that does", async () => {
  await atCluster(async (cluster) => {
    const { code, err } = await cluster.dedalus("snapshot", "101", "1 before/upgrade");
    assert.equal(code, 2, err);
    const pasted = /^ *dedalus (snapshot .*)$/m.exec(err)?.[1] ?? assert.fail(err);
    assert.equal(pasted, "snapshot 101 s-1-before-upgrade --env home");
    const { error } = await cluster.value<Misnamed>("snapshot", "101", "1 before/upgrade");
    const [{ cause, facts } = assert.fail()] = error.refusals;
    assert.deepEqual([cause, facts["min"], facts["max"]], ["snapshot-name", 2, 40]);
    const kept = await cluster.value<Misnamed>("snapshot", "101", "current");
    assert.deepEqual(
      kept.error.refusals.map((one) => one.cause),
      ["snapshot-name-reserved"],
    );
    assert.deepEqual(codesIn(await cluster.value(...pasted.split(" "))), ["confirmation-missing"], "it was understood");
  });
});

const causesOf = (value: unknown): readonly string[] =>
  Array.from(JSON.stringify(value).matchAll(/"cause":"([a-z-]+)"/g), ([, cause = ""]) => cause);

test("a VM that is what is asked for needs nothing, and a name that is taken is said to be", async () => {
  await atCluster(
    async (cluster) => {
      for (const words of [
        ["start", "102"],
        ["resize", "102", "--memory", "4GiB"],
      ] as const) {
        const { code, out } = await cluster.dedalus(...words);
        assert.equal(code, 3);
        assert.match(out, /next: Nothing to do\./, out);
      }
      assert.deepEqual(causesOf(await cluster.value("start", "102")), ["status-reached"]);
      assert.deepEqual(causesOf(await cluster.value("stop", "101")), ["status-reached"]);
      assert.deepEqual(causesOf(await cluster.value("reboot", "101")), ["status"], "a stopped VM is not rebooted");
      assert.equal((await cluster.dedalus("snapshot", "102", "once")).code, 0);
      assert.deepEqual(causesOf(await cluster.value("snapshot", "102", "once")), ["snapshot-present"]);
    },
    { answer: () => "y" },
  );
});

test("a short command that came to nothing says each refusal once, with its summary, and no table", async () => {
  await atCluster(async ({ dedalus }) => {
    for (const [words, code] of [
      [["start", "102"], "state-unfit"],
      [["stop", "103"], "production-touched"],
    ] as const) {
      const { out } = await dedalus(...words);
      assert.equal(out.split(`, ${code})`).length - 1, 1, out);
      assert.match(out, /^VM \d+: \S/m);
      assert.doesNotMatch(out, /verdict|in sync/);
    }
  });
});

test("a short command that succeeds prints what became of the desired file, as a plan does", async () => {
  await atCluster(
    async (cluster) => {
      writeFileSync(
        join(cluster.folder, "desired.yaml"),
        WANTED.replace("name: cache-01,", "name: cache-01, cpus: 2,"),
      );
      const { against, applied, desiredFile } = await cluster.value<{
        readonly against?: readonly string[];
        readonly applied: readonly object[];
        readonly desiredFile?: { readonly kind: string };
      }>("shutdown", "102");
      assert.deepEqual([applied.length, desiredFile?.kind, against], [1, "registered", ["status"]]);
    },
    { answer: () => "y" },
  );
});
