// Which faults a call meets: each fault counts the calls that it is meant for, and the count is part of the world.

import { draw } from "./chance.ts";
import { changed } from "./changes.ts";
import { type Count, type Fate, type Match, WEATHER, type WeatherKind } from "./faults.ts";
import type { World } from "./world.ts";
import type { Verb } from "./world-calls.ts";

const isMeant = (on: Match, call: Verb | "observe", vmid: number | undefined): boolean =>
  (on.call === call || (on.call === "any" && call !== "observe")) && (on.vmid === undefined || on.vmid === vmid);

const isTime = ({ nth, times }: Count, seen: number): boolean => seen >= nth && seen < nth + times;

/**
 * The changes that come before or after this call. Counting is done before, so that both moments see the same count.
 */
export const meet = (
  world: World,
  moment: "before" | "after",
  call: Verb | "observe",
  vmid: number | undefined,
): World => {
  let current = world;
  world.faults.forEach((fault, at) => {
    if (fault.kind !== "change" || !("on" in fault) || fault.moment !== moment || !isMeant(fault.on, call, vmid))
      return;
    const seen = (fault.seen ?? 0) + 1;
    current = { ...current, faults: current.faults.with(at, { ...fault, seen }) };
    if (isTime(fault.on, seen)) current = changed(current, fault.change);
  });
  return current;
};

/** The fate of this call: the first of the script that is due, else what the weather brings. */
export const fateOf = (
  world: World,
  call: Verb | "observe",
  vmid: number | undefined,
): readonly [Fate | undefined, World] => {
  let current = world;
  let found: Fate | undefined;
  world.faults.forEach((fault, at) => {
    if (fault.kind !== "fate" || !isMeant(fault.on, call, vmid)) return;
    const seen = (fault.seen ?? 0) + 1;
    current = { ...current, faults: current.faults.with(at, { ...fault, seen }) };
    if (found === undefined && isTime(fault.on, seen)) found = fault.fate;
  });
  return found !== undefined || call === "observe" ? [found, current] : weather(current);
};

const weather = (world: World): readonly [Fate | undefined, World] => {
  let { chance } = world;
  for (const kind of WEATHER) {
    const share = world.weather[kind];
    if (share === undefined || share <= 0) continue;
    const [drawn, next] = draw(chance);
    chance = next;
    if (drawn * 1000 < share) return [SKIES[kind](drawn * 1000 < share / 2), { ...world, chance }];
  }
  return [undefined, chance === world.chance ? world : { ...world, chance }];
};

const SKIES: Readonly<Record<WeatherKind, (isHard: boolean) => Fate>> = {
  "lost-reply": (isHard) => ({ how: isHard ? "silence" : "reset", kind: "lost-reply" }),
  unheard: (isHard) => ({ how: isHard ? "silence" : "reset", kind: "unheard" }),
  late: (isHard) => ({ kind: "late", ms: isHard ? 120_000 : 2000 }),
  "half-done": () => ({ kind: "half-done" }),
  lies: () => ({ kind: "lies" }),
  warns: () => ({ kind: "warns" }),
  fails: () => ({ kind: "fails", text: "start failed: QEMU exited with code 1" }),
  "verdict-lost": () => ({ kind: "verdict-lost" }),
  slow: (isHard) => ({ kind: "slow", ms: isHard ? 90_000 : 1500 }),
};
