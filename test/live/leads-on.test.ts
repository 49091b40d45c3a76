// What is printed leads on: every act names what follows it, a step that lacks approval names how to read it first, and
// what was denied sends nobody to an approval that would be refused.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { PROGRESS_START } from "../../src/cli/process/io.ts";
import { atTerminal } from "./at-terminal.ts";
import { atCluster, type Cluster, codesIn, type Explained, planned } from "./cluster.ts";

const commandsIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/^ *(?:next: )?(dedalus [a-z].*)$/gm), ([, line = ""]) => line);

type Asked = {
  readonly error?: { readonly refusals: readonly { readonly nextSteps?: readonly { readonly ask: string }[] }[] };
};

test("register leads to a plan, a freeze to its end, and an approval to the plan that it is for", () =>
  atCluster(async (cluster) => {
    const { dedalus } = cluster;
    assert.deepEqual(commandsIn((await dedalus("register")).out), ["dedalus plan --env home"]);
    const { id } = await planned(cluster, "vm.stop", 102);
    assert.deepEqual(commandsIn((await dedalus("approve", id, "--reason", "agreed")).out), [`dedalus plan show ${id}`]);
    assert.deepEqual(commandsIn((await dedalus("freeze", "--env", "home", "--reason", "work")).out), [
      'dedalus unfreeze --env home --reason "…"',
    ]);
    assert.deepEqual(commandsIn((await dedalus("freeze", "--reason", "work")).out), ['dedalus unfreeze --reason "…"']);
    assert.deepEqual(commandsIn((await dedalus("unfreeze", "--reason", "over")).out), []);
  }));

test("a step that lacks approval names its explanation before the approval; the explanation does not name itself", () =>
  atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const refused = await value<Asked>("stop", "102");
    assert.deepEqual(
      refused.error?.refusals[0]?.nextSteps?.map(({ ask }) => ask),
      ["explain", "requestApproval", "approve"],
    );
    const { id } = await planned(cluster, "vm.stop", 102);
    const toAgree = [`dedalus request-approval ${id} --step 1`, `dedalus approve ${id} --step 1 --reason "…"`];
    const { out } = await dedalus("plan", "show", id);
    assert.deepEqual(commandsIn(out), [`dedalus explain ${id} --step 1`, ...toAgree]);
    assert.deepEqual(commandsIn((await dedalus("explain", id, "--step", "1")).out), toAgree);
  }));

const denied = async (cluster: Cluster): Promise<string> => {
  const { id } = await planned(cluster, "vm.stop", 102);
  assert.equal((await cluster.dedalus("deny", id, "--reason", "month end")).code, 0);
  return id;
};

test("what was denied in a plan cannot be approved there, whatever was read; a new plan can, by whoever read it", () =>
  atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const first = await denied(cluster);
    assert.deepEqual(codesIn(await value("approve", first, "--reason", "after all")), ["step-denied"]);
    const { id } = await planned(cluster, "vm.stop", 102);
    assert.notEqual(id, first);
    assert.deepEqual(codesIn(await value("approve", id, "--reason", "after all")), ["denied-before"]);
    const { explanation } = await value<Explained>("explain", id, "--step", "1");
    const command = `dedalus approve ${id} --step 1 --reason "…" --explanation ${explanation.hash}`;
    assert.ok(commandsIn((await dedalus("status")).out).includes(command), "status names the hash too");
    const agreed = await dedalus("approve", id, "--reason", "after all", "--explanation", explanation.hash);
    assert.equal(agreed.code, 0, agreed.err);
  }));

test("an explanation tells when it was denied to the second, as a person writes it", () =>
  atCluster(async (cluster) => {
    await denied(cluster);
    const { id } = await planned(cluster, "vm.stop", 102);
    const { out } = await cluster.dedalus("explain", id, "--step", "1");
    assert.match(out, /last denied: .* \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/);
    assert.doesNotMatch(out, /\dT\d\d:\d\d/);
  }));

test("at 60 columns each plan is one line, and a command of status that fits is not folded", () =>
  atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.stop", 102);
    const { printed: plans } = await atTerminal(cluster.folder, ["plans"], [], { columns: 60 });
    const [heading, ...rows] = (plans.split(PROGRESS_START).at(-1) ?? "").trim().split(/\r?\n/);
    assert.match(heading ?? "", /^PLAN +STATUS +DOES$/);
    assert.ok(rows.length > 0 && rows.every((row) => /^[0-9A-Z]{26} /.test(row) && row.length <= 60), plans);
    const { printed } = await atTerminal(cluster.folder, ["status"], [], { columns: 60 });
    const line = printed.split(/\r?\n/).find((one) => one.includes("dedalus explain")) ?? "";
    assert.ok(line.endsWith(`dedalus explain ${id} --step 1`) && line.length <= 60, printed);
  }));

const HOUR_MS = 3_600_000;

test("history tells the times of a refusal from now, as ledger show does", async (t) => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.stop", 102);
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 2 * HOUR_MS });
    assert.deepEqual(codesIn(await cluster.value("approve", id, "--reason", "late")), ["step-expired"]);
    for (const words of [
      ["history", "102"],
      ["ledger", "show", "--kind", "approve"],
    ]) {
      const { out } = await cluster.dedalus(...words);
      assert.match(out, /refused step-expired: .*\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ \(\d+ (?:h|min) ago\)/);
      assert.doesNotMatch(out, /\dT\d\d:\d\d/);
    }
  });
});
