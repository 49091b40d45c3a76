// The spine against JSON.parse of the same snapshot: plan, safety and plan hash; the observation's digest; growth; order.
//
// "Digests given" means that observe() and wishesOf() were done before. The shuffled way is the whole way from texts whose
// entries stand in any order (parse, order, both digests, plan, safety) against the same way from texts in order; it
// starts from texts because values lie in memory as they were read, and that is most of what disorder costs.

import { sha256 } from "../src/spine/hash.ts";
import type { Observed, Wish, Wishes } from "../src/spine/model.ts";
import { observe } from "../src/spine/observation.ts";
import { type Ground, plan } from "../src/spine/plan.ts";
import { NO_POLICY, policyDigest, safety } from "../src/spine/safety.ts";
import { wishesOf } from "../src/spine/wishes.ts";
import { ENVIRONMENT, fleetOf, observationIn, wishesIn } from "./fleet.ts";
import { type Limits, race } from "./race.ts";
import type { Row } from "./row.ts";

export type Size = Limits & { readonly vms: number };

const GROUND: Ground = { environment: sha256("null"), policy: policyDigest(NO_POLICY) };

export const spineRows = (sizes: readonly Size[]): readonly Row[] => {
  const measured = sizes.map(measureSize);
  const [small, large] = measured;
  const growth = small === undefined || large === undefined ? [] : growthRows(small, large);
  return [...measured.flatMap(({ rows }) => rows), ...growth];
};

const judge = (wishes: Wishes, observed: Observed): unknown => safety(plan(wishes, observed, "all", GROUND), NO_POLICY);

const wishesFrom = (list: readonly Wish[]): Wishes => {
  const wishes = wishesOf(ENVIRONMENT, list);
  if ("kind" in wishes) throw new Error(wishes.because);
  return wishes;
};

/** Milliseconds by what was measured; the digest does not depend on the drift. */
type Measured = { readonly size: Size; readonly rows: readonly Row[]; readonly ms: Readonly<Record<string, number>> };

const measureSize = (size: Size): Measured => {
  const few = measureDrift(size, 1);
  const many = measureDrift(size, 10);
  const row = ({ statistic }: Drifted, what: string, value: number): Row => ({
    goal: 1,
    measure: `${what}, ${size.vms} VMs, to JSON.parse`,
    statistic,
    value,
  });
  return {
    ms: { digest: few.ms.digest, "plan at 1 % drift": few.ms.plan, "plan at 10 % drift": many.ms.plan },
    rows: [
      row(few, "plan + safety + hash at 1 % drift", few.ms.plan / few.ms.parse),
      row(many, "plan + safety + hash at 10 % drift", many.ms.plan / many.ms.parse),
      row(few, "observation digest", few.ms.digest / few.ms.parse),
      shuffledRow(size),
    ],
    size,
  };
};

type Drifted = { readonly ms: Readonly<Record<"parse" | "plan" | "digest", number>>; readonly statistic: string };

const measureDrift = (size: Size, driftPercent: number): Drifted => {
  const fleet = fleetOf({ driftPercent, order: "sorted", vms: size.vms });
  const observation = observationIn(fleet);
  const observed = observe(observation);
  const wishes = wishesFrom(wishesIn(fleet));
  const { bestMs, statistic } = race(size, {
    digest: () => observe(observation),
    parse: () => JSON.parse(fleet.text),
    plan: () => judge(wishes, observed),
  });
  return { ms: bestMs, statistic };
};

const shuffledRow = (size: Size): Row => {
  const way = (order: "sorted" | "shuffled"): (() => unknown) => {
    const fleet = fleetOf({ driftPercent: 1, order, vms: size.vms });
    return () => judge(wishesFrom(wishesIn(fleet)), observe(observationIn(fleet)));
  };
  const { bestMs, statistic } = race(size, { shuffled: way("shuffled"), sorted: way("sorted") });
  return {
    goal: 1.5,
    measure: `from shuffled texts to the verdict, ${size.vms} VMs, to sorted`,
    statistic,
    value: bestMs.shuffled / bestMs.sorted,
  };
};

const growthRows = (small: Measured, large: Measured): readonly Row[] =>
  Object.entries(small.ms).map(([what, ms]) => ({
    goal: 1.2,
    measure: `growth of ${what}, ${small.size.vms} to ${large.size.vms} VMs, to linear`,
    statistic: "of the best turns above",
    value: (large.ms[what] ?? Number.NaN) / ms / (large.size.vms / small.size.vms),
  }));
