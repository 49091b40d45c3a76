// How a world comes to rest: nothing goes wrong any more, everything on its way arrives, time passes until nothing is
// left to wait for, and what lost its performer is recovered. What is still open after that is open for ever.

import { entries } from "../../src/kernel/state/persistent-map.ts";
import { msOf } from "../../src/spine/values/instant.ts";
import type { GoneOf } from "./process.ts";
import { run, settled } from "./scheduler.ts";
import type { Choice, Stage } from "./stage.ts";

const CALM: ReadonlySet<string> = new Set(["out", "back", "ring"]);
const STEPS_MAX = 20_000;

const nextMs = ({ provider, processes }: Stage): number | undefined => {
  const { nowMs } = provider.world();
  const timers = processes().flatMap((process) => process.traffic.timers().map(({ dueMs }) => dueMs));
  const times = [provider.dueMs(), ...timers].filter((ms) => ms !== undefined && ms > nowMs);
  return times.length === 0 ? undefined : Math.min(...times.map(Number));
};

/** Everything that is on its way arrives, in order; when nothing is, time goes on to what is due. */
const calm = async (stage: Stage): Promise<void> => {
  let left = STEPS_MAX;
  const first = (choices: readonly Choice[]): Choice | undefined => {
    left -= 1;
    return left > 0 ? choices.find(({ kind }) => CALM.has(kind)) : undefined;
  };
  for (;;) {
    await run(stage.traffic, first);
    const ms = nextMs(stage);
    if (ms === undefined || left <= 0) return;
    stage.provider.advance(ms);
  }
};

/** False when the world does not come to rest. */
export const finish = async (stage: Stage, goneOf: GoneOf): Promise<void> => {
  for (const process of stage.processes()) process.pause(false);
  await calm(stage);
  for (const { kind, take } of stage.fortunes()) if (kind === "restart") take();
  await calm(stage);
  const [process] = stage.processes().filter((one) => one.isReady());
  if (process === undefined) throw new Error("a process comes up when nothing goes wrong");
  void process.refresh();
  await calm(stage);
  const deadlines = Array.from(entries(process.state().open), ([, { settleBy }]) => msOf(settleBy));
  const { nowMs } = stage.provider.world();
  const wallMs = msOf(process.now());
  const lastMs = Math.max(wallMs, ...deadlines);
  stage.provider.advance(nowMs + (lastMs - wallMs) + 1);
  void process.recover(goneOf);
  await calm(stage);
  for (const one of stage.processes()) void one.refresh();
  await calm(stage);
  await settled();
};
