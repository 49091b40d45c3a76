// The walk over a plan at a real terminal: one line and one question for each step, what each key does, what cannot be
// applied told before the first question, and what Ctrl-C does before a call and after it.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROGRESS_START } from "../../src/cli/process/io.ts";
import { atTerminal } from "./at-terminal.ts";
import {
  atCluster,
  type Cluster,
  type ClusterOptions,
  codesIn,
  type PlanValue,
  planned,
  type StatusValue,
} from "./cluster.ts";
import { FIRST, SECOND, SHUTDOWN, START, TWO_STEPS, walking } from "./two-steps.ts";

const kindsOf = async (cluster: Cluster): Promise<readonly string[]> => {
  const { out } = await cluster.dedalus("ledger", "show", "--json");
  return Array.from(out.matchAll(/"kind":"(challenge|apply)","prev/g), ([, kind = ""]) => kind);
};

test("each step is one line and one question that names the VM, and its outcome is shown before the next", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "y\n" },
        { says: SECOND, types: "Y\n" },
      ],
    );
    assert.equal(code, 0, printed);
    const order = [
      "1/2  + start web-01: stopped → running  [low]",
      "+ step 1: VM 101 start succeeded",
      "2/2  - shut down batch-01: running → stopped  [medium]",
      "- step 2: VM 102 shutdown succeeded",
    ].map((text) => printed.indexOf(text));
    assert.ok(!order.includes(-1), printed);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    assert.equal(printed.match(/start succeeded/g)?.length, 1, "it is not told twice");
    assert.deepEqual(cluster.mutations(), [START, SHUTDOWN]);
  });
});

test("P7-E1 every step has a challenge and a confirmation of its own", async () => {
  await walking(async (cluster, plan) => {
    await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "y\n" },
        { says: SECOND, types: "y\n" },
      ],
    );
    assert.deepEqual(await kindsOf(cluster), ["challenge", "apply", "challenge", "apply"]);
  });
});

test("what cannot be applied is told before the first question, and is not asked about", async () => {
  const wanted = TWO_STEPS.replace("stop: shutdown", "stop: power-off");
  await walking(
    async (cluster, plan) => {
      const shown = await cluster.dedalus("plan", "show", plan);
      assert.match(shown.out, /step 2 cannot be applied now: .+ \(P7-A2, approval-missing\)/);
      const { code, printed } = await atTerminal(cluster.folder, ["apply", plan], [{ says: FIRST, types: "y\n" }]);
      assert.equal(code, 5, printed);
      const [told, asked] = [printed.indexOf("approval-missing"), printed.indexOf("Start web-01")];
      assert.ok(told >= 0 && told < asked, printed);
      assert.deepEqual(cluster.mutations(), [START]);
    },
    { wanted },
  );
});

test("a plan of which nothing can be applied asks nothing", async () => {
  await walking(async (cluster, plan) => {
    await cluster.dedalus("freeze", "--env", "home", "--reason", "incident");
    const { code, printed } = await atTerminal(cluster.folder, ["apply", plan], []);
    assert.equal(code, 3, printed);
    assert.match(printed, /frozen/);
    assert.doesNotMatch(printed, /\[y\/N/);
    const again = await cluster.value<PlanValue & { readonly steps: readonly { readonly objections: unknown }[] }>(
      "plan",
      "--env",
      "home",
    );
    assert.match(JSON.stringify(again.steps[0]?.objections), /"code":"frozen"/);
  });
});

test("where nothing can be undone the name is typed besides", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.delete", 101);
    await cluster.dedalus("approve", id, "--step", "1", "--reason", "agreed");
    const wrong = await atTerminal(
      cluster.folder,
      ["apply", id],
      [
        { says: /Delete web-01 \(VM 101\)\? \[y/, types: "y\n" },
        { says: /Type the VM's name to confirm: /, types: "web-02\n" },
      ],
    );
    assert.equal(wrong.code, 3, wrong.printed);
    const right = await atTerminal(
      cluster.folder,
      ["apply", id],
      [
        { says: /Delete web-01 \(VM 101\)\? \[y/, types: "y\n" },
        { says: /Type the VM's name to confirm: /, types: "web-01\n" },
      ],
    );
    assert.equal(right.code, 0, right.printed);
  });
});

test("Ctrl-C at the question ends as not executed, with 130", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(cluster.folder, ["apply", plan], [{ says: FIRST, types: "\x03" }]);
    assert.equal(code, 130, printed);
    assert.match(printed, new RegExp(`interrupted after 0 of 2 steps; to continue:\\s+dedalus apply ${plan}`));
    assert.deepEqual(cluster.mutations(), []);
    assert.deepEqual((await cluster.value<StatusValue>("status")).open, []);
  });
});

/** A task that goes on until the test has done with it. */
const SLOW: ClusterOptions = { clock: { kind: "driven", requestMs: 50 } };

test("Ctrl-C after the call waits for the outcome, and ends before the next question with 5", async () => {
  await walking(
    async (cluster, plan) => {
      const { code, printed } = await atTerminal(
        cluster.folder,
        ["apply", plan],
        [
          { says: FIRST, types: "y\n" },
          { says: /VM 101: waiting for the provider/, types: "\x03" },
        ],
      );
      assert.equal(code, 5, printed);
      assert.match(printed, /step 1 \(VM 101\) is under way[\s\S]*dedalus reconcile --env home --vm 101/);
      assert.match(printed, /step 1: VM 101 start succeeded/);
      assert.match(printed, new RegExp(`interrupted after 1 of 2 steps; to continue:\\s+dedalus apply ${plan}`));
      assert.deepEqual(cluster.mutations(), [START]);
    },
    { clock: { kind: "driven", requestMs: 500 } },
  );
});

test("a second Ctrl-C leaves the step to reconcile, says how, and exits with 5", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "y\n" },
        { says: /VM 101: waiting for the provider/, types: "\x03" },
        { says: /is under way/, types: "\x03" },
      ],
    );
    assert.equal(code, 5, printed);
    assert.match(printed, /left step 1 \(VM 101\) under way[\s\S]*dedalus reconcile --env home --vm 101/);
    assert.ok(/^left step 1/m.test(printed) || printed.includes(`${PROGRESS_START}left step 1`), printed);
    assert.doesNotMatch(printed, /start succeeded/);
  }, SLOW);
});

test("apply without a plan takes the caller's latest open one, and says which", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply"],
      [
        { says: FIRST, types: "y\n" },
        { says: SECOND, types: "y\n" },
      ],
    );
    assert.equal(code, 0, printed);
    assert.ok(printed.includes(`plan ${plan} of home`), printed);
    const none = await cluster.dedalus("apply");
    assert.equal(none.code, 2, "every step was tried");
  });
});

test("apply takes a plan.json that was recorded, and refuses one that is another or was not", async () => {
  await walking(async (cluster) => {
    await cluster.dedalus("plan", "--env", "home", "--out", "plan.json");
    const file = join(cluster.folder, "plan.json");
    const text = readFileSync(file, "utf8");
    const { plan } = JSON.parse(text);
    writeFileSync(file, text.replace(`"hash": "${plan.hash}"`, `"hash": "${"0".repeat(64)}"`));
    assert.deepEqual(codesIn(await cluster.value("apply", "plan.json")), ["plan-altered"]);
    writeFileSync(file, text.replace(/ {2}"id": "[0-9A-Z]{26}",\n/, ""));
    assert.equal((await cluster.dedalus("apply", "plan.json")).code, 2);
    writeFileSync(file, text);
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", "plan.json"],
      [
        { says: FIRST, types: "y\n" },
        { says: SECOND, types: "y\n" },
      ],
    );
    assert.equal(code, 0, printed);
  });
});

test("Ctrl-C between the yes and the claim executes nothing, with 130", async () => {
  const stop = new AbortController();
  const ask = async (): Promise<string> => {
    setImmediate(() => stop.abort());
    return "y";
  };
  await walking(
    async (cluster, plan) => {
      const { code, err } = await cluster.dedalus("apply", plan);
      assert.equal(code, 130, err);
      assert.deepEqual(cluster.mutations(), []);
      assert.deepEqual(await kindsOf(cluster), ["challenge"], "nothing was claimed");
    },
    { io: { ask, interrupted: () => stop.signal } },
  );
});

test("whoever leaves a walk is told how far it came and how it goes on, and is not reproached", async () => {
  await walking(async (cluster, plan) => {
    const { code, printed } = await atTerminal(
      cluster.folder,
      ["apply", plan],
      [
        { says: FIRST, types: "y\n" },
        { says: SECOND, types: "q\n" },
      ],
    );
    assert.equal(code, 5, printed);
    assert.match(printed, new RegExp(`stopped after 1 of 2 steps; to continue:\\s+dedalus apply ${plan}`));
    assert.doesNotMatch(printed, /steps tried/, "how far it came is said once");
    assert.doesNotMatch(printed, /confirmation-missing/);
    const again = await atTerminal(cluster.folder, ["apply", plan], [{ says: SECOND, types: "\n" }]);
    assert.equal(again.code, 3, again.printed);
    assert.match(again.printed, /stopped after 1 of 2 steps/, "what was tried before counts");
    assert.deepEqual(cluster.mutations(), [START]);
  });
});

test("a program hears what was not confirmed; where nobody can be asked that is an error", async () => {
  await walking(
    async ({ dedalus }, plan) => {
      const { code, out } = await dedalus("apply", plan, "--json");
      const [refusal] = JSON.parse(out).error.refusals;
      assert.deepEqual([code, refusal.code, refusal.cause], [3, "confirmation-missing", "declined"]);
    },
    { answer: () => "q" },
  );
  await walking(async ({ dedalus }, plan) => {
    const { code, err } = await dedalus("apply", plan);
    assert.equal(code, 3);
    assert.match(err, /confirmation-missing/);
    assert.doesNotMatch(err, /to continue/);
  });
});

const PRODUCTION = `${TWO_STEPS}  - { vmid: 103, name: prod-db, target: stopped, stop: shutdown }\n`;

test("a refused plan is told once, and then only the VMs that cause it", async () => {
  await atCluster(
    async ({ dedalus, value }) => {
      const times = (text: string, code: string): number => text.split(`, ${code})`).length - 1;
      const { code, out } = await dedalus("plan");
      assert.equal(code, 3);
      assert.deepEqual([times(out, "plan-refused"), times(out, "production-touched")], [0, 1], out);
      const { id } = await value<PlanValue>("plan");
      const shown = await dedalus("plan", "show", id);
      assert.deepEqual([times(shown.out, "plan-refused"), times(shown.out, "production-touched")], [0, 1], shown.out);
      const walk = await dedalus("apply", id);
      assert.equal(walk.code, 3);
      assert.deepEqual([times(walk.err, "plan-refused"), times(walk.err, "production-touched")], [1, 1], walk.err);
      assert.deepEqual(codesIn(await value("apply", id)), ["plan-refused", "production-touched"]);
    },
    { wanted: PRODUCTION },
  );
});
