// P7-A2 in scripts: what was read is recorded, answered once, by whoever read it, within five minutes; nothing else
// confirms.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Instant } from "../../src/spine/model.ts";
import { later } from "../../src/spine/values/instant.ts";
import { type AppliedValue, applyWords, atCluster, codesIn, type Explained, planned } from "./cluster.ts";

type Challenged = Explained & {
  readonly challenge: { readonly expiresAt: Instant; readonly hash: string; readonly id: string };
};

type Shown = Explained & { readonly asShown: { readonly id: string } };

test("a challenge gives the hash that confirms and its end, and the text is pasteable", async () => {
  await atCluster(async (cluster) => {
    const { dedalus, value } = cluster;
    const { id } = await planned(cluster, "vm.start", 101);
    const {
      challenge,
      explanation: { hash },
    } = await value<Challenged>("explain", id, "--step", "1", "--challenge");
    assert.equal(challenge.hash, hash);
    const shown = await value<{
      readonly records: readonly { readonly auditId: string; readonly processTime: Instant }[];
    }>(...["ledger", "show", "--kind", "challenge"]);
    const [record] = shown.records;
    assert.deepEqual(
      [record?.auditId, record && later(record.processTime, 5 * 60_000)],
      [challenge.id, challenge.expiresAt],
    );
    const again = await value<Shown>("explain", id, "--step", "1", "--as-shown");
    assert.deepEqual([again.asShown.id, again.explanation.hash], [challenge.id, hash]);
    const { out } = await dedalus("explain", id, "--step", "1", "--challenge");
    const [, words = ""] = /^ {2}dedalus (apply .*)$/m.exec(out) ?? [];
    assert.match(out, /challenge recorded, to be confirmed once; it expires in 5 min \(20/);
    assert.equal((await dedalus(...words.split(" "))).code, 0);
  });
});

test("a hash that was read without a challenge confirms nothing, and what to do is named", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const {
      explanation: { hash },
    } = await cluster.value<Explained>("explain", id, "--step", "1");
    const { code, err } = await cluster.dedalus("apply", id, "--step", "1", "--confirm", hash);
    assert.equal(code, 3);
    assert.match(err, new RegExp(`confirmation-missing[\\s\\S]*dedalus explain ${id} --step 1 --challenge$`, "m"));
    const { records } = await cluster.value<{ readonly records: readonly unknown[] }>(
      ...["ledger", "show", "--kind", "challenge"],
    );
    assert.deepEqual(records, [], "apply makes no challenge when it is given a confirmation");
    assert.deepEqual(cluster.mutations(), []);
  });
});

test("a challenge is answered once", async () => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const words = await applyWords(cluster, id);
    assert.equal((await cluster.value<AppliedValue>(...words)).applied?.[0]?.result.outcome, "succeeded");
    assert.deepEqual(codesIn(await cluster.value(...words)), ["step-consumed", "confirmation-missing"]);
    assert.equal(cluster.mutations().length, 1);
  });
});

test("a challenge of another person confirms nothing", async (t) => {
  await atCluster(async (cluster) => {
    const { id } = await planned(cluster, "vm.start", 101);
    const made = ["token", "create", "--name", "dan", "--role", "operator", "--days", "7"];
    const { token } = await cluster.value<{ readonly token: string }>(...made);
    const words = await applyWords(cluster, id);
    t.after(() => delete process.env["DEDALUS_TOKEN"]);
    process.env["DEDALUS_TOKEN"] = token;
    assert.deepEqual(codesIn(await cluster.value(...words)), ["confirmation-missing"]);
    delete process.env["DEDALUS_TOKEN"];
    assert.equal((await cluster.value<AppliedValue>(...words)).applied?.[0]?.result.outcome, "succeeded");
  });
});
