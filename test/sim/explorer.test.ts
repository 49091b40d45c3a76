// Every interleaving of two kernels that apply one step, with things that go wrong anywhere; proof that the walk finds
// what is planted, and that it sees as much as one that takes no two states for one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { entryOf, isGranted } from "../../tools/sim/checks/evidence.ts";
import { explore, type Scope } from "../../tools/sim/explore.ts";
import { REAL } from "../../tools/sim/parts.ts";
import { settled } from "../../tools/sim/scheduler.ts";
import { SHORT } from "../../tools/sim/scopes.ts";
import { trafficOf } from "../../tools/sim/traffic.ts";
import { nameOfWalk, verdictOfWalk } from "../../tools/sim/verdict.ts";
import type { Position } from "../../tools/sim/walk/position.ts";
import { IN_THE_SMALL } from "./planted.ts";

for (const scope of SHORT) {
  test(`every interleaving holds: ${nameOfWalk(scope)}`, async (context) => {
    const walked = await explore(scope, REAL);
    const { because, kind } = verdictOfWalk(walked);
    assert.equal(kind, "HELD", because);
    context.diagnostic(because);
  });
}

test("a walk of nothing is invalid", () => {
  const nothing = { atRest: 0, failure: undefined, ledgers: 0, states: 1, transitions: 0 };
  assert.equal(verdictOfWalk(nothing).kind, "INVALID");
});

const NOTHING: Scope = {
  configure: 0,
  contest: "twins",
  crash: 0,
  cut: 0,
  deny: 0,
  freeze: 0,
  hasty: 0,
  isProvable: false,
  lost: 0,
  past: 0,
  register: 0,
  replaced: 0,
  revoke: 0,
  together: 1,
};

for (const { bug, check, contest = "twins", needs, parts } of IN_THE_SMALL) {
  test(`the walk finds a kernel that would ${bug}`, async (context) => {
    const quiet = { ...NOTHING, contest };
    const scope: Scope = needs === "nothing" ? quiet : { ...quiet, [needs]: 1 };
    // One that plans takes more turns than a walk without merging can go through in a test.
    for (const isReducing of contest === "planner" ? [true] : [true, false]) {
      const isReplaying = contest !== "planner";
      const { failure, states, transitions } = await explore(scope, parts, { isReducing, isReplaying });
      assert.ok(failure !== undefined, `${states} states did not show it`);
      const found = failure.objections.map((objection) => objection.check);
      assert.ok(found.includes(check), found.join());
      context.diagnostic(`${states} states, ${transitions} transitions: ${failure.path.join(", ")}`);
    }
  });
}

/** What is left of a history when its names and times are taken away: what was granted, and what the place did. */
const endOf = ({ ledger, world }: Position): string => {
  const granted = ledger.ledger.records.map(entryOf).filter(isGranted);
  const told = granted.map(({ request, result }) => {
    const outcome = request.kind === "outcome" ? `${request.outcome}: ${request.cause} ${request.said}` : "";
    return `${request.kind} ${outcome} ${result.kind} ${result.kind === "ended" && result.late}`;
  });
  return JSON.stringify([
    told,
    world.world.journal.map((entry) => (entry.kind === "deed" ? entry.effect : entry.kind)),
  ]);
};

for (const wrong of ["cut", "freeze", "lost", "past"] as const) {
  test(`a walk that takes no two states for one comes to the same ends: ${wrong}`, async (context) => {
    const endsOf = async (isReducing: boolean): Promise<readonly string[]> => {
      const ends = new Set<string>();
      const onRest = (position: Position): void => void ends.add(endOf(position));
      const { failure, states } = await explore({ ...NOTHING, [wrong]: 1 }, REAL, { isReducing, onRest });
      assert.equal(failure, undefined);
      context.diagnostic(`${states} states, ${ends.size} ends`);
      return [...ends].toSorted();
    };
    const ends = await endsOf(true);
    assert.ok(ends.length > 1, "not everything ends in the same way");
    assert.deepEqual(ends, await endsOf(false));
  });
}

test("nothing leaves a process that is gone, and it hears nothing", async () => {
  const traffic = trafficOf("at-once");
  traffic.cut();
  const heard = traffic.answer("send", "sent").then(() => assert.fail("it heard something"));
  traffic.put({
    carries: () => ({ isHeard: true, text: "" }),
    go: () => undefined,
    way: "out",
    what: "append",
    wrong: {},
  });
  await Promise.race([heard, settled()]);
  assert.deepEqual(traffic.waiting(), []);
});
