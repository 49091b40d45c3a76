// Values of policy.yaml, nearly right and at times not, for holding its parser and its schema against each other.

import fc from "fast-check";
import type { ActionKind } from "../../src/spine/model.ts";
import { ACTION_KINDS, rowOf } from "../../src/spine/rules/actions.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export const POLICY_LEVELS = ["refused", "low", "medium", "high", "irreversible", "read", "allow"] as const;
/** A tier of the action's own or a higher one, and at times any word at all. */
const levelFor = (action: ActionKind): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constantFrom("refused", rowOf(action).tier, "irreversible"), weight: 9 },
    { arbitrary: fc.constantFrom(...POLICY_LEVELS), weight: 1 },
  );
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const limits: fc.Arbitrary<{ [key: string]: Json }> = fc.record(
  {
    for: fc.constantFrom("agent", "person", "robo", "nobody", "Robo"),
    only: fc.record(
      {
        days: fc.subarray(DAYS, { minLength: 0 }),
        hours: fc.subarray(["00:00-07:30", "08:00-12:00", "13:00-18:00", "22:15-24:00", "9:00-10:00", "10:00-24:30"]),
      },
      { requiredKeys: [] },
    ),
    perHour: fc.constantFrom(1, 4, 1000, 0, 1001),
  },
  { requiredKeys: [] },
);
const policyLine = fc
  .tuple(
    fc.oneof(
      { arbitrary: fc.constant({}), weight: 1 },
      {
        arbitrary: fc
          .constantFrom(...ACTION_KINDS)
          .chain((action) => levelFor(action).map((to): { [key: string]: Json } => ({ action, to }))),
        weight: 3,
      },
    ),
    fc.oneof({ arbitrary: fc.constant({}), weight: 2 }, { arbitrary: limits, weight: 1 }),
  )
  .map(([one, other]): Json => ({ ...one, ...other }));
export const policyValues = fc.record({ tighten: fc.array(policyLine, { maxLength: 4 }), version: fc.constant(1) });
