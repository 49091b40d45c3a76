// --json is an interface: every command of the catalogue is run, once to an answer and once to a refusal or an error,
// on a real ledger and a simulated cluster, and each prints one value that fits the schema which the catalogue names
// for it.
//
// The desk holds every printed value against its schema (cli/answer-schema.ts); here it is counted that no command was
// left out.

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mock, type TestContext, test } from "node:test";
import { atDesk } from "../cli/desk.ts";
import { ANCHOR, DATABASE, edit, withLedger } from "../cli/ledger-desk.ts";
import { initBeside } from "./another-home.ts";
import { BEFORE_PLANS, PEOPLE, SHORT, STRICT, WHAT_IF } from "./answer-words.ts";
import {
  applied,
  applyWords,
  atCluster,
  type Cluster,
  type ClusterOptions,
  type PlanValue,
  planned,
  THREE_NODES,
  WANTED,
} from "./cluster.ts";
import { counting, noteMembers, noteStarted, ran, unprinted } from "./counted-answers.ts";

const idOf = (value: unknown): string => (value as PlanValue).id;

test("what is asked of a cluster every day", async () => {
  await atCluster(
    async (cluster) => {
      const ask = counting(cluster.dedalus);
      writeFileSync(join(cluster.folder, "scenario.yaml"), THREE_NODES);
      writeFileSync(join(cluster.folder, "strict.yaml"), STRICT);
      for (const argv of BEFORE_PLANS) await ask(...argv);
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
        ...WHAT_IF,
        ["mcp", "--server", "https://dedalus.example:7400", "--print-config"],
        ["mcp", "--print-config"],
        ["state", "--at", "3"],
        ["state", "--at", "99999"],
      ])
        await ask(...argv);
      edit(cluster.folder, "dedalus.yaml", (text) => `${text}service: { url: http://localhost:7400 }\n`);
      const other = idOf(await ask("plan", "--env", "home", "--action", "reboot", "--vm", "105"));
      for (const argv of [
        ["deny", other, "--step", "1", "--reason", "not now"],
        ["deny", other, "--step", "9", "--reason", "not now"],
        ["cancel", other, "--reason", "not wanted"],
        ["cancel", other, "--reason", "not wanted"],
        ...PEOPLE,
        ["plans"],
      ])
        await ask(...argv);
      const { fingerprint, url } = cluster.simulator;
      const from = [
        "--from",
        url,
        "--fingerprint",
        fingerprint,
        "--observe-env",
        "LAB_OBSERVE",
        "--apply-env",
        "LAB_APPLY",
      ];
      await ask("init", "lab", "--operator", "alice", ...from);
    },
    { answer: () => "y" },
  );
});

test("a desired file that differs, and one that loosens; a policy", async () => {
  await atCluster(async ({ dedalus, folder }) => {
    const ask = counting(dedalus);
    edit(folder, "desired.yaml", (text) => text.replace("name: batch-01,", "name: batch-01, cpus: 2,"));
    await ask("plan");
    edit(folder, "desired.yaml", (text) => text.replace(/.*dns-01.*\n/, ""));
    await ask("plan");
    edit(folder, "desired.yaml", (text) => text.replace("name: cache-01,", "name: cache-01, protected: true,"));
    await ask("register", "desired.yaml");
    await ask("register", "--yes", "desired.yaml");
    await ask("list");
    writeFileSync(join(folder, "policy.yaml"), "version: 1\ntighten:\n  - { action: vm.reboot, to: high }\n");
    edit(folder, "dedalus.yaml", (text) => `${text}    policy: policy.yaml\n`);
    await ask("status");
    // What was denied before waits for an approval that names the explanation.
    const reboot = ["plan", "--action", "reboot", "--vm", "102", "--registered"];
    await ask("deny", idOf(await ask(...reboot)), "--step", "1", "--reason", "not now");
    await ask(...reboot);
    await ask("status");
  });
});

/** Two steps, of which the second cuts the power. */
const TWO = WANTED.replace("name: batch-01, target: running", "name: batch-01, target: stopped, stop: shutdown");
const HARD = TWO.replace("stop: shutdown", "stop: power-off");

type Walk = { readonly what: string; readonly member: string; readonly wanted: string; readonly io: ClusterOptions };

const answering = (...answers: readonly string[]): ClusterOptions => {
  const left = [...answers];
  return { answer: () => left.shift() ?? "n" };
};

const WALKS: readonly Walk[] = [
  { io: answering("y", "n"), member: "halted", wanted: TWO, what: "no to the second" },
  { io: answering("s", "y"), member: "skipped", wanted: TWO, what: "the first is skipped" },
  { io: answering("y"), member: "withheld", wanted: HARD, what: "the second needs an approval" },
  {
    io: { io: { ask: () => Promise.reject(new Error("nobody expected this")) } },
    member: "error",
    wanted: TWO,
    what: "a bug",
  },
];

for (const { io, member, wanted, what } of WALKS) {
  test(`a walk over two steps: ${what}`, async () => {
    await atCluster(
      async ({ dedalus }) => {
        const ask = counting(dedalus);
        await ask("plan");
        assert.ok(member in Object(await ask("apply")), member);
      },
      { ...io, wanted },
    );
  });
}

test("what went wrong beside what was applied", async () => {
  let onCall = (): void => undefined;
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      onCall = () => mkdirSync(join(cluster.folder, "result.json.part"), { recursive: true });
      const value = await counting(cluster.dedalus)(...(await applyWords(cluster, id)), "--out", "result.json");
      assert.ok("beside" in Object(value));
    },
    { onRequest: ({ method }) => (method === "POST" ? onCall() : undefined) },
  );
});

test("the short commands, one VM and several", async () => {
  await atCluster(
    async ({ dedalus, simulator }) => {
      const ask = counting(dedalus);
      for (const argv of SHORT) await ask(...argv);
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
      await ask("list");
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
    await ask("doctor");
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
    for (const config of ["dedalus.yaml", await initBeside(dedalus, folder, DATABASE)])
      await ask("ledger", "join", "--anchor", ANCHOR, "--key", key, "--reason", "more", "--config", config);
    rmSync(join(folder, "ledger"), { recursive: true });
    await ask("ledger", "restore", "--from", "backup", "--reason", "the disk died");
    await ask("ledger", "re-anchor", "--reason", "nothing is lost");
    rmSync(join(folder, ANCHOR));
    await ask("ledger", "verify");
    await ask("ledger", "re-anchor", "--reason", "the disk died");
    await ask("status");
    await ask("ledger", "unlock", "--reason", "nothing is locked");
    writeFileSync(join(folder, `${DATABASE}-read-only`), "the disk was full\n");
    await ask("ledger", "unlock", "--reason", "more disk");
    await ask("ledger", "unseal", "--reason", "without --copy-gone");
    for (const answer of [[], ["--yes"]]) await ask("ledger", "move", "--to", "copy.db", ...answer);
    for (const file of readdirSync(folder).filter((name) => name.startsWith("copy.db"))) rmSync(join(folder, file));
    await ask("ledger", "unseal", "--copy-gone", "--reason", "its disk died");
  });
});

test("what has no end prints one value a line", async () => {
  const io = { interrupted: () => AbortSignal.timeout(300) };
  await atDesk(
    { "scenario.yaml": THREE_NODES },
    async (dedalus) => {
      assert.equal((await dedalus("init", ".", "--operator", "alice")).code, 0);
      await noteStarted(dedalus, "simulate", "--scenario", "scenario.yaml", "--ca", "ca.pem");
      await counting(dedalus)("simulate", "--scenario", "none.yaml");
      await noteStarted(dedalus, "serve", "--listen", "127.0.0.1:0");
      await counting(dedalus)("serve", "--listen", "nowhere");
      assert.equal((await dedalus("ledger", "checkpoint")).code, 0);
      const followed = await dedalus("ledger", "show", "--follow", "--json");
      assert.equal(JSON.parse(followed.out.split("\n")[0] ?? "").seq, 0);
    },
    io,
  );
});

test("an installation without a configuration, and with a bad one", async () => {
  const files = { "bad.yaml": "version: 1\noperater: x\n", "policy.yaml": "version: 1\ntighten: [{ perHour: 4 }]\n" };
  await atDesk(files, async (dedalus) => {
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
    await ask("policy", "check", "bad.yaml");
    await ask("policy", "check", "policy.yaml");
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
      noteMembers(JSON.parse(out));
    }
  });
});

test("no command of the catalogue was left out: each was run to an answer and to an error", () => {
  const left = [...ran]
    .filter(([name, how]) => how.size < 2 && !/^(?:contract-test|log(?:in|out))$/.test(name))
    .map(([name, how]) => `${name}: only ${[...how]}`);
  assert.deepEqual(left, []);
});

test("the schema knows no member that nothing prints", () => assert.deepEqual(unprinted(), []));
