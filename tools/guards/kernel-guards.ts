// The guards of the kernel that the hostile suite relies on.

import type { Guard } from "./guard.ts";

const DECIDE = "src/kernel/decide";
const OLD = "test/hostile-agent/come-back-to-an-agreement.test.ts";
const OTHER = "test/hostile-agent/use-another-agreement.test.ts";
const ANOTHER = "test/hostile-agent/come-as-another.test.ts";
const DECIDES = "test/hostile-agent/decide-for-people.test.ts";
const BEYOND = "test/hostile-agent/reach-beyond.test.ts";
const CLOCK = "test/hostile-agent/keep-to-the-clock.test.ts";
const PERSUADE = "test/hostile-agent/persuade-people.test.ts";
const RACE = "test/hostile-agent/race.test.ts";

export const KERNEL_GUARDS: readonly Guard[] = [
  {
    becomes: "false ? approvalRefusal(",
    cases: [
      "P7-A2 cannot apply after the approval was withdrawn",
      "P7-A2 cannot apply with one approval what needs two",
    ],
    file: `${DECIDE}/apply-step.ts`,
    is: "agreed.approvedBy.length < agreed.needs.approvals ? approvalRefusal(",
    name: "enough people approved",
    test: OLD,
  },
  {
    becomes: "true || requester.id === actor.id",
    cases: ["P7-A2 cannot apply at the door agent what was approved for another agent"],
    file: `${DECIDE}/apply-step.ts`,
    is: 'actor.kind !== "agent" || requester.id === actor.id',
    name: "an agent applies its own plan",
    test: OTHER,
  },
  {
    becomes: "irreversible: { ...NOTHING, approvals: 2 },\n  low: { ...NOTHING, approvals: 1 },",
    cases: ["P7-A2 cannot apply what cannot be undone, whoever approved"],
    file: `${DECIDE}/agreement-table.ts`,
    is: 'irreversible: "refused",\n  low: { ...NOTHING, approvals: 1 },',
    name: "nothing irreversible by an agent",
    test: OLD,
  },
  {
    becomes: "return open !== null ? undefined :",
    cases: ["P7-E1 cannot be two agents that change one VM at once"],
    file: `${DECIDE}/apply-step.ts`,
    is: "return open === undefined ? undefined :",
    name: "one change of a VM at a time",
    test: RACE,
  },
  {
    becomes: "at < approval.expiresAt &&\n      mayApply(",
    cases: ["P7-A2 cannot apply another step of a plan than the one that was approved"],
    file: `${DECIDE}/agreement.ts`,
    // Each of the two keeps it alone: the explanation names its step.
    is: "approval.step === step.hash &&\n      at < approval.expiresAt &&\n      approval.explanation === explanation &&\n      mayApply(",
    name: "an approval is of one step",
    test: OTHER,
  },
  {
    becomes: "at <= approval.expiresAt &&",
    cases: ["P7-A2 cannot apply by an approval at the very instant at which it ends"],
    file: `${DECIDE}/agreement.ts`,
    is: "at < approval.expiresAt &&",
    name: "an approval ends",
    test: CLOCK,
  },
  {
    becomes: 'if (false) refusals.push(refuse("step-consumed"',
    cases: ["B6 cannot apply over HTTP, under another key, a step that was applied"],
    file: `${DECIDE}/grounds.ts`,
    is: 'if (intent !== undefined) refusals.push(refuse("step-consumed"',
    name: "a step is tried once",
    test: OLD,
  },
  {
    becomes: "else if (at > end)",
    cases: ["N1 cannot apply at the very instant at which a plan ends"],
    file: `${DECIDE}/grounds.ts`,
    is: "else if (at >= end)",
    name: "a plan ends",
    test: CLOCK,
  },
  {
    becomes: "[...found.refusals]",
    cases: [
      "P7-A2 cannot give people a reason with its end before its beginning",
      "P7-A2 cannot give people a reason of two lines",
      "P7-A2 cannot give people a reason of blanks",
    ],
    file: `${DECIDE}/agree.ts`,
    is: "[...found.refusals, reason === undefined ? undefined : reasonRefusal(reason)]",
    name: "a reason for people is read as it is written",
    test: PERSUADE,
  },
  {
    becomes: "const denial = plan.denials.find(() => false);",
    cases: ["P7-A2 cannot apply a step that a person denied after another approved"],
    file: `${DECIDE}/grounds.ts`,
    is: "const denial = plan.denials.find((one) => one.step === step.hash);",
    name: "a denial is final",
    test: OLD,
  },
  {
    becomes: "for (const refusal of [] as Refusal[])",
    cases: [
      "B1 cannot apply a plan that it closed itself",
      "B1 cannot apply the older plan after another took its place",
    ],
    file: `${DECIDE}/grounds.ts`,
    is: "for (const refusal of closedRefusals(plan))",
    name: "a closed plan stays closed",
    test: OLD,
  },
  {
    becomes: 'if (plan.verdict === undefined) refusals.push(refuse("plan-refused"',
    cases: ["N2 cannot shut down production, whoever approves", "N2 cannot resize production, whoever approves"],
    file: `${DECIDE}/grounds.ts`,
    is: 'if (plan.verdict === "refused") refusals.push(refuse("plan-refused"',
    name: "a refused plan has no step",
    test: BEYOND,
  },
  {
    becomes: "apply: always(decideApply)",
    cases: ["P7-F1 cannot apply what was approved before a freeze"],
    file: `${DECIDE}/decide.ts`,
    is: "apply: unlessFrozen(decideApply)",
    name: "a freeze stops a claim",
    test: OLD,
  },
  {
    becomes: "if (frozen === null)",
    cases: ["P7-E2 cannot outrun a freeze between the claim and the call, without its being told"],
    file: "src/kernel/apply/protocol.ts",
    is: "if (frozen !== undefined)",
    name: "a freeze stops a call",
    test: RACE,
  },
  {
    becomes: "if (first === null)",
    cases: [
      "P7-E2 cannot outrun a protection between the claim and the call, without its being told",
      "P7-E2 cannot outrun its token's end between the claim and the call, without its being told",
    ],
    file: "src/kernel/apply/protocol.ts",
    is: "if (first !== undefined)",
    name: "the ground is judged before the call",
    test: RACE,
  },
  {
    becomes: "if (plan.section === null)",
    cases: ["P7-A2 cannot apply what was approved under another configuration"],
    file: `${DECIDE}/stands-on.ts`,
    is: "if (plan.section !== now.section)",
    name: "a plan stands on its configuration",
    test: OLD,
  },
  {
    becomes: '...(true ? [] : [refuse("desired-changed"',
    cases: ["P7-A1 cannot apply what was approved before its VM was written down otherwise"],
    file: `${DECIDE}/stands-on.ts`,
    is: '...(isSame ? [] : [refuse("desired-changed"',
    name: "a plan stands on its entry",
    test: OLD,
  },
  {
    becomes: 'door === "agent" && kind === "nobody"',
    cases: [
      "B2 cannot ask at the agents' door by the token of an approver",
      "B2 cannot apply at the agents' door, as a person, what was approved for an agent",
    ],
    file: `${DECIDE}/agent-door.ts`,
    is: 'door === "agent" && kind === "person"',
    name: "no person at the agents' door",
    test: ANOTHER,
  },
  {
    becomes: "if (row.decides === null)",
    cases: [
      "P7-A2 cannot approve over HTTP as an agent, of its own plan",
      "P7-A2 cannot approve the plan of one agent by the token of another",
    ],
    file: `${DECIDE}/actors.ts`,
    is: 'if (actor.kind === "agent" && row.decides === true)',
    name: "an agent decides nothing",
    test: DECIDES,
  },
  {
    becomes: "at <= expiresAt ? undefined :",
    cases: ["B2 cannot ask at the very instant at which its token ends"],
    file: `${DECIDE}/actors.ts`,
    is: "at < expiresAt ? undefined :",
    name: "a token ends",
    test: CLOCK,
  },
  {
    becomes: "one.approvals.some(({ by }) => by === null)",
    cases: ["P7-A2 cannot apply by an approval of somebody whose token was revoked since"],
    file: "src/kernel/evolve/fold-tokens.ts",
    is: "one.approvals.some(({ by }) => by === id)",
    name: "an approval goes with its token",
    test: OLD,
  },
  {
    becomes: "tokens: state.tokens,",
    cases: ["B2 cannot apply by a token that was revoked after the approval"],
    file: "src/kernel/evolve/fold-tokens.ts",
    is: "tokens: drop(state.tokens, hash),",
    name: "a revoked token proves nobody",
    test: ANOTHER,
  },
  {
    becomes: "if (state.name === null)",
    cases: ["N8 cannot start a VM that has another name at the provider than the one that operators wrote down"],
    file: "src/spine/plan/plan.ts",
    is: "if (state.name !== entry.name)",
    name: "a VM has the name that was written down",
    test: BEYOND,
  },
  {
    becomes: "=> clock;",
    cases: ["N1 cannot apply what has expired, by a clock that is set back"],
    file: "src/ledger/write/floor.ts",
    is: "=> latest(clock, floor);",
    name: "a clock that is set back wins nothing",
    test: CLOCK,
  },
  {
    becomes: "return aheadMs <= Infinity",
    cases: ["N1 cannot plan by a clock that runs ahead of the provider's"],
    file: `${DECIDE}/judge-clock.ts`,
    is: "return aheadMs <= CLOCK_AHEAD_MAX_MS",
    name: "a clock that runs ahead is seen",
    test: CLOCK,
  },
  {
    becomes: "return [];\n  const window =",
    cases: [
      "P7-A2 cannot apply right before the hours of a policy begin",
      "P7-A2 cannot apply at the very instant at which the hours of a policy end",
    ],
    file: `${DECIDE}/policy-limits.ts`,
    is: "if (only === undefined || from === at) return [];\n  const window =",
    name: "a policy has hours",
    test: CLOCK,
  },
  {
    becomes: "if (first !== null) return [];",
    cases: [
      "P7-A2 cannot apply more often than a policy allows, a moment before the hour is over",
      "P7-A2 cannot split what a policy counts between two agents",
    ],
    file: `${DECIDE}/policy-limits.ts`,
    is: "if (first === undefined) return [];",
    name: "a policy counts",
    test: CLOCK,
  },
];
