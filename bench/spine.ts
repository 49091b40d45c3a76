// The spine against JSON.parse of the same observation: plan, safety and plan hash; the observation's digest; growth;
// order.
//
// "Digests given" means that observe() and desiredStateOf() were done before. The shuffled way is the whole way from
// texts whose entries stand in any order (parse, order, both digests, plan, safety) against the same way from texts in
// order; it starts from texts because values lie in memory as they were read, and that is most of what disorder costs.

import type { DesiredEntry, DesiredState, Observation, Observed } from "../src/spine/model.ts";
import { desiredStateOf } from "../src/spine/plan/desired-state.ts";
import { type Ground, plan } from "../src/spine/plan/plan.ts";
import { NO_POLICY, policyDigest } from "../src/spine/plan/policy.ts";
import { safety } from "../src/spine/plan/safety.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { observe } from "../src/spine/values/observation.ts";
import { desiredStateIn, ENVIRONMENT, type Fleet, fleetOf, observationIn } from "./fleet.ts";
import { type Limits, race } from "./race.ts";
import type { Row } from "./row.ts";

export type Size = Limits & { readonly vms: number };

const GROUND: Ground = { environment: sha256("null"), policy: policyDigest(NO_POLICY) };

export const spineRows = (sizes: readonly Size[]): readonly Row[] => {
  const [small, large] = sizes;
  const growth = small === undefined || large === undefined ? [] : growthRows(small, large);
  return [...sizes.flatMap(sizeRows), ...growth];
};

const judge = (desired: DesiredState, observed: Observed): unknown =>
  safety(plan(desired, observed, "all", GROUND), NO_POLICY);

const desiredFrom = (list: readonly DesiredEntry[]): DesiredState => {
  const desired = desiredStateOf(ENVIRONMENT, list);
  if ("kind" in desired) throw new Error(desired.code);
  return desired;
};

/** A fleet with its digests given. */
type World = { readonly observation: Observation; readonly observed: Observed; readonly desired: DesiredState };

const worldOf = (fleet: Fleet): World => {
  const observation = observationIn(fleet);
  return { observation, observed: observe(observation), desired: desiredFrom(desiredStateIn(fleet)) };
};

const sorted = ({ vms }: Size, driftPercent: number): Fleet => fleetOf({ driftPercent, order: "sorted", vms });

const sizeRows = (size: Size): readonly Row[] => {
  const few = sorted(size, 1);
  return [shuffledRow(size, few), ...parseRows(size, few, 1), ...parseRows(size, sorted(size, 10), 10)];
};

const parseRows = (size: Size, fleet: Fleet, driftPercent: number): readonly Row[] => {
  const { observation, observed, desired } = worldOf(fleet);
  const { ratio, statistic } = race(size, {
    digest: () => observe(observation),
    parse: () => JSON.parse(fleet.text),
    plan: () => judge(desired, observed),
  });
  const row = (way: "digest" | "plan", what: string): Row => ({
    goal: 1,
    measure: `${what}, ${size.vms} VMs, ${driftPercent} % drift, to JSON.parse`,
    statistic,
    value: ratio(way, "parse"),
  });
  return [row("plan", "plan + safety + hash"), row("digest", "observation digest")];
};

const shuffledRow = (size: Size, fleet: Fleet): Row => {
  const shuffled = fleetOf({ driftPercent: 1, order: "shuffled", vms: size.vms });
  const whole = (from: Fleet) => () => judge(desiredFrom(desiredStateIn(from)), observe(observationIn(from)));
  const { ratio, statistic } = race(size, { shuffled: whole(shuffled), sorted: whole(fleet) });
  return {
    goal: 1.5,
    measure: `from shuffled texts to the verdict, ${size.vms} VMs, to sorted`,
    statistic,
    value: ratio("shuffled", "sorted"),
  };
};

/** The large one against the small one as many times over. */
const growthRows = (small: Size, large: Size): readonly Row[] => {
  const [one, all] = [worldOf(sorted(small, 10)), worldOf(sorted(large, 10))];
  const repeated = (way: () => unknown) => () => {
    for (let left = large.vms / small.vms; left > 0; left -= 1) way();
  };
  const { ratio, statistic } = race(large, {
    "digest of all": () => observe(all.observation),
    "digest of one": repeated(() => observe(one.observation)),
    "plan of all": () => judge(all.desired, all.observed),
    "plan of one": repeated(() => judge(one.desired, one.observed)),
  });
  const row = (what: "digest" | "plan"): Row => ({
    goal: 1.2,
    measure: `growth of ${what}, ${small.vms} to ${large.vms} VMs, 10 % drift, to linear`,
    statistic,
    value: ratio(`${what} of all`, `${what} of one`),
  });
  return [row("plan"), row("digest")];
};
