// P7-A2, P7-A3: how often a policy allows something, and of whom; each with the nearest thing that it allows.
//
// A story begins on 2026-11-15 at 10:00.

import assert from "node:assert/strict";
import { test } from "node:test";
import { KERNEL_ACTOR } from "../../src/kernel/command-desk.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import type { PolicyLine } from "../../src/spine/plan/policy.ts";
import { cannot } from "../cannot.ts";
import {
  apply,
  approve,
  BOB,
  codesOf,
  DAN,
  ENDS,
  freshToken,
  lastId,
  planned,
  ROBO,
  refusalsOf,
  type Story,
} from "../kernel/story.ts";
import { AT_AGENT_DOOR, AT_SERVICE, OTHER_AGENT, refusedPlan, toldUnder } from "../kernel/under-policy.ts";
import { coded, state as vmState, wantRunning, wantStopped } from "../spine/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Plans, has it approved and applies, and lets it end; whoever asks for it. */
const once = (one: Story, by: Actor = ROBO, end: keyof typeof ENDS = "succeeded"): readonly Refusal[] => {
  const isAgent = by.kind === "agent";
  const refused = refusedPlan(one, by);
  if (refused.length > 0) return refused;
  const { of } = planned(one, { by, ...(isAgent ? AT_AGENT_DOOR : AT_SERVICE) });
  if (isAgent) approve(one, of, BOB, AT_SERVICE);
  const result = isAgent ? one.ask({ kind: "apply", of }, { by, ...AT_AGENT_DOOR }) : apply(one, of, by, AT_SERVICE);
  if (result.kind !== "intended") return refusalsOf(result);
  one.ask({ ...ENDS[end], intent: lastId(one), kind: "outcome" }, { by: KERNEL_ACTOR });
  return [];
};
/** One after another, so many milliseconds apart; what the last one is refused for. */
const oneByOne = (one: Story, hands: readonly Actor[], ms = 1_000, end?: keyof typeof ENDS): readonly Refusal[] => {
  let last: readonly Refusal[] = [];
  for (const by of hands) {
    assert.deepEqual(last, [], "only the last one is refused");
    last = once(one, by, end);
    one.pass(ms);
  }
  return last;
};
const TWICE: PolicyLine = { for: "agent", perHour: 2 };

cannot("P7-A2", "apply as an agent more often in an hour than the policy allows", {
  neighbour: () => oneByOne(toldUnder(TWICE), [ROBO, ROBO]),
  offence: () => coded("policy-rate", oneByOne(toldUnder(TWICE), [ROBO, ROBO, ROBO])),
});
cannot("P7-A2", "apply more often than allowed by taking turns with another agent", {
  neighbour: () => oneByOne(toldUnder({ for: "robo", perHour: 2 }), [ROBO, ROBO, OTHER_AGENT]),
  offence: () => coded("policy-rate", oneByOne(toldUnder(TWICE), [ROBO, OTHER_AGENT, ROBO])),
});
cannot("P7-A2", "apply as an agent more often than allowed where people may", {
  neighbour: () => oneByOne(toldUnder(TWICE), [ROBO, DAN, ROBO]),
  offence: () => coded("policy-rate", oneByOne(toldUnder(TWICE), [ROBO, DAN, ROBO, ROBO])),
});
cannot("P7-A2", "apply more often than allowed because the others failed", {
  neighbour: () => oneByOne(toldUnder(TWICE), [ROBO, ROBO], 1_000, "failed"),
  offence: () => coded("policy-rate", oneByOne(toldUnder(TWICE), [ROBO, ROBO, ROBO], 1_000, "failed")),
});
cannot("P7-A2", "apply before an hour has passed since the first of the last ones", {
  neighbour: () => oneByOne(toldUnder({ perHour: 1 }), [DAN, DAN], HOUR),
  offence: () => coded("policy-rate", oneByOne(toldUnder({ perHour: 1 }), [DAN, DAN], HOUR - 1)),
});
cannot("P7-A2", "apply as often as there are agents' tokens of one name", {
  neighbour: () => rotated(1),
  offence: () => coded("policy-rate", rotated(2)),
});
const rotated = (count: number): readonly Refusal[] => {
  const one = toldUnder({ for: "robo", perHour: count === 1 ? 2 : 1 });
  const first = once(one);
  one.ask({ act: "rotate", ...freshToken(one.now(), one.records.length), kind: "token", subject: "robo" });
  return [...first, ...once(one)];
};
cannot("P7-A2", "apply an action more often than allowed", {
  neighbour: () => stopsAndStarts({ action: "vm.shutdown", perHour: 1 }),
  offence: () => coded("policy-rate", stopsAndStarts({ action: "vm.start", perHour: 1 })),
});
/** Two starts and one shutdown. */
const stopsAndStarts = (line: PolicyLine): readonly Refusal[] => {
  const one = toldUnder(line);
  const stop = { entries: [wantStopped("shutdown")], vms: [vmState()] };
  const begin = { entries: [wantRunning()], vms: [vmState({ status: "stopped" })] };
  let last: readonly Refusal[] = [];
  for (const setting of [begin, stop, begin]) {
    assert.deepEqual(last, []);
    last = refusedPlan(one, DAN, setting);
    if (last.length > 0) return last;
    const { of } = planned(one, { by: DAN, ...AT_SERVICE, ...setting });
    last = refusalsOf(apply(one, of, DAN, AT_SERVICE));
    one.ask({ ...ENDS.succeeded, intent: lastId(one), kind: "outcome" }, { by: KERNEL_ACTOR });
  }
  return last;
};

test("a refusal tells how many there were, how many are allowed, and from when on the next one is", () => {
  const [refusal] = oneByOne(
    toldUnder({ action: "vm.start", for: "agent", perHour: 2 }),
    [ROBO, ROBO, ROBO],
    10 * MINUTE,
  );
  assert.deepEqual(
    [refusal?.cause, refusal?.facts],
    [
      "whom-action",
      { action: "vm.start", allowedAt: "2026-11-15T11:00:00.000Z", applied: 2, perHour: 2, whom: "agent" },
    ],
  );
  const causes = ([{ perHour: 1 }, { for: "agent", perHour: 1 }, { action: "vm.start", perHour: 1 }] as const).map(
    (line) => oneByOne(toldUnder(line), [ROBO, ROBO])[0]?.cause,
  );
  assert.deepEqual(causes, ["everybody", "whom", "everybody-action"]);
});

test("what is planned before the limit is reached is judged again when it is applied", () => {
  const one = toldUnder({ perHour: 1 });
  const { of } = planned(one, { by: ROBO, ...AT_AGENT_DOOR });
  approve(one, of, BOB, AT_SERVICE);
  assert.deepEqual(once(one, DAN), []);
  assert.deepEqual(codesOf(one.ask({ kind: "apply", of }, { by: ROBO, ...AT_AGENT_DOOR })), ["policy-rate"]);
  // It can be agreed to: the next one is allowed before it ends.
  one.pass(1);
  const again = planned(one, { by: OTHER_AGENT, ...AT_AGENT_DOOR });
  assert.deepEqual(codesOf(approve(one, again.of, BOB, AT_SERVICE)), []);
});
