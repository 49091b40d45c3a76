// N1 and P7-E2: a clock that is ahead is found out by the provider's own, and what is seen is aged on one clock alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { entries } from "../../src/kernel/state/persistent-map.ts";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Instant, Refusal } from "../../src/spine/model.ts";
import { instantOf, later, msOf } from "../../src/spine/values/instant.ts";
import { cannot } from "../cannot.ts";
import { accepted, blockedAt, MINUTE_MS, observed, resultOf, wasAhead, YEAR_MS } from "../kernel/clocks.ts";
import { again } from "../kernel/day.ts";
import { apply, looked, planned, refusalsOf, type Seen, type Story, story } from "../kernel/story.ts";
import { coded, desiredFor, observationOf, state as vmState, wantRunning } from "../spine/world.ts";

const aheadBy = (ms: number): readonly Refusal[] => {
  const told = story();
  return observed(told, { providerTime: instantOf(msOf(told.now()) - ms) });
};
cannot("N1", "take down an observation by a clock that is ahead of the provider's", {
  neighbour: () => aheadBy(60_000),
  offence: () => coded("clock-ahead", aheadBy(60_001)),
});
cannot("N1", "take down an observation whose provider's clock cannot be read", {
  neighbour: () => aheadBy(0),
  offence: () => coded("provider-clock-missing", observed(story(), { providerTime: "yesterday" as Instant })),
});

for (const [what, ms] of [
  ["two minutes", 2 * MINUTE_MS],
  ["a year", YEAR_MS],
] as const) {
  cannot("N1", `observe on a ledger that a clock took ${what} ahead, before that is accepted`, {
    neighbour: () => {
      const told = story();
      wasAhead(told, ms);
      accepted(told);
      return observed(told);
    },
    offence: () => {
      const told = story();
      wasAhead(told, ms);
      return coded("clock-ahead", observed(told));
    },
  });

  test(`planning goes on once a clock that was ${what} ahead is accepted, and every decision comes out the same again`, async () => {
    const told = story();
    planned(told);
    wasAhead(told, ms);
    assert.deepEqual(
      observed(told).map(({ code, facts }) => [code, facts["aheadSeconds"]]),
      [["clock-ahead", ms / 1_000]],
    );
    assert.deepEqual(accepted(told), []);
    assert.equal(told.records.at(-1)?.processTime, told.now(), "stamped by the clock that is accepted");
    const { of } = planned(told);
    assert.equal(apply(told, of).kind, "intended");
    const result = await again(told);
    assert.equal(result.kind, "equal", JSON.stringify(result));
  });
}

test("a ledger may rest for a year: the head alone judges nothing", () => {
  const told = story();
  planned(told);
  told.pass(YEAR_MS);
  assert.deepEqual(observed(told), []);
  assert.equal(apply(told, planned(told).of).kind, "intended");
});

const empty = { complete: false, gaps: [{ code: "stated", said: "no answer" }], vms: [] } as const;
const unclocked = (parts: Parameters<typeof observationOf>[1], live = true): readonly Refusal[] => {
  const told = story("single-operator", live);
  const observation = observationOf([vmState()], { observedAt: told.now(), ...parts });
  looked(told, observation, { seen: { providerTime: "none" } });
  return resultOf(told);
};
cannot("N1", "take down what a live provider shows without its clock", {
  neighbour: () => unclocked(empty),
  offence: () => coded("provider-clock-missing", unclocked({})),
});
cannot("N1", "take down an absence that a live provider proves without its clock", {
  neighbour: () => unclocked(empty),
  offence: () => coded("provider-clock-missing", unclocked({ vms: [] })),
});
cannot("N1", "take down VMs of a gap without the provider's clock", {
  neighbour: () => unclocked(empty),
  offence: () =>
    coded("provider-clock-missing", unclocked({ complete: false, gaps: [{ code: "stated", said: "node pve2" }] })),
});
test("a clock that is missing has one cause beside VMs and another beside none", () => {
  const causes = (parts: Parameters<typeof unclocked>[0]) => unclocked(parts).map(({ cause }) => cause);
  assert.deepEqual(causes({}), ["absent"]);
  assert.deepEqual(causes({ complete: false, gaps: [{ code: "stated", said: "node pve2" }] }), ["absent"]);
  assert.deepEqual(causes({ vms: [] }), ["absent-complete"]);
  assert.deepEqual(causes(empty), []);
});
test("what is replayed has no provider to ask for the time", () => {
  assert.deepEqual(unclocked({}, false), []);
});

const planOn = (told: Story, afterMs: number, seen: Seen = {}): readonly Refusal[] => {
  const desired = desiredFor([wantRunning()]);
  told.ask(registrationOf(desired), { given: { desired } });
  const observation = observationOf([vmState()], { observedAt: told.now() });
  const id = looked(told, observation, { seen });
  told.pass(afterMs);
  return refusalsOf(told.ask({ kind: "plan", observation: id, scope: "all" }, { given: { observation, desired } }));
};
cannot("N1", "count an observation younger by how long it took", {
  neighbour: () => planOn(story(), 20_000, { tookMs: 40_000 }),
  offence: () => coded("observation-stale", planOn(story(), 20_000, { tookMs: 40_001 })),
});
for (const tookMs of [-1, 24 * 60 * MINUTE_MS + 1]) {
  cannot("N7", `take down an observation that took ${tookMs} ms`, {
    neighbour: () => observed(story(), { tookMs: 0 }),
    offence: () => coded("value-altered", observed(story(), { tookMs })),
  });
}
test("an observation is aged on one clock: what another clock says of it changes nothing", () => {
  for (const skewMs of [-YEAR_MS, -MINUTE_MS, MINUTE_MS, YEAR_MS]) {
    const told = story();
    const desired = desiredFor([wantRunning()]);
    told.ask(registrationOf(desired), { given: { desired } });
    const observation = observationOf([vmState({ status: "stopped" })], { observedAt: later(told.now(), skewMs) });
    const id = looked(told, observation);
    const given = { given: { observation, desired } };
    const result = told.ask({ kind: "plan", observation: id, scope: "all" }, given);
    assert.ok(result.kind === "planned", JSON.stringify(result));
    assert.equal(result.observedAt, told.now(), "its ends are counted from when it was recorded");
  }
});

const reconciled = (told: Story, observedAt: Instant, seen: Seen = {}): readonly Refusal[] => {
  const intent = [...entries(told.state().blocked)][0]?.[1].id ?? assert.fail("it is blocked");
  const observation = observationOf([vmState()], { observedAt });
  const lookId = looked(told, observation, { seen });
  return refusalsOf(told.ask({ intent, kind: "reconcile", observation: lookId }, { given: { observation } }));
};
cannot("P7-E2", "end an unknown outcome early because another clock says that it is late", {
  neighbour: () => {
    const told = story();
    blockedAt(told);
    told.pass(10 * MINUTE_MS + 1);
    return reconciled(told, instantOf(msOf(told.now()) - YEAR_MS));
  },
  offence: () => {
    const told = story();
    blockedAt(told);
    return coded("reconcile-early", reconciled(told, later(told.now(), YEAR_MS)));
  },
});
cannot("P7-E2", "end an unknown outcome by an observation that began too early", {
  neighbour: () => {
    const told = story();
    blockedAt(told);
    told.pass(10 * MINUTE_MS + 5_001);
    return reconciled(told, told.now(), { tookMs: 5_000 });
  },
  offence: () => {
    const told = story();
    blockedAt(told);
    told.pass(10 * MINUTE_MS + 5_000);
    return coded("reconcile-early", reconciled(told, told.now(), { tookMs: 5_000 }));
  },
});
