// plan and audit as an operator meets them: exit codes, one JSON value, byte-identical artifacts, no side effects.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atDesk, current, DESIRED, vm } from "./desk.ts";

const PLAN = ["plan", "--desired", "desired.yaml", "--replay", "current.json"] as const;
const AUDIT = ["audit", "--desired", "desired.yaml", "--replay", "current.json"] as const;
const SETTLED = [vm(101, "web-01", "running"), vm(102, "web-02", "running")];
const DRIFTED = [vm(101, "web-01", "stopped"), vm(102, "web-02", "running")];

const codeFor = (desired: string, vms: readonly object[], ...more: readonly string[]): Promise<number> =>
  atDesk(
    { "current.json": current(vms), "desired.yaml": desired },
    async (dedalus) => (await dedalus(...PLAN, ...more)).code,
  );

test("a plan with nothing to do exits with 0", async () => assert.equal(await codeFor(DESIRED, SETTLED), 0));
test("a plan with steps exits with 4", async () => assert.equal(await codeFor(DESIRED, DRIFTED), 4));
test("a refused plan exits with 3, whatever steps it has", async () => {
  assert.equal(await codeFor(DESIRED, [vm(101, "web-01", "stopped"), vm(102, "web-02", "unknown")]), 3);
});
test("a plan that has only refusals of single VMs exits with 3", async () => {
  assert.equal(await codeFor(DESIRED, [vm(101, "web-01", "running")]), 3);
});
test("one refused VM does not hide the steps of the others", async () => {
  assert.equal(await codeFor(DESIRED, [vm(101, "web-01", "stopped")]), 4);
});
test("a narrowed scope is clear where the whole was refused", async () => {
  assert.equal(
    await codeFor(DESIRED, [vm(101, "web-01", "stopped"), vm(102, "web-02", "unknown")], "--only", "101"),
    4,
  );
});

test("--json prints exactly one JSON value, and the text is a view of it", async () => {
  await atDesk({ "current.json": current(DRIFTED), "desired.yaml": DESIRED }, async (dedalus) => {
    const { err, out } = await dedalus(...PLAN, "--json");
    const value = JSON.parse(out);
    assert.equal(err, "");
    assert.equal(out.trimEnd().split("\n").length, 1);
    assert.equal(value.plan.answers.length, 2);
    const text = (await dedalus(...PLAN)).out;
    assert.ok(text.includes(`hash ${value.plan.hash.slice(0, 12)}\n`));
    assert.ok(text.includes("1 step, 0 refusals, 1 in sync"));
  });
});

test("the same current.json gives a byte-identical plan.json, also after shuffling", async () => {
  await atDesk({ "current.json": current(DRIFTED), "desired.yaml": DESIRED }, async (dedalus, folder) => {
    await dedalus(...PLAN, "--out", "first.json");
    await dedalus(...PLAN, "--out", "second.json");
    writeFileSync(join(folder, "current.json"), current(DRIFTED.toReversed()));
    await dedalus(...PLAN, "--out", "shuffled.json");
    const first = readFileSync(join(folder, "first.json"), "utf8");
    assert.equal(readFileSync(join(folder, "second.json"), "utf8"), first);
    assert.equal(readFileSync(join(folder, "shuffled.json"), "utf8"), first);
  });
});

test("a bare list proves absence only with --complete", async () => {
  const list = JSON.stringify([vm(101, "web-01", "running")]);
  await atDesk({ "current.json": list, "desired.yaml": DESIRED }, async (dedalus) => {
    const partial = JSON.parse((await dedalus(...PLAN, "--json")).out);
    assert.deepEqual(
      partial.verdict.refusals.map(({ code }: { code: string }) => code),
      ["observation-incomplete", "truth-incomplete"],
    );
    const whole = JSON.parse((await dedalus(...PLAN, "--json", "--complete")).out);
    assert.deepEqual(
      whole.plan.answers.map(({ code }: { code?: string }) => code),
      [undefined, "vm-missing"],
    );
  });
});

test("--complete is for bare lists: a current.json speaks for itself", async () => {
  const partial = current(SETTLED, { complete: false });
  await atDesk({ "current.json": partial, "desired.yaml": DESIRED }, async (dedalus) => {
    assert.equal((await dedalus(...PLAN, "--complete")).code, 2);
    assert.equal((await dedalus(...PLAN)).code, 3);
  });
});

test("plan and audit write nothing that was not asked for", async () => {
  await atDesk({ "current.json": current(DRIFTED), "desired.yaml": DESIRED }, async (dedalus, folder) => {
    await dedalus(...PLAN);
    await dedalus(...AUDIT);
    assert.deepEqual(readdirSync(folder).sort(), ["current.json", "desired.yaml"]);
    await dedalus(...PLAN, "--out", "plan.json");
    assert.deepEqual(readdirSync(folder).sort(), ["current.json", "desired.yaml", "plan.json"]);
  });
});

test("--out replaces an earlier plan and nothing else", async () => {
  await atDesk({ "current.json": current(DRIFTED), "desired.yaml": DESIRED }, async (dedalus, folder) => {
    const over = await dedalus(...PLAN, "--out", "desired.yaml");
    assert.equal(over.code, 2);
    assert.match(over.err, /file-exists/);
    assert.equal(readFileSync(join(folder, "desired.yaml"), "utf8"), DESIRED);
    assert.equal((await dedalus(...PLAN, "--out", "plan.json")).code, 4);
    assert.equal((await dedalus(...PLAN, "--out", "plan.json")).code, 4);
  });
});

test("an audit explains every desired VM and counts the others", async () => {
  const vms = [...DRIFTED, vm(900, "other", "running")];
  await atDesk({ "current.json": current(vms), "desired.yaml": DESIRED }, async (dedalus) => {
    const { code, out } = await dedalus(...AUDIT, "--json");
    const account = JSON.parse(out);
    assert.equal(code, 4);
    assert.deepEqual(
      account.explanations.map(({ explanation }: { explanation: { vmid: number } }) => explanation.vmid),
      [101, 102],
    );
    assert.equal(account.observedAndNotDesired, 1);
    assert.ok(!out.includes('"other"'));
  });
});
