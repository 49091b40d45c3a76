// P7-A2, P7-A3: what a policy allows of whom, when and how often; each with the nearest thing that it allows.
//
// A story begins on 2026-11-15 at 10:00, a Sunday.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import type { Actor } from "../../src/ledger/record/record.ts";
import type { Refusal } from "../../src/spine/model.ts";
import type { Policy, PolicyLine, PolicyWindow } from "../../src/spine/plan/policy.ts";
import { refuse } from "../../src/spine/rules/refusals.ts";
import { cannot } from "../cannot.ts";
import {
  ALICE,
  apply,
  approve,
  BOB,
  CAROL,
  codesOf,
  DAN,
  planIn,
  planned,
  ROBO,
  refusalsOf,
  type Setting,
  type Story,
  story,
  tokenRequest,
} from "../kernel/story.ts";
import { AT_AGENT_DOOR, AT_SERVICE, OTHER_AGENT, refusedPlan, toldUnder } from "../kernel/under-policy.ts";
import { coded, state as vmState, wantStopped } from "../spine/world.ts";

const explained = (one: Story, id: string, { step }: StepRef) =>
  explanationOf(one.state(), recall(one.state().plans, id) ?? assert.fail("it is known"), step).rules;

const MINUTE = 60_000;
const under = (...tighten: readonly PolicyLine[]): Policy => ({ tighten, version: 1 });

/** What a plan of somebody is refused for, under a policy. */
const planning = (by: Actor, tighten: readonly PolicyLine[], setting: Setting = {}, after = 0): readonly Refusal[] => {
  const one = toldUnder(...tighten);
  one.pass(after);
  return refusedPlan(one, by, setting);
};

const REFUSED_TO_AGENTS: PolicyLine = { action: "vm.start", for: "agent", to: "refused" };
cannot("P7-A2", "plan as an agent what the policy refuses agents", {
  neighbour: () => planning(DAN, [REFUSED_TO_AGENTS]),
  offence: () => coded("policy-refuses", planning(ROBO, [REFUSED_TO_AGENTS])),
});
cannot("P7-A2", "plan as the agent that a policy names what it refuses that one", {
  neighbour: () => planning(OTHER_AGENT, [{ action: "vm.start", for: "robo", to: "refused" }]),
  offence: () => coded("policy-refuses", planning(ROBO, [{ action: "vm.start", for: "robo", to: "refused" }])),
});
cannot("P7-A2", "plan as a person what the policy refuses people", {
  neighbour: () => planning(ROBO, [{ action: "vm.start", for: "person", to: "refused" }]),
  offence: () => coded("policy-refuses", planning(DAN, [{ action: "vm.start", for: "person", to: "refused" }])),
});
cannot("P7-A2", "be an agent that is called as a kind, and not be meant by it", {
  neighbour: () => named("neither"),
  offence: () => coded("policy-refuses", named("person")),
});
const named = (id: string): readonly Refusal[] => {
  const one = toldUnder({ action: "vm.start", for: "person", to: "refused" });
  one.ask(tokenRequest(one, { id, kind: "agent", roles: ["agent"] }));
  return refusedPlan(one, { id, kind: "agent", roles: ["agent"] });
};

/** An agent's plan, approved by so many, and applied. */
const applied = (tighten: readonly PolicyLine[], approvers: readonly Actor[], by = ROBO): readonly Refusal[] => {
  const one = toldUnder(...tighten);
  const { of } = planned(one, { by, ...AT_AGENT_DOOR });
  for (const person of approvers) assert.deepEqual(codesOf(approve(one, of, person, AT_SERVICE)), []);
  return refusalsOf(one.ask({ kind: "apply", of }, { by, ...AT_AGENT_DOOR }));
};
cannot("P7-A2", "apply as an agent with one approval what the policy raised for agents", {
  neighbour: () => applied([{ action: "vm.start", for: "agent", to: "high" }], [BOB, CAROL]),
  offence: () => coded("approval-missing", applied([{ action: "vm.start", for: "agent", to: "high" }], [BOB])),
});
cannot("P7-A2", "apply as the agent that a policy names with one approval what it raised for that one", {
  neighbour: () => applied([{ action: "vm.start", for: "robo", to: "high" }], [BOB], OTHER_AGENT),
  offence: () => coded("approval-missing", applied([{ action: "vm.start", for: "robo", to: "high" }], [BOB])),
});
cannot("P7-A2", "apply as a person whom a policy names what somebody else asked for, as if it named nobody", {
  neighbour: () => appliedBy(CAROL),
  offence: () => coded("approval-missing", appliedBy(DAN)),
});
const appliedBy = (who: Actor): readonly Refusal[] => {
  const one = toldUnder({ action: "vm.start", for: "dan", to: "high" });
  const { of } = planned(one, { by: who === DAN ? CAROL : DAN, ...AT_SERVICE });
  if (who === CAROL) approve(one, of, BOB, AT_SERVICE);
  return refusalsOf(apply(one, of, who, AT_SERVICE));
};

/** A plan of somebody whom no line refuses it, agreed to where it must be; then taken on by whoever it may be. */
const takenOn = (line: PolicyLine, asker: Actor, take: (one: Story, of: StepRef) => Result): readonly Refusal[] => {
  const one = toldUnder(line);
  const { of } = planned(one, { by: asker, ...(asker.kind === "agent" ? AT_AGENT_DOOR : AT_SERVICE) });
  if (asker.kind === "agent") assert.deepEqual(codesOf(approve(one, of, BOB, AT_SERVICE)), []);
  return refusalsOf(take(one, of));
};
const REFUSED_TO_DAN: PolicyLine = { action: "vm.start", for: "dan", to: "refused" };
const REFUSED_TO_PEOPLE: PolicyLine = { action: "vm.start", for: "person", to: "refused" };
const challengedAs = (by: Actor) => (one: Story, of: StepRef) =>
  one.ask({ kind: "challenge", of }, { by, ...AT_SERVICE });
/** Past the challenge, which would have refused it already. */
const claimedAs = (by: Actor) => (one: Story, of: StepRef) =>
  one.ask({ kind: "apply", of }, { by, ...(by.kind === "agent" ? AT_AGENT_DOOR : AT_SERVICE) });
cannot("P7-A2", "be challenged as a person whom the policy refuses what somebody else asked for", {
  neighbour: () => takenOn(REFUSED_TO_DAN, CAROL, challengedAs(CAROL)),
  offence: () => coded("policy-refuses", takenOn(REFUSED_TO_DAN, CAROL, challengedAs(DAN))),
});
cannot("P7-A2", "apply as a person whom the policy refuses what somebody else asked for", {
  neighbour: () => takenOn(REFUSED_TO_DAN, CAROL, (one, of) => apply(one, of, CAROL, AT_SERVICE)),
  offence: () => coded("policy-refuses", takenOn(REFUSED_TO_DAN, CAROL, claimedAs(DAN))),
});
cannot("P7-A2", "apply as a person what the policy refuses people, where an agent asked for it", {
  neighbour: () => takenOn(REFUSED_TO_PEOPLE, ROBO, claimedAs(ROBO)),
  offence: () => coded("policy-refuses", takenOn(REFUSED_TO_PEOPLE, ROBO, claimedAs(DAN))),
});
test("whom the policy refuses an action may still approve it for somebody else", () => {
  const line: PolicyLine = { action: "vm.start", for: "bob", to: "refused" };
  assert.deepEqual(takenOn(line, ROBO, claimedAs(ROBO)), []);
});

const at = (from: string, until: string): PolicyWindow => ({ hours: [`${from}-${until}`] });
const MORNING: PolicyLine = { for: "agent", only: at("10:00", "10:30") };

cannot("P7-A2", "plan as an agent what cannot be applied before its hours come", {
  neighbour: () => planning(ROBO, [{ for: "agent", only: at("10:59", "12:00") }]),
  offence: () => coded("policy-window", planning(ROBO, [{ for: "agent", only: at("11:00", "12:00") }])),
});
cannot("P7-A2", "plan on another day than the policy allows", {
  neighbour: () => planning(DAN, [{ only: { days: ["sun"] } }]),
  offence: () => coded("policy-window", planning(DAN, [{ only: { days: ["sat"] } }])),
});
cannot("P7-A2", "plan outside of the hours of agents as an agent", {
  neighbour: () => planning(DAN, [MORNING], {}, 31 * MINUTE),
  offence: () => coded("policy-window", planning(ROBO, [MORNING], {}, 31 * MINUTE)),
});
cannot("P7-A2", "plan an action outside of its hours", {
  neighbour: () =>
    planning(ROBO, [{ action: "vm.start", only: at("12:00", "13:00") }], {
      entries: [wantStopped("shutdown")],
      vms: [vmState()],
    }),
  offence: () => coded("policy-window", planning(ROBO, [{ action: "vm.start", only: at("12:00", "13:00") }])),
});

/** Planned in time, then agreed to or applied so much later. */
const later = (
  what: "apply" | "approve" | "ask" | "challenge",
  tighten: readonly PolicyLine[],
  ms: number,
): readonly Refusal[] => {
  const one = toldUnder(...tighten);
  const by = what === "challenge" ? DAN : ROBO;
  const { of } = planned(one, { by, ...(by === DAN ? AT_SERVICE : AT_AGENT_DOOR) });
  if (what === "apply") assert.deepEqual(codesOf(approve(one, of, BOB, AT_SERVICE)), []);
  one.pass(ms);
  switch (what) {
    case "apply":
      return refusalsOf(one.ask({ kind: "apply", of }, { by, ...AT_AGENT_DOOR }));
    case "approve":
      return refusalsOf(approve(one, of, BOB, AT_SERVICE));
    case "ask":
      return refusalsOf(one.ask({ kind: "request-approval", of }, { by, ...AT_AGENT_DOOR }));
    case "challenge":
      return refusalsOf(one.ask({ kind: "challenge", of }, { by, ...AT_SERVICE }));
  }
};
const UNTIL_HALF: PolicyLine = { only: at("10:00", "10:30") };
for (const what of ["apply", "approve", "ask", "challenge"] as const) {
  cannot("P7-A2", `${what} when the hours of the policy are over`, {
    neighbour: () => later(what, [UNTIL_HALF], 30 * MINUTE - 1),
    offence: () => coded("policy-window", later(what, [UNTIL_HALF], 30 * MINUTE)),
  });
}
const GAP: PolicyLine = { only: { hours: ["10:00-10:30", "10:45-11:00"] } };
cannot("P7-A2", "apply between two spans of hours, where it could still be agreed to", {
  neighbour: () => [...later("approve", [GAP], 35 * MINUTE), ...later("apply", [GAP], 45 * MINUTE)],
  offence: () => coded("policy-window", later("apply", [GAP], 35 * MINUTE)),
});

test("a refusal tells the hours, and from when on they are open", () => {
  const [refusal] = later(
    "apply",
    [{ action: "vm.start", for: "agent", only: { ...GAP.only, days: ["sun"] } }],
    35 * MINUTE,
  );
  const facts = { action: "vm.start", days: ["sun"], hours: ["10:00-10:30", "10:45-11:00"], whom: "agent" };
  assert.deepEqual(
    { ...refusal, vmid: undefined },
    {
      ...refuse("policy-window", { cause: "whom", facts: { ...facts, opensAt: "2026-11-15T10:45:00.000Z" } }),
      vmid: undefined,
    },
  );
  const [everybody] = later("apply", [UNTIL_HALF], 31 * MINUTE);
  assert.deepEqual(
    [everybody?.cause, everybody?.facts],
    [
      "everybody",
      {
        action: "vm.start",
        days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        hours: ["10:00-10:30"],
        opensAt: "2026-11-16T10:00:00.000Z",
      },
    ],
  );
});

test("a call may leave until the hours are over, and no longer", () => {
  const one = toldUnder(UNTIL_HALF, { for: "agent", only: at("09:00", "11:00") });
  const { of } = planned(one, { by: ROBO, ...AT_AGENT_DOOR });
  approve(one, of, BOB, AT_SERVICE);
  one.pass(30 * MINUTE - 5_000);
  const result = one.ask({ kind: "apply", of }, { by: ROBO, ...AT_AGENT_DOOR });
  assert.ok(result.kind === "intended");
  assert.equal(result.sendBy, "2026-11-15T10:30:00.000Z");
  const free = toldUnder({ only: at("09:00", "11:00") });
  const other = planned(free, { by: ROBO, ...AT_AGENT_DOOR });
  approve(free, other.of, BOB, AT_SERVICE);
  const soon = free.ask({ kind: "apply", of: other.of }, { by: ROBO, ...AT_AGENT_DOOR });
  assert.ok(soon.kind === "intended");
  assert.equal(soon.sendBy, "2026-11-15T10:00:30.000Z");
});

test("what the policy asks is in the explanation that people agree to, for whom it is asked", () => {
  const lines: readonly PolicyLine[] = [
    { for: "agent", only: { days: ["sun"] }, perHour: 3 },
    { action: "vm.start", for: "agent", to: "high" },
    { action: "vm.stop", for: "agent", to: "refused" },
  ];
  const one = story("single-operator", true, under(...lines));
  const evidence = (by: Actor) => {
    const { id, of, result } = planned(one, { by });
    assert.ok(planIn(one, result).answers.length > 0);
    return explained(one, id, of).filter(({ rule }) => rule === "P7-A3");
  };
  assert.deepEqual(
    evidence(ROBO).map((one) => (one.held ? [one.evidence, one.facts] : [])),
    [
      ["policy-window", { days: ["sun"], hours: ["00:00-24:00"] }],
      ["policy-rate", { perHour: 3 }],
      ["policy-tier", { to: "high" }],
    ],
  );
  assert.deepEqual(evidence(ALICE), []);
});
