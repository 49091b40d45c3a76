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
type Times = { readonly planMs: number; readonly digestMs: number };

const GROUND: Ground = { environment: sha256("null"), policy: policyDigest(NO_POLICY) };
const DRIFTS_PERCENT = [1, 10] as const;

export const spineRows = (sizes: readonly Size[]): readonly Row[] => {
  const perSize = sizes.map((size) => {
    const measured = DRIFTS_PERCENT.map((driftPercent) => againstParse(size, driftPercent));
    return { measured, rows: [...measured.flatMap(({ rows }) => rows), shuffledRow(size)], size };
  });
  const [small, large] = perSize;
  const growth = small === undefined || large === undefined ? [] : growthRows(small, large);
  return [...perSize.flatMap(({ rows }) => rows), ...growth];
};

const judge = (wishes: Wishes, observed: Observed): unknown => safety(plan(wishes, observed, "all", GROUND), NO_POLICY);

const wishesFrom = (list: readonly Wish[]): Wishes => {
  const wishes = wishesOf(ENVIRONMENT, list);
  if ("kind" in wishes) throw new Error(wishes.because);
  return wishes;
};

const againstParse = (size: Size, driftPercent: number): { readonly rows: readonly Row[]; readonly times: Times } => {
  const { vms } = size;
  const fleet = fleetOf({ driftPercent, order: "sorted", vms });
  const observation = observationIn(fleet);
  const observed = observe(observation);
  const wishes = wishesFrom(wishesIn(fleet));
  const { bestMs: ms, statistic } = race(size, {
    parse: () => JSON.parse(fleet.text),
    plan: () => judge(wishes, observed),
    digest: () => observe(observation),
  });
  const row = (what: string, value: number): Row => ({
    goal: 1,
    measure: `${what}, ${vms} VMs, ${driftPercent} % drift, to JSON.parse`,
    statistic,
    value,
  });
  return {
    rows: [row("plan + safety + hash", ms.plan / ms.parse), row("observation digest", ms.digest / ms.parse)],
    times: { digestMs: ms.digest, planMs: ms.plan },
  };
};

const shuffledRow = (size: Size): Row => {
  const { vms } = size;
  const way = (order: "sorted" | "shuffled"): (() => unknown) => {
    const fleet = fleetOf({ driftPercent: 1, order, vms });
    return () => judge(wishesFrom(wishesIn(fleet)), observe(observationIn(fleet)));
  };
  const { bestMs: ms, statistic } = race(size, { shuffled: way("shuffled"), sorted: way("sorted") });
  return {
    goal: 1.5,
    measure: `from shuffled texts to the verdict, ${vms} VMs, to sorted`,
    statistic,
    value: ms.shuffled / ms.sorted,
  };
};

type Measured = { readonly size: Size; readonly measured: readonly { readonly times: Times }[] };

const growthRows = (small: Measured, large: Measured): readonly Row[] =>
  DRIFTS_PERCENT.flatMap((driftPercent, at) => {
    const [before, after] = [small.measured[at]?.times, large.measured[at]?.times];
    if (before === undefined || after === undefined) return [];
    const factor = large.size.vms / small.size.vms;
    const row = (what: string, value: number): Row => ({
      goal: 1.2,
      measure: `growth of ${what}, ${small.size.vms} to ${large.size.vms} VMs, ${driftPercent} % drift, to linear`,
      statistic: "of the best turns above",
      value: value / factor,
    });
    return [row("plan", after.planMs / before.planMs), row("digest", after.digestMs / before.digestMs)];
  });
