// --json is an interface: every command of the catalogue is run, once to an answer and once to a refusal or an error, on a real
// ledger and a simulated cluster, and each prints one value that fits the schema which the catalogue names for it.
//
// The desk holds every printed value against its schema (cli/answer-schema.ts); here it is counted that no command was left out.

import assert from "node:assert/strict";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock, type TestContext, test } from "node:test";
import { findCommand } from "../../src/cli/arguments/find-command.ts";
import { COMMANDS } from "../../src/cli/catalogue.ts";
import { isErrorValue } from "../cli/answer-schema.ts";
import { atDesk, type Printed } from "../cli/desk.ts";
import { ANCHOR, DATABASE, withLedger } from "../cli/ledger-desk.ts";
import { applied, atCluster, type Cluster, type PlanValue, planned, THREE_NODES } from "./cluster.ts";

type Dedalus = (...argv: readonly string[]) => Promise<Printed>;
type Ran = "answered" | "failed";

const ran = new Map<string, Set<Ran>>(COMMANDS.map(({ name }) => [name, new Set()]));

/** Runs with --json: one value on stdout and nothing else, and it is counted what came of the command. */
const counting =
  (dedalus: Dedalus) =>
  async (...argv: readonly string[]): Promise<unknown> => {
    const { code, err, out } = await dedalus(...argv, "--json");
    const found = findCommand(argv);
    assert.equal(found.kind, "command", argv.join(" "));
    assert.equal(out.split("\n").length, 2, `${argv.join(" ")}: one line`);
    const value: unknown = JSON.parse(out);
    if (found.kind === "command") ran.get(found.entry.name)?.add(isErrorValue(value) ? "failed" : "answered");
    assert.equal(isErrorValue(value) && (code === 0 || code === 4), false, `${argv.join(" ")}: ${err}`);
    return value;
  };

const idOf = (value: unknown): string => (value as PlanValue).id;

test("what is asked of a cluster every day", async () => {
  await atCluster(
    async (cluster) => {
      const ask = counting(cluster.dedalus);
      writeFileSync(join(cluster.folder, "scenario.yaml"), THREE_NODES);
      for (const argv of [
        ["init", "second", "--operator", "alice"],
        ["init", ".", "--operator", "alice"],
        ["register", "--env", "home", "desired.yaml"],
        ["register", "--env", "home", "none.yaml"],
        ["observe", "--env", "home", "--out", "current.json"],
        ["observe", "--env", "nowhere"],
        ["import", "--env", "home", "--out", "imported.yaml"],
        ["import", "--out", "imported.yaml"],
        ["drift"],
        ["drift", "--env", "nowhere"],
        ["list"],
        ["list", "--env", "nowhere"],
        ["whoami"],
        ["whoami", "--config", "none.yaml"],
        ["rules"],
        ["rules", "N1"],
        ["rules", "N99"],
        ["completion", "bash"],
        ["completion", "cmd"],
        ["doctor"],
        ["doctor", "--env", "home"],
        ["audit", "--desired", "desired.yaml", "--replay", "current.json"],
        ["audit", "--desired", "none.yaml", "--replay", "current.json"],
        ["plan", "--desired", "desired.yaml", "--replay", "current.json", "--out", "plan.json"],
        ["plan", "--vm", "101"],
        ["explain", "plan.json", "--vm", "101"],
        ["explain", "plan.json", "--vm", "102"],
        ["explain", "plan.json", "--vm", "999"],
        ["plans"],
        ["plans", "--config", "none.yaml"],
      ])
        await ask(...argv);
      const id = idOf(await ask("plan", "--env", "home"));
      for (const argv of [
        ["plan", "--env", "home"],
        ["plan", "show", id],
        ["plan", "show", "01KA4QJ5V8R3W2T6Y7Z8N9M0P1"],
        ["explain", id, "--vm", "101"],
        ["explain", id, "--vm", "102"],
        ["request-approval", id, "--step", "1"],
        ["request-approval", id, "--step", "9"],
        ["approve", id, "--step", "1", "--reason", "agreed"],
        ["approve", id, "--step", "9", "--reason", "agreed"],
        ["revoke", id, "--step", "1", "--reason", "changed"],
        ["revoke", id, "--step", "9", "--reason", "changed"],
        ["explain", id, "--step", "1", "--challenge"],
        ["freeze", "--env", "home", "--reason", "incident"],
        ["freeze", "--reason", ""],
        ["status"],
        ["apply", id],
        ["unfreeze", "--env", "home", "--reason", "over"],
        ["unfreeze", "--env", "home", "--reason", "over"],
        ["status", "--vm", "101"],
        ["status", "--vm", "nobody"],
        ["apply", id],
        ["explain", id, "--step", "1", "--as-shown"],
        ["apply", id, "--step", "1", "--confirm", "0".repeat(64)],
        ["history", "101"],
        ["history", "nobody"],
        ["replay"],
        ["replay", "--to", "99999"],
        ["state", "--at", "3"],
        ["state", "--at", "99999"],
      ])
        await ask(...argv);
      const other = idOf(await ask("plan", "--env", "home", "--action", "reboot", "--vm", "105"));
      for (const argv of [
        ["deny", other, "--step", "1", "--reason", "not now"],
        ["deny", other, "--step", "9", "--reason", "not now"],
        ["cancel", other, "--reason", "not wanted"],
        ["cancel", other, "--reason", "not wanted"],
        ["token", "create", "--name", "bob", "--role", "approver", "--days", "30"],
        ["token", "create", "--name", "bob", "--role", "nobody", "--days", "30"],
        ["token", "rotate", "--name", "bob", "--days", "30"],
        ["token", "rotate", "--name", "carol", "--days", "30"],
        ["token", "list"],
        ["token", "list", "--config", "none.yaml"],
        ["token", "revoke", "--name", "bob"],
        ["token", "revoke", "--name", "bob"],
      ])
        await ask(...argv);
    },
    { answer: () => "y" },
  );
});

test("the short commands, one VM and several", async () => {
  await atCluster(
    async ({ dedalus, simulator }) => {
      const ask = counting(dedalus);
      for (const argv of [
        ["start", "web-01"],
        ["start", "nobody"],
        ["start", "101", "nobody"],
        ["snapshot", "web-01", "before"],
        ["snapshot", "nobody", "before"],
        ["resize", "web-01", "--memory", "4GiB"],
        ["resize", "web-01"],
        ["reboot", "101", "102"],
        ["reboot", "nobody"],
        ["shutdown", "101"],
        ["shutdown", "nobody"],
        ["stop", "102"],
        ["stop", "103"],
        ["stop", "nobody"],
      ])
        await ask(...argv);
      await simulator.stop();
      for (const argv of [["plan"], ["drift"], ["observe"], ["import"], ["start", "101"]]) {
        const value = (await ask(...argv)) as { readonly unanswered?: { readonly code: string } };
        assert.equal(typeof value.unanswered?.code, "string", argv.join(" "));
      }
    },
    { answer: () => "y" },
  );
});

test("a VM that was made anew, and one that is gone", async () => {
  await atCluster(async (cluster) => {
    const ask = counting(cluster.dedalus);
    await planned(cluster, "vm.start", 101);
    cluster.simulator.change({ kind: "replaced", vmid: 101 });
    const { plan } = await planned(cluster, "vm.start", 101);
    const [refusal] = plan.answers as readonly { readonly facts?: { readonly observedIdentity?: string } }[];
    const of = ["accept-identity", "--env", "home", "--vm", "101", "--reason", "rebuilt"];
    await ask(...of, "--identity", "uuid of somebody else");
    await ask(...of, "--identity", refusal?.facts?.observedIdentity ?? "");
  });
});

const MINUTE_MS = 60_000;

test("an outcome that nobody knows", async (t: TestContext) => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  t.after(() => mock.timers.reset());
  await atCluster(
    async (cluster: Cluster) => {
      const ask = counting(cluster.dedalus);
      const { id } = await planned(cluster, "vm.suspend", 102);
      await applied(cluster, id);
      await ask("status");
      await ask("reconcile", "--env", "home", "--vm", "102");
      mock.timers.tick(11 * MINUTE_MS);
      cluster.simulator.advance(11 * MINUTE_MS);
      await ask("reconcile", "--env", "home", "--vm", "102");
    },
    {
      scenario: THREE_NODES.replace(
        "faults: []",
        "faults:\n  - { on: { call: suspend }, fate: { kind: verdict-lost } }",
      ),
    },
  );
});

test("a clock that was ahead", async () => {
  await withLedger(1, async (dedalus) => {
    const ask = counting(dedalus);
    await ask("accept-clock", "--reason", "to be sure");
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 10 * MINUTE_MS });
    await dedalus("freeze", "--reason", "ahead");
    mock.timers.reset();
    await ask("accept-clock", "--reason", "it is set right");
  });
});

test("the ledger itself", async () => {
  await withLedger(2, async (dedalus, folder) => {
    const ask = counting(dedalus);
    const { key } = (await ask("ledger", "checkpoint")) as { readonly key: string };
    for (const argv of [
      ["ledger", "checkpoint", "--config", "none.yaml"],
      ["ledger", "show"],
      ["ledger", "show", "--from", "x"],
      ["ledger", "prove", "1"],
      ["ledger", "prove", "99"],
      ["ledger", "verify"],
      ["ledger", "verify", "--proof", "1.tlog-proof", "--key", key],
      ["ledger", "verify", "--proof", "none"],
      ["ledger", "export", "--out", "export"],
      ["ledger", "export", "--out", "export"],
      ["ledger", "verify", "--export", "export", "--key", key],
      ["ledger", "backup", "--to", "backup"],
      ["ledger", "backup", "--to", "backup"],
      ["ledger", "restore", "--from", "backup", "--reason", "too early"],
    ])
      await ask(...argv);
    rmSync(join(folder, "ledger"), { recursive: true });
    await ask("ledger", "restore", "--from", "backup", "--reason", "the disk died");
    await ask("ledger", "re-anchor", "--reason", "nothing is lost");
    rmSync(join(folder, ANCHOR));
    await ask("ledger", "verify");
    await ask("ledger", "re-anchor", "--reason", "the disk died");
    await ask("ledger", "unlock", "--reason", "nothing is locked");
    writeFileSync(join(folder, `${DATABASE}-read-only`), "the disk was full\n");
    await ask("ledger", "unlock", "--reason", "more disk");
    await ask("ledger", "unseal", "--reason", "without --copy-gone");
    await ask("ledger", "move", "--to", "copy.db");
    await ask("ledger", "move", "--to", "copy.db", "--yes");
    for (const file of readdirSync(folder).filter((name) => name.startsWith("copy.db"))) rmSync(join(folder, file));
    await ask("ledger", "unseal", "--copy-gone", "--reason", "its disk died");
  });
});

test("what has no end prints one value a line", async () => {
  const io = { interrupted: () => AbortSignal.timeout(300) };
  await atDesk(
    { "scenario.yaml": THREE_NODES },
    async (dedalus) => {
      const { out } = await dedalus("simulate", "--scenario", "scenario.yaml", "--json");
      assert.equal(JSON.parse(out).kind, "started");
      ran.get("simulate")?.add("answered");
      await counting(dedalus)("simulate", "--scenario", "none.yaml");
      assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
      const followed = await dedalus("ledger", "show", "--follow", "--json");
      assert.equal(JSON.parse(followed.out).seq, 0);
    },
    io,
  );
});

test("an installation without a configuration, and with a bad one", async () => {
  await atDesk({ "bad.yaml": "version: 1\noperater: x\n" }, async (dedalus) => {
    const ask = counting(dedalus);
    await ask("doctor");
    const { checks } = (await ask("doctor", "--config", "bad.yaml")) as {
      readonly checks: readonly { readonly code: string; readonly refusals: readonly { readonly code: string }[] }[];
    };
    assert.deepEqual(
      checks.filter(({ refusals }) => refusals.length > 0).map(({ code }) => code),
      ["configuration-bad"],
    );
    await ask("doctor", "--nonsense");
  });
});

test("help, the version, and what is no command are one value too", async () => {
  await atDesk({}, async (dedalus) => {
    for (const [exit, ...argv] of [
      [0, "--help"],
      [0, "ledger", "--help"],
      [0, "plan", "--help"],
      [0, "version"],
      [2, "plam"],
      [2, "ledger"],
      [2],
    ] as const) {
      const { code, err, out } = await dedalus(...argv, "--json");
      assert.deepEqual([code, err, out.split("\n").length], [exit, "", 2], argv.join(" "));
    }
  });
});

test("no command of the catalogue was left out: each was run to an answer and to an error", () => {
  const left = [...ran].filter(([, how]) => how.size < 2).map(([name, how]) => `${name}: only ${[...how]}`);
  assert.deepEqual(left, []);
});
