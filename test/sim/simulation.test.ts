// Simulated worlds: several kernels on one ledger, by chance, and everything that must hold of them afterwards.

import assert from "node:assert/strict";
import { test } from "node:test";
import { manyWorlds } from "../../tools/sim/many.ts";
import { REAL } from "../../tools/sim/parts.ts";
import { randomWorld } from "../../tools/sim/random.ts";
import { runWorlds, worldsUntil } from "../../tools/sim/run.ts";
import { absent, MUST_HAPPEN, NO_WORLDS } from "../../tools/sim/tally.ts";
import { verdictOf } from "../../tools/sim/verdict.ts";
import { PLANTED, RETRIES } from "./planted.ts";
import { PLANTED_PEOPLE } from "./planted-people.ts";

const WORLDS = 600;
/** What so few worlds need not have in them. */
const RARE: readonly string[] = ["call: verdict-lost", "outcome: unknown, late"];

test(`${WORLDS} worlds hold, and everything that matters happened in them`, async () => {
  const { failed, tally } = await runWorlds({ from: 0, parts: REAL, worlds: WORLDS });
  assert.deepEqual(failed, undefined);
  assert.equal(tally.worlds, WORLDS);
  assert.deepEqual(
    absent(tally).filter((what) => !RARE.includes(what)),
    [],
  );
});

test("a seed gives the same history every time", async () => {
  const [one, other] = [await randomWorld(11, REAL), await randomWorld(11, REAL)];
  assert.ok(one.stage.ledger.lines.length > 20, "something happened");
  assert.deepEqual(one.steps, other.steps);
  assert.deepEqual(one.stage.ledger.head(), other.stage.ledger.head());
  assert.deepEqual(one.stage.provider.world().journal, other.stage.provider.world().journal);
});

test("worlds in several threads are the worlds of one", async () => {
  const [from, worlds] = [40, 130];
  let done = 0;
  const onWorlds = (more: number): void => {
    done += more;
  };
  const { failed, tally } = await manyWorlds({ from, onWorlds, threads: 2, worlds });
  const alone = await runWorlds({ from, parts: REAL, worlds });
  assert.deepEqual(failed, undefined);
  assert.equal(done, worlds);
  assert.deepEqual(new Map([...tally.events].toSorted()), new Map([...alone.tally.events].toSorted()));
});

test("a run in which nothing happened is invalid", () => {
  assert.deepEqual(absent(NO_WORLDS), MUST_HAPPEN);
  assert.equal(verdictOf({ failed: undefined, tally: NO_WORLDS }).kind, "INVALID");
});

/** Each bug is found in far fewer; a change of the worlds may cost some more. */
const WORLDS_MAX = 600;

/**
 * Where to begin with what is rare: an operator who makes a token and approves with it, an outcome that is late (a
 * pause, a recovery, another step), and whatever has to come between a claim and its call.
 */
const FROM: Readonly<Record<string, number>> = {
  "apply under another policy than the plan stands on": 280,
  "believe the place without looking": 260,
  "call after the lock was lost": 195,
  "call whatever approval is gone since the claim": 1_000,
  "call whatever token is gone since the claim": 4_600,
  "call whatever was configured since the claim": 1_000,
  "count an approval at the ledger's own files": 200,
  "count the approval of a token that the applier made": 430,
  "forget to block after unknown": 190,
  "keep what was counted on another clock": 250,
  "let a late outcome unblock": 1_480,
  "take a session that was signed out": 155,
};

for (const { bug, check, parts } of [...PLANTED, ...PLANTED_PEOPLE]) {
  test(`a kernel that would ${bug} is found out by ${check}`, async (context) => {
    const from = FROM[bug] ?? 0;
    const worlds = await worldsUntil(check, parts, WORLDS_MAX, from);
    assert.ok(worlds !== undefined, `${WORLDS_MAX} worlds from ${from} on did not show it`);
    context.diagnostic(`found in world ${worlds}`);
  });
}

test("a failing seed names itself, is cut short, and fails again in the same way", async () => {
  const { failed } = await runWorlds({ from: 0, parts: RETRIES.parts, worlds: WORLDS_MAX });
  assert.ok(failed !== undefined);
  assert.equal(failed.steps.length, failed.shortest);
  assert.match(verdictOf({ failed, tally: NO_WORLDS }).because, new RegExp(`make sim SEED=${failed.seed}`));
  const again = await runWorlds({ from: failed.seed, parts: RETRIES.parts, worlds: 1 });
  assert.deepEqual(again.failed, failed);
});
