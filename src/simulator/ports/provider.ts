// The plain way into a world, without a network: made for simulations that run thousands of worlds in a second.
//
//   const nodes = [makeNode({ name: "pve1" })];
//   const provider = providerOf(newWorld({ startMs, seed, nodes, guests, faults, weather }));
//   const source = worldSource(provider, { environment: "home" });            // Source    (world-source.ts)
//   const actuator = worldActuator(provider, { user: "dedalus@pve!apply" });  // Actuator  (world-actuator.ts)
//   provider.advance(toMs);            // virtual time moves only here; what is due happens, what waits resolves
//   provider.dueMs();                  // when something will happen, or an answer will come: where to jump to
//   provider.change(change);           // somebody else acts (faults.ts: Change)
//   provider.world();                  // the whole value: guests, tasks, and the truth in journal (journal.ts)
//
// A promise of a port settles in the same turn as the call or the advance that decided it, or when its signal aborts;
// no timer, clock or chance is involved, so one seed and one order of calls give one history. What a fault does at the
// ports: slow: send or observe resolves after that much virtual time. lost-reply, unheard, late: send is unknown, at
// once when the connection breaks, at the signal when it is silent; the journal tells which of them happened. half-done
// and verdict-lost: verdict is unknown. lies: verdict is done, and no deed is in the journal. warns: done. fails:
// failed. A dead or unreached node: its guests are unknown to the source, send fails (never left) or is unknown (timed
// out). No quorum, lock, template, silent monitor, running task: blockers. Stale broadcasts do not show here, because
// the source asks the owner of each guest. Checks for a simulation: truthOf, stepsCalledTwice, interruptionsByCalls.

import { advance, nextDueMs } from "../acts/advance.ts";
import { changed } from "../world/changes.ts";
import type { Change } from "../world/faults.ts";
import { afterRead, beforeRead, performCall, type ReadFate } from "../world/take-call.ts";
import type { World } from "../world/world.ts";
import type { CallAnswered, SimulatedCall } from "../world/world-calls.ts";

export type SimulatedProvider = {
  readonly world: () => World;
  readonly advance: (toMs: number) => void;
  readonly dueMs: () => number | undefined;
  readonly change: (change: Change) => void;
  /** A call that changes something. The answer is due after its delay; what it does has begun. */
  readonly call: (call: SimulatedCall) => CallAnswered;
  /** To be called before the provider is read for one guest, and `afterRead` after. */
  readonly beforeRead: (vmid: number | undefined) => Omit<ReadFate, "world">;
  readonly afterRead: (vmid: number | undefined) => void;
  /** Resolves with true when it is so, checked whenever the world changes; with false when the signal aborts first. */
  readonly until: (isSo: (world: World) => boolean, signal: AbortSignal) => Promise<boolean>;
  /** Resolves with true at that time, and with false when the signal aborts first. */
  readonly untilMs: (dueMs: number, signal: AbortSignal) => Promise<boolean>;
};

type Waiter = {
  readonly isSo: (world: World) => boolean;
  readonly settle: (isSo: boolean) => void;
  readonly dueMs?: number;
};

export const providerOf = (first: World): SimulatedProvider => {
  let world = first;
  let waiters: readonly Waiter[] = [];
  const become = (next: World): void => {
    world = next;
    if (waiters.length === 0) return;
    const ready = waiters.filter(({ isSo }) => isSo(world));
    if (ready.length === 0) return;
    waiters = waiters.filter((waiter) => !ready.includes(waiter));
    for (const { settle } of ready) settle(true);
  };
  /** What is due at this very moment happens with the call that made it due. */
  const settled = (next: World): World => advance(next, next.nowMs);
  const wait = (isSo: Waiter["isSo"], signal: AbortSignal, due: Pick<Waiter, "dueMs">): Promise<boolean> => {
    if (isSo(world)) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        waiters = waiters.filter((other) => other !== waiter);
        resolve(false);
      };
      const waiter: Waiter = {
        isSo,
        settle: (isReached) => {
          signal.removeEventListener("abort", giveUp);
          resolve(isReached);
        },
        ...due,
      };
      waiters = [...waiters, waiter];
      signal.addEventListener("abort", giveUp, { once: true });
    });
  };
  return {
    advance: (toMs) => become(advance(world, toMs)),
    call: (call) => {
      const { answer, delayMs, world: after } = performCall(world, call);
      become(settled(after));
      return { answer, delayMs };
    },
    change: (change) => become(settled(changed(world, change))),
    dueMs: () => {
      const times = [nextDueMs(world), ...waiters.map(({ dueMs }) => dueMs)].filter((ms) => ms !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    beforeRead: (vmid) => {
      const { world: after, ...fate } = beforeRead(world, vmid);
      if (after !== world) become(settled(after));
      return fate;
    },
    afterRead: (vmid) => {
      const after = afterRead(world, vmid);
      if (after !== world) become(settled(after));
    },
    until: (isSo, signal) => wait(isSo, signal, {}),
    untilMs: (dueMs, signal) => wait(({ nowMs }) => nowMs >= dueMs, signal, { dueMs }),
    world: () => world,
  };
};
