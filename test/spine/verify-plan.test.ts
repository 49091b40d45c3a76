// A plan is believed only as it was made: every edit of plan or verdict is found, and so is a plan of other rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Plan, PlanFile, StandsOn } from "../../src/spine/model.ts";
import { planHash } from "../../src/spine/plan/plan.ts";
import { NO_POLICY, type Policy } from "../../src/spine/plan/policy.ts";
import { verifyPlan } from "../../src/spine/plan/verify-plan.ts";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { sha256 } from "../../src/spine/values/hash.ts";
import { cannot } from "../cannot.ts";
import { world } from "./arbitraries.ts";
import { coded, judge, observationOf, planFileOf, state, wantRunning } from "./world.ts";

const distrust = (file: PlanFile, policy: Policy = NO_POLICY) =>
  [verifyPlan(file, policy)].filter((refusal) => refusal !== undefined);

const FILE = planFileOf(
  judge({ observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] }),
);

test("a plan as it was made is believed, also after a round through its text", () => {
  fc.assert(
    fc.property(world, (given) => {
      const file = planFileOf(judge(given));
      assert.deepEqual(distrust(file, given.policy), []);
      assert.deepEqual(distrust(JSON.parse(JSON.stringify(file)), given.policy), []);
    }),
    { numRuns: 200 },
  );
});

type Path = readonly string[];

const leavesOf = (value: unknown, path: Path = []): readonly Path[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
    : [path];

const editedLeaf = (value: unknown): unknown => {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}` : value;
};

const editedAt = (value: unknown, [key, ...rest]: Path): unknown => {
  if (key === undefined) return editedLeaf(value);
  if (Array.isArray(value)) return value.map((member, at) => (String(at) === key ? editedAt(member, rest) : member));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [name, name === key ? editedAt(member, rest) : member]),
  );
};

test("any single edited value of plan or verdict is found", () => {
  fc.assert(
    fc.property(world, fc.nat(), (given, at) => {
      const { plan, verdict } = judge(given);
      const paths = leavesOf({ plan, verdict });
      const path = paths[at % paths.length] ?? [];
      const edited = { ...FILE, ...(editedAt({ plan, verdict }, path) as Pick<PlanFile, "plan" | "verdict">) };
      const [refusal] = distrust(edited, given.policy);
      assert.equal(refusal?.code, "plan-altered", path.join("."));
    }),
    { numRuns: 300 },
  );
});

test("an answer that is left out, repeated or moved is found", () => {
  fc.assert(
    fc.property(world, (given) => {
      const { plan, verdict } = judge(given);
      const [first, second] = plan.answers;
      fc.pre(first !== undefined && second !== undefined);
      const edits = [plan.answers.slice(1), [first, ...plan.answers], [second, first, ...plan.answers.slice(2)]];
      for (const answers of edits) {
        assert.equal(distrust({ ...FILE, plan: { ...plan, answers }, verdict }, given.policy)[0]?.code, "plan-altered");
      }
    }),
    { numRuns: 100 },
  );
});

const rehashed = ({ hash: _, ...body }: Plan): Plan => ({ ...body, hash: planHash(body) });

cannot("N7", "believe a step that was edited, though the plan was hashed again", {
  neighbour: () => distrust({ ...FILE, plan: rehashed(FILE.plan) }),
  offence: () => {
    const answers = FILE.plan.answers.map((answer) =>
      answer.kind === "step" ? { ...answer, reason: "requested" as const } : answer,
    );
    return distrust({ ...FILE, plan: rehashed({ ...FILE.plan, answers }) });
  },
});

cannot("N7", "believe a plan that was edited", {
  neighbour: () => distrust(FILE),
  offence: () => distrust({ ...FILE, plan: { ...FILE.plan, environment: "cloud" } }),
});

cannot("N7", "believe a verdict that the plan does not get", {
  neighbour: () => distrust(FILE),
  offence: () => distrust({ ...FILE, verdict: { kind: "clear", tiers: [] } }),
});

const validApprovals = (more: Partial<StandsOn>): PlanFile => ({
  ...FILE,
  plan: rehashed({ ...FILE.plan, standsOn: { ...FILE.plan.standsOn, ...more } }),
});

const OTHERS: Readonly<Record<string, Partial<StandsOn>>> = {
  policy: { policy: sha256("another") },
  rules: { rules: RULES_VERSION + 1 },
};
for (const [ground, other] of Object.entries(OTHERS)) {
  cannot("N6", `believe a plan that stands on another ${ground}`, {
    neighbour: () => distrust(validApprovals({})),
    offence: () => coded("plan-of-other-rules", distrust(validApprovals(other))),
  });
}

cannot("N6", "judge a plan by a policy that it was not made under", {
  neighbour: () => distrust(FILE, NO_POLICY),
  offence: () => distrust(FILE, { tighten: [{ action: "vm.delete", to: "refused" }], version: 1 }),
});
