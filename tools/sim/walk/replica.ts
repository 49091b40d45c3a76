// One process of a walk, alone: the real one, on a ledger and a provider that are set before each thing that happens to
// it.
//
// A process knows of the others only what the ledger and the place show. So what it does next follows from what has
// happened to it so far, each time with the ledger, the place and the deaths of that moment; and that is all that is
// needed to bring one to the same point again. Not here: when that is done and when it is spared (steps.ts).

import assert from "node:assert/strict";
import { configHash } from "../../../src/kernel/command/recorded-config.ts";
import { INITIAL, type State } from "../../../src/kernel/state/state.ts";
import type { Commit } from "../../../src/ledger/engine.ts";
import type { Ulid } from "../../../src/ledger/record/record.ts";
import { catchUp, startOf } from "../../../src/ledger/write/batch.ts";
import type { SavedStates } from "../../../src/ledger/write/save-state.ts";
import { providerOf, type SimulatedProvider } from "../../../src/simulator/ports/provider.ts";
import type { World } from "../../../src/simulator/world/world.ts";
import { configOf, START_MS } from "../cast.ts";
import { simEngine } from "../engine.ts";
import type { SimLedger } from "../ledger.ts";
import type { Parts } from "../parts.ts";
import { type GoneOf, type Process, startProcess } from "../process.ts";
import type { Contestants } from "../rivals.ts";
import { settled } from "../scheduler.ts";
import type { Trace } from "../trace.ts";
import { trafficOf } from "../traffic.ts";

/** What can happen to a process. `take` and `ring` name what waits by its place in the list. */
export type Happening =
  | { readonly kind: "crash" }
  | { readonly kind: "cut-off" } // with the machine that the ledger is on
  | { readonly kind: "hasty"; readonly skewMs: number }
  | { readonly kind: "recover" }
  | { readonly kind: "refresh" }
  | { readonly kind: "see" } // the place has become another, and it waits inside
  | { readonly kind: "start" }
  | { readonly kind: "take"; readonly at: number; readonly how: string }
  | { readonly kind: "ring"; readonly at: number };

/** What there is around it when it happens. */
export type Moment = { readonly deaths: readonly Ulid[]; readonly ledger: SimLedger; readonly world: World };

export type Replica = {
  readonly process: () => Process;
  readonly traces: readonly Trace[];
  /** Whether it waits inside the place, and until when at the latest; nothing is on its way then. */
  readonly waits: () => { readonly is: boolean; readonly dueMs: number | undefined };
  /**
   * What it left: a longer ledger or another place if it changed them; and what it depended on, in the order of asking.
   */
  readonly happen: (happening: Happening, moment: Moment) => Promise<Left>;
};
export type Left = {
  /** How many records it made sure of outside the ledger. */
  readonly anchored: number | undefined;
  /** What of its became durable. */
  readonly landed: Commit | undefined;
  readonly used: readonly Source[];
  readonly world: World;
};

/** What a process can depend on, but for the time: how long the ledger is, what is in it, the place. */
export type Source = "ledger" | "size" | "world";

export type Whose = { readonly no: number; readonly slot: number; readonly isFirst: boolean };

export type ReplicaGround = {
  readonly contestants: Contestants;
  readonly isProvable: boolean;
  readonly parts: Parts;
  /** The ledger that the walk begins with, read once for all. */
  readonly savedStates: SavedStates<State>;
};

export const savedStatesOf = async (
  { ledger }: Contestants,
  { decide, evolve }: Parts,
): Promise<SavedStates<State>> => {
  const traffic = trafficOf("at-once");
  const engine = simEngine({ known: () => 0, ledger, nowMs: () => 0, onAppended: () => undefined, traffic });
  const decider = { decide, evolve, initial: INITIAL };
  const reading = catchUp(engine, decider, startOf(decider));
  await settled();
  for (const { go } of traffic.waiting()) go();
  const tail = await reading;
  return {
    onNote: () => undefined,
    read: async () => ({ bytes: 0, kind: "saved", saved: tail }),
    write: () => assert.fail("it is written after more records than a walk has"),
  };
};

export const replicaOf = ({ contestants, isProvable, parts, savedStates }: ReplicaGround, whose: Whose): Replica => {
  const { ledger: first, mode, world } = contestants;
  let ledger = first;
  let deaths: readonly Ulid[] = [];
  let used: Source[] = [];
  let landed: Commit | undefined;
  let anchored: number | undefined;
  const use = (source: Source): void => {
    if (!used.includes(source)) used.push(source);
  };
  const asked = (): SimLedger => {
    use("ledger");
    return ledger;
  };
  const provider = sparePlace(world, () => use("world"));
  const traces: Trace[] = [];
  let process: Process | undefined;
  const goneOf: GoneOf = (owner) => (isProvable && deaths.includes(owner) ? "owner-ended" : undefined);
  const running = (): Process => process ?? assert.fail("it was not started");
  const start = (): void => {
    process = startProcess({
      configHash: configHash(configOf(mode)),
      ledger: {
        anchor: (size) => {
          anchored = size;
        },
        anchored: () => asked().anchored(),
        cut: () => assert.fail("a ledger is not a process's to cut"),
        get blobs() {
          return asked().blobs;
        },
        fork: () => asked().fork(),
        head: () => asked().head(),
        get keys() {
          return asked().keys;
        },
        land: (commit, size, atMs) => {
          const result = asked().land(commit, size, atMs);
          if (result.kind === "ok") {
            assert.equal(landed, undefined, "one message at a time arrives");
            landed = commit;
          }
          return result;
        },
        get landedMs() {
          return asked().landedMs;
        },
        get lines() {
          return asked().lines;
        },
        get records() {
          return asked().records;
        },
        size: () => {
          use("size");
          return ledger.size();
        },
      },
      idsMs: () => START_MS,
      no: whose.no,
      nowMs: provider.nowMs,
      onAnswer: () => undefined,
      onAppended: () => undefined,
      onTrace: (trace) => traces.push(trace),
      pace: "at-once",
      parts,
      provider: provider.port,
      savedStates,
    });
    contestants.begin(process, whose.slot, whose.isFirst, goneOf);
  };
  const take = (at: number, how: string): void => {
    const one = running().traffic.waiting()[at];
    const go = how === one?.way ? one.go : one?.wrong[how];
    assert.ok(go !== undefined, `nothing ${how} waits there`);
    go();
  };
  const happenTo: { readonly [K in Happening["kind"]]: (happening: Extract<Happening, { readonly kind: K }>) => void } =
    {
      crash: () => running().crash(),
      "cut-off": () => running().cutOff(),
      hasty: ({ skewMs }) => {
        running().skew(skewMs);
        void running().recover(() => undefined);
      },
      recover: () => void running().recover(goneOf),
      refresh: () => void running().refresh(),
      ring: ({ at }) => running().traffic.timers()[at]?.ring(),
      see: () => undefined,
      start,
      take: ({ at, how }) => take(at, how),
    };
  return {
    happen: async (happening, moment) => {
      ledger = moment.ledger.fork();
      used = [];
      landed = undefined;
      anchored = undefined;
      ({ deaths } = moment);
      provider.become(moment.world);
      (happenTo[happening.kind] as (one: Happening) => void)(happening);
      await settled();
      return { anchored, landed, used, world: provider.world() };
    },
    process: running,
    traces,
    waits: provider.waits,
  };
};

type Waiter = {
  readonly isSo: (world: World) => boolean;
  readonly settle: () => void;
  readonly dueMs: number | undefined;
};

type Spare = {
  readonly port: SimulatedProvider;
  readonly world: () => World;
  readonly nowMs: () => number;
  /** It is as it was somewhere else. */
  readonly become: (world: World) => void;
  readonly waits: Replica["waits"];
};

/** The place as one process has it: whoever waits in it goes on waiting when it becomes another. */
const sparePlace = (first: World, onSeen: () => void): Spare => {
  let provider = providerOf(first);
  let waiters: readonly Waiter[] = [];
  const check = (): void => {
    const ready = waiters.filter(({ isSo }) => isSo(provider.world()));
    waiters = waiters.filter((waiter) => !ready.includes(waiter));
    for (const { settle } of ready) settle();
  };
  const wait = (isSo: Waiter["isSo"], signal: AbortSignal, dueMs?: number): Promise<boolean> => {
    if (isSo(provider.world())) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        waiters = waiters.filter((other) => other !== waiter);
        resolve(false);
      };
      const waiter: Waiter = {
        dueMs,
        isSo,
        settle: () => {
          signal.removeEventListener("abort", giveUp);
          resolve(true);
        },
      };
      waiters = [...waiters, waiter];
      signal.addEventListener("abort", giveUp, { once: true });
    });
  };
  const seeing = <A extends readonly unknown[], T>(act: (...args: A) => T): ((...args: A) => T) => {
    return (...args) => {
      onSeen();
      const result = act(...args);
      check();
      return result;
    };
  };
  return {
    become: (world) => {
      provider = providerOf(world);
      if (waiters.length > 0) onSeen();
      check();
    },
    nowMs: () => provider.world().nowMs,
    port: {
      advance: () => assert.fail("time is not a process's to move"),
      call: seeing((call) => provider.call(call)),
      change: () => assert.fail("nobody else is here"),
      dueMs: () => provider.dueMs(),
      beforeRead: seeing((vmid) => provider.beforeRead(vmid)),
      afterRead: seeing((vmid) => provider.afterRead(vmid)),
      until: seeing((isSo, signal) => wait(isSo, signal)),
      untilMs: seeing((dueMs, signal) => wait(({ nowMs }) => nowMs >= dueMs, signal, dueMs)),
      world: seeing(() => provider.world()),
    },
    waits: () => {
      const times = waiters.flatMap(({ dueMs }) => dueMs ?? []);
      return { dueMs: times.length === 0 ? undefined : Math.min(...times), is: waiters.length > 0 };
    },
    world: () => provider.world(),
  };
};
