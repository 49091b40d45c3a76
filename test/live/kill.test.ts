// An apply in a process of its own: killed, it leaves a stated unknown; watched, it is not disturbed.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applyKills } from "../../tools/soak/apply-kill.ts";
import {
  type AppliedValue,
  applied,
  atCluster,
  type Cluster,
  codesIn,
  type Explained,
  planned,
  type StatusValue,
  THREE_NODES,
} from "./cluster.ts";
import { type Running, started } from "./process.ts";

const KILLS = 25;
const SEED = 20_261_116;

test(`an apply killed ${KILLS} times is never sent again, and what it left is said`, async () => {
  const { flaws, killed, left, rounds } = await applyKills(KILLS, SEED);
  assert.deepEqual({ flaws, rounds }, { flaws: [], rounds: KILLS });
  assert.ok(killed > KILLS / 2, `INVALID: only ${killed} were killed`);
  assert.ok(left.open > 0 && left.nothing > 0, `INVALID: ${JSON.stringify(left)}`);
});

/** An apply whose task goes on until the test lets time pass; the place has taken the call when this resolves. */
const inFlight = async (
  work: (cluster: Cluster, apply: Running, plan: string, pass: (ms: number) => void) => Promise<void>,
): Promise<void> => {
  let nowMs = Date.now();
  let asked: () => void = () => undefined;
  const isAskedFor = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await atCluster(
    async (cluster) => {
      const { id } = await planned(cluster, "vm.start", 101);
      const {
        explanation: { hash },
      } = await cluster.value<Explained>("explain", id, "--step", "1", "--challenge");
      const apply = started(cluster.folder, ["apply", id, "--step", "1", "--confirm", hash]);
      try {
        await Promise.race([isAskedFor, apply.gone.then(({ err }) => assert.fail(err))]);
        await work(cluster, apply, id, (ms) => {
          nowMs += ms;
        });
      } finally {
        apply.kill();
        await apply.gone;
      }
    },
    {
      clock: { kind: "follows", nowMs: () => nowMs },
      onRequest: ({ path }) => {
        if (/\/tasks\/UPID[^/]*\/status$/.test(path)) asked();
      },
      scenario: THREE_NODES,
    },
  );
};

const ownerLocks = ({ folder }: Cluster): readonly string[] =>
  readdirSync(join(folder, "ledger")).filter((name) => name.includes("-owner-"));

test("P7-F2 a second terminal that looks, and one that writes, leave a running apply alone", async () => {
  await inFlight(async (cluster, apply, _, pass) => {
    const { dedalus, value } = cluster;
    const before = await value<StatusValue>("status");
    assert.deepEqual(
      before.open.map(({ vmid }) => vmid),
      [101],
    );
    assert.match((await dedalus("status")).out, /\+ open {2,}VM 101 {2}start web-01, settles in /);
    assert.equal((await value<StatusValue>("status")).size, before.size, "looking writes nothing");
    assert.equal((await dedalus("observe", "--env", "home")).code, 0);
    const other = await planned(cluster, "vm.start", 101);
    assert.equal(other.plan.answers[0]?.kind, "refusal", "the place is at work on it");
    assert.equal((await value<StatusValue>("status")).open.length, 1, "its owner lives, so nobody ends it");
    assert.equal(ownerLocks(cluster).length, 1);
    pass(60_000);
    const { code, err, out } = await apply.gone;
    assert.equal(code, 0, err);
    assert.match(out, /^\+ step 1: VM 101 start succeeded/m);
    assert.equal(cluster.mutations().length, 1);
    assert.match((await dedalus("replay")).out, /every decision comes out the same/);
  });
});

test("P7-F2 an apply killed after its call is open until a command writes, unknown from then on, and not repeated", async () => {
  await inFlight(async (cluster, apply, plan, pass) => {
    const { dedalus, mutations, value } = cluster;
    apply.kill();
    assert.equal((await apply.gone).code, null);
    assert.match((await dedalus("status")).out, /\+ open {2,}VM 101 {2}start[\s\S]*1 open, 0 blocked/);
    assert.equal(ownerLocks(cluster).length, 1, "what proves its end stays until its intent is ended");
    pass(60_000);
    const early = await value<AppliedValue>("reconcile", "--env", "home", "--vm", "101");
    assert.deepEqual(codesIn(early), ["reconcile-early"]);
    const { recovered } = early as AppliedValue & { readonly recovered?: readonly { readonly vmid: number }[] };
    assert.deepEqual(
      recovered?.map(({ vmid }) => vmid),
      [101],
      "who finds it says so",
    );
    assert.deepEqual(ownerLocks(cluster), [], "and has no more use for the proof");
    const status = await dedalus("status");
    assert.match(
      status.out,
      /\? blocked {2}VM 101 {2}start web-01: outcome unknown: .+; can be reconciled in .+\n +dedalus reconcile --env home --vm 101\n/,
    );
    assert.match(status.out, /0 open, 1 blocked/);
    assert.ok(codesIn(await applied(cluster, plan)).includes("step-consumed"));
    assert.equal(mutations().length, 1);
    assert.equal((await dedalus("ledger", "verify")).code, 0);
    assert.match((await dedalus("replay")).out, /every decision comes out the same/);
  });
});
