// Who must agree, on the command line: tokens name who acts, an agent waits for people, nobody counts twice.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type AppliedValue, applied, atCluster, type Cluster, codesIn, type PlanValue, planned } from "./cluster.ts";

type As = <T>(token: string, work: () => Promise<T>) => Promise<T>;

/** Whoever acts is named by DEDALUS_TOKEN, as in a shell. */
const actingFor =
  (t: TestContext): As =>
  async (token, work) => {
    t.after(() => delete process.env["DEDALUS_TOKEN"]);
    process.env["DEDALUS_TOKEN"] = token;
    try {
      return await work();
    } finally {
      delete process.env["DEDALUS_TOKEN"];
    }
  };

const tokenFor = async ({ value }: Cluster, name: string, role: string): Promise<string> =>
  (await value<{ readonly token: string }>("token", "create", "--name", name, "--role", role, "--days", "7")).token;

test("P7-A2 an agent's request waits until a person approves, and is then applied without a confirmation", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const { dedalus, mutations, value } = cluster;
    const [robo, bob] = [await tokenFor(cluster, "robo", "agent"), await tokenFor(cluster, "bob", "approver")];
    const { id } = await as(robo, () => planned(cluster, "vm.start", 101));
    const asked = await as(robo, () => dedalus("request-approval", id, "--step", "1"));
    assert.equal(asked.code, 0, asked.err);
    const early = await as(robo, () => value<AppliedValue>("apply", id, "--step", "1"));
    assert.deepEqual(codesIn(early), ["approval-missing"]);
    const own = await as(robo, () => dedalus("approve", id, "--reason", "I am sure"));
    assert.equal(own.code, 3);
    assert.deepEqual(mutations(), []);
    assert.match((await dedalus("plan", "show", id)).out, /approvals 0 of|awaiting/);
    const approved = await as(bob, () => dedalus("approve", id, "--reason", "agreed"));
    assert.match(approved.out, /approved by bob: step 1/);
    const done = await as(robo, () => value<AppliedValue>("apply", id, "--step", "1"));
    assert.equal(done.applied?.[0]?.result.outcome, "succeeded", JSON.stringify(done));
    assert.equal(mutations().length, 1);
    const shown = await value<{ readonly records: readonly { readonly actor: { readonly id: string } }[] }>(
      ...["ledger", "show", "--kind", "apply"],
    );
    assert.equal(shown.records.at(-1)?.actor.id, "robo");
  });
});

test("whoever approves what needs no approval is told so, and has approved all the same", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const [robo, bob] = [await tokenFor(cluster, "robo", "agent"), await tokenFor(cluster, "bob", "approver")];
    const own = await planned(cluster, "vm.start", 101);
    const approves = (id: string) => as(bob, () => dedalus("approve", id, "--reason", "agreed"));
    const told = await approves(own.id);
    assert.deepEqual([told.code, told.err], [0, ""]);
    assert.match(
      told.out,
      /approved by bob: step 1 .*\nthe step needs no approval: it can be applied without one\nit expires/,
    );
    assert.match((await dedalus("request-approval", own.id)).out, /the step needs no approval/);
    const decided = await as(bob, () => value<{ readonly needed: number }>("approve", own.id, "--reason", "agreed"));
    assert.equal(decided.needed, 0);
    const kinds = await value<{ readonly records: readonly object[] }>("ledger", "show", "--kind", "approve");
    assert.equal(kinds.records.length, 2, "each is recorded");
    const { id } = await as(robo, () => planned(cluster, "vm.start", 101));
    const needed = await approves(id);
    assert.match(needed.out, /approved by bob/);
    assert.doesNotMatch(needed.out, /needs no approval/);
  });
});

test("an agent's high step waits for two people, and one of them twice is one", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const { dedalus, mutations, value } = cluster;
    const [robo, bob, carol] = [
      await tokenFor(cluster, "robo", "agent"),
      await tokenFor(cluster, "bob", "approver"),
      await tokenFor(cluster, "carol", "approver"),
    ];
    const { id } = await as(robo, () => planned(cluster, "vm.stop", 102));
    await as(bob, () => dedalus("approve", id, "--reason", "agreed"));
    await as(bob, () => dedalus("approve", id, "--reason", "agreed again"));
    assert.deepEqual(codesIn(await as(robo, () => value("apply", id, "--step", "1"))), ["approval-missing"]);
    assert.deepEqual(mutations(), []);
    await as(carol, () => dedalus("approve", id, "--reason", "agreed"));
    const done = await as(robo, () => value<AppliedValue>("apply", id, "--step", "1"));
    assert.equal(done.applied?.[0]?.result.outcome, "succeeded", JSON.stringify(done));
    assert.equal(mutations().length, 1);
  });
});

test("an agent deletes nothing, whoever agrees", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const robo = await tokenFor(cluster, "robo", "agent");
    const { id } = await as(robo, () => planned(cluster, "vm.delete", 101));
    const approved = await cluster.dedalus("approve", id, "--reason", "agreed");
    assert.match(approved.out, /^approved by alice/);
    assert.doesNotMatch(approved.out, /needs no approval/);
    const refused = await as(robo, () => cluster.value<AppliedValue>("apply", id, "--step", "1"));
    assert.ok(codesIn(refused).includes("agent-irreversible"));
    assert.deepEqual(cluster.mutations(), []);
  });
});

type Unread = {
  readonly error: {
    readonly refusals: readonly {
      readonly code: string;
      readonly facts: {
        readonly at: string;
        readonly by: string;
        readonly explanation: string;
        readonly reason: string;
      };
      readonly nextSteps: unknown;
    }[];
  };
};

test("a person's high step waits for an approval, a denial ends it, and a revoked approval no longer counts", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const bob = await tokenFor(cluster, "bob", "approver");
    const denied = await planned(cluster, "vm.stop", 102);
    await as(bob, () => cluster.dedalus("deny", denied.id, "--reason", "not today"));
    assert.ok(codesIn(await applied(cluster, denied.id)).includes("step-denied"));
    const { id } = await planned(cluster, "vm.stop", 102);
    assert.deepEqual(codesIn(await applied(cluster, id)), ["approval-missing"]);
    const approve = ["approve", id, "--reason", "agreed"];
    assert.equal((await as(bob, () => cluster.dedalus(...approve))).code, 2);
    const unread = await as(bob, () => cluster.value<Unread>(...approve));
    const [{ code, facts, nextSteps } = assert.fail()] = unread.error.refusals;
    assert.deepEqual([code, facts.by, facts.reason], ["denied-before", "bob", "not today"]);
    assert.match(facts.at, /^20\d\d-/);
    assert.deepEqual(nextSteps, [
      { ask: "explain", with: { plan: id, step: 1 } },
      { ask: "approve", with: { explanation: facts.explanation, plan: id, step: 1 } },
    ]);
    // Whoever may not decide hears that, and not to read first.
    const robo = await tokenFor(cluster, "robo", "agent");
    assert.deepEqual(codesIn(await as(robo, () => cluster.value(...approve))), ["agent-decides"]);
    const { explanation: read } = await cluster.value<{
      readonly explanation: {
        readonly denied?: { readonly by: string; readonly reason: string };
        readonly hash: string;
      };
    }>("explain", id);
    assert.deepEqual([read.denied?.by, read.denied?.reason], ["bob", "not today"]);
    const shown = (await cluster.dedalus("explain", id)).out;
    assert.ok(shown.includes(`explanation ${read.hash}\n`), "what is to be named is shown whole");
    const agreed = ["approve", id, "--explanation", read.hash, "--reason"];
    assert.equal((await as(bob, () => cluster.dedalus(...agreed, "agreed"))).code, 0);
    await as(bob, () => cluster.dedalus("revoke", id, "--reason", "circumstances changed"));
    assert.deepEqual(codesIn(await applied(cluster, id)), ["approval-missing"]);
    assert.deepEqual(cluster.mutations(), []);
    await as(bob, () => cluster.dedalus(...agreed, "agreed after all"));
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded");
  });
});

/** The commands that a text names. */
const commandsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^ *(dedalus [a-z].*)$/gm), ([, line = ""]) => line);

test("after a denial the printed commands lead on: the same action again, and an approval that can be pasted", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const { dedalus } = cluster;
    const bob = await tokenFor(cluster, "bob", "approver");
    const first = await dedalus("stop", "102");
    assert.match(first.err, /approval-missing/);
    const [explain = assert.fail(), request, approve] = commandsIn(first.err);
    const plan = explain.split(" ")[2] ?? "";
    assert.equal(explain, `dedalus explain ${plan} --step 1`);
    assert.equal(request, `dedalus request-approval ${plan} --step 1`);
    assert.equal(approve, `dedalus approve ${plan} --step 1 --reason "…"`);
    await as(bob, () => dedalus("deny", plan, "--reason", "not today"));
    const denied = await dedalus("apply", plan);
    assert.deepEqual(commandsIn(denied.err), ["dedalus stop 102 --env home"], denied.err);
    assert.doesNotMatch(denied.err, /approval-missing/, "no approval helps a step that was denied");
    assert.deepEqual(commandsIn((await dedalus("plan", "show", plan)).out), ["dedalus stop 102 --env home"]);
    const again = await dedalus("stop", "102");
    const [, , pasted = assert.fail()] = commandsIn(again.err);
    assert.match(pasted, /^dedalus approve \S+ --step 1 --reason "…" --explanation [0-9a-f]{64}$/);
    const words = pasted.replace('"…"', "agreed").split(" ").slice(1);
    const given = await as(bob, () => dedalus(...words));
    assert.equal(given.code, 0, given.err);
  });
});

test("of two who approved, the second takes back their own approval, and who gave none takes back nobody's", async (t) => {
  const as = actingFor(t);
  await atCluster(async (cluster) => {
    const [bob, carol, dan] = [
      await tokenFor(cluster, "bob", "approver"),
      await tokenFor(cluster, "carol", "approver"),
      await tokenFor(cluster, "dan", "approver"),
    ];
    const { id } = await planned(cluster, "vm.stop", 102);
    for (const one of [bob, carol]) {
      assert.equal((await as(one, () => cluster.dedalus("approve", id, "--reason", "agreed"))).code, 0);
    }
    const revoking = (by: string) => as(by, () => cluster.dedalus("revoke", id, "--reason", "on second thought"));
    const none = await revoking(dan);
    assert.equal(none.code, 2);
    assert.match(none.err, /approval-unknown/);
    const own = await revoking(carol);
    assert.deepEqual([own.code, /revoked by carol/.test(own.out)], [0, true], own.err);
    assert.match((await revoking(carol)).err, /approval-unknown/);
    assert.equal((await applied(cluster, id)).applied?.[0]?.result.outcome, "succeeded", "bob's approval stands");
  });
});

test("what cannot be undone needs the VM's name, typed", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.delete", 101);
    await cluster.dedalus("approve", id, "--reason", "it is empty");
    assert.deepEqual(codesIn(await applied(cluster, id)), ["name-not-typed"]);
    assert.deepEqual(codesIn(await applied(cluster, id, "--name", "web-1")), ["name-not-typed"]);
    assert.deepEqual(cluster.mutations(), []);
    assert.equal((await applied(cluster, id, "--name", "web-01")).applied?.[0]?.result.outcome, "succeeded");
    assert.equal(cluster.simulator.world().guests.has(101), false);
  });
});

test("a four-eyes environment is planned here, and approved and applied through a service alone", async (t) => {
  const as = actingFor(t);
  await atCluster(
    async (cluster) => {
      const bob = await tokenFor(cluster, "bob", "approver");
      const { id } = await cluster.value<PlanValue>("plan", "--env", "home");
      const approved = await as(bob, () => cluster.value("approve", id, "--reason", "agreed"));
      assert.ok(codesIn(approved).includes("service-needed"), JSON.stringify(approved));
      assert.deepEqual(codesIn(await applied(cluster, id)), ["service-needed"]);
      assert.deepEqual(cluster.mutations(), []);
    },
    { approval: "four-eyes" },
  );
});
