// A state of the walk as a value, everything that can come next, and what comes of it. Nothing moves by itself.

import type { Ulid } from "../../../src/ledger/record/record.ts";
import { advance, nextDueMs } from "../../../src/simulator/acts/advance.ts";
import { providerOf } from "../../../src/simulator/ports/provider.ts";
import type { Scene } from "../checks/evidence.ts";
import type { SimLedger } from "../ledger.ts";
import { CONTESTED, type Contestants, ELSEWHERES, type Elsewhere } from "../rivals.ts";
import { clamped } from "../trace.ts";
import type { Facts, OnItsWay } from "./facts.ts";
import type { Happening } from "./replica.ts";
import type { LedgerAt, Node, Steps, WorldAt } from "./steps.ts";
import { NOTHING_USED, type Used, WRONG_ELSEWHERE, type Wrong } from "./wrongs.ts";

export type Position = {
  readonly ledger: LedgerAt;
  readonly world: WorldAt;
  /** In the order in which they came up; the last one of a slot is the one in it. */
  readonly nodes: readonly Node[];
  /** How many lines were durable when each process that is gone ended. */
  readonly deaths: readonly (readonly [instance: Ulid, size: number])[];
  /** Where the ledger was cut, and how many processes had come up by then. */
  readonly losses: readonly { readonly nodes: number; readonly size: number }[];
  readonly used: Used;
};

export type Move = { readonly name: string; readonly wrong: Wrong | undefined; readonly make: () => Promise<Position> };

const WORK_MS = 5_000;
const PAST_SEND_MS = 31_000;
const PAST_SETTLE_MS = 11 * 60_000;

const LOST: ReadonlySet<string> = new Set(["lost-reply", "lost-request", "lost-sight"]);

export type Board = {
  readonly opening: () => Promise<Position>;
  readonly moves: (position: Position) => readonly Move[];
  /** What was on its way arrives, and what waits goes on: what happens when nothing goes wrong any more. */
  readonly calm: (position: Position) => Promise<Position>;
  readonly happen: (position: Position, node: Node, happening: Happening) => Promise<Position>;
  readonly pass: (position: Position, ms: number) => Promise<Position>;
  readonly restart: (position: Position, slot: number) => Promise<Position>;
};

const SLOTS = [0, 1] as const;
export const inSlot = ({ nodes }: Position, slot: number): Node | undefined =>
  nodes.findLast(({ whose }) => whose.slot === slot);

const dueMs = ({ nodes, world }: Position): number | undefined => {
  const times = [nextDueMs(world.world), ...nodes.map(({ facts }) => facts.waits.dueMs)].filter(
    (ms) => ms !== undefined,
  );
  return times.length === 0 ? undefined : Math.min(...times);
};

export type BoardOptions = {
  readonly contestants: Contestants;
  readonly isProvable: boolean;
  /** Whether choices are left out that change nothing (below); false for holding one walk against the other. */
  readonly isReducing: boolean;
  readonly steps: Steps;
};

/** A commit that is behind never goes in; when nobody waits for its answer either, it might as well not be there. */
export const isVain = ({ commit, isHeard, way }: OnItsWay, isUp: boolean, { ledger }: LedgerAt): boolean =>
  way === "out" && commit !== undefined && commit.size < ledger.lines.length && !(isHeard && isUp);

/**
 * Whoever was too late reads the ledger and decides again, or has its answer. What is read now may be old when it is
 * written: then it is too late again, and stands where it stood. So nothing is lost when it is read at once.
 */
const isTooLate = ({ text, way, what }: OnItsWay): boolean =>
  way === "back" && what === "head" && (text === "conflict " || text === "duplicate ");

/**
 * Whoever asks for a verdict while the place is at work waits inside, and does nothing, until the work is done or its
 * time is up: it is where one that has not asked yet is, and asks then.
 */
const isEarly = ({ what }: OnItsWay, { timers }: Facts, { world }: WorldAt): boolean =>
  what === "verdict" && timers.length > 0 && nextDueMs(world) !== undefined;

export const boardOf = ({ contestants, isProvable, isReducing, steps }: BoardOptions): Board => {
  const passed = new Map<string, WorldAt>();
  const after = ({ id, world }: WorldAt, ms: number): WorldAt => {
    const name = `${id} ${ms}`;
    const known = passed.get(name) ?? steps.worldAt(advance(world, world.nowMs + ms));
    passed.set(name, known);
    return known;
  };
  const written = new Map<string, LedgerAt>();
  const writtenAt = (what: Elsewhere, { id, ledger }: LedgerAt, nowMs: number): LedgerAt => {
    const name = `${what} ${id} ${nowMs}`;
    const known = written.get(name);
    if (known !== undefined) return known;
    const fork = ledger.fork();
    contestants.elsewhere[what](fork, nowMs);
    const made = steps.ledgerAt(fork);
    written.set(name, made);
    return made;
  };
  const replaced = new Map<number, WorldAt>();
  /** Somebody else deletes the VM and makes it anew, under its number and name. */
  const replacedIn = ({ id, world }: WorldAt): WorldAt => {
    const provider = providerOf(world);
    const known = replaced.get(id);
    if (known !== undefined) return known;
    provider.change({ kind: "replaced", vmid: CONTESTED });
    const made = steps.worldAt(provider.world());
    replaced.set(id, made);
    return made;
  };
  const deadOf = ({ deaths }: Position): readonly Ulid[] => (isProvable ? deaths.map(([instance]) => instance) : []);

  /** Whoever waits inside the place sees that it has become another. */
  const seen = async (position: Position, world: WorldAt): Promise<Position> => {
    let now: Position = { ...position, world };
    if (world.id === position.world.id) return now;
    for (const node of now.nodes) if (node.facts.waits.is) now = await happen(now, node, { kind: "see" });
    return now;
  };
  const happen: Board["happen"] = async (position, node, happening) => {
    const { ledger, nodes, world } = position;
    const step = await steps.step(node.whose, node, happening, { deaths: deadOf(position), ledger, world });
    const changed = {
      ...position,
      ledger: steps.surer(steps.longer(ledger, step.landed, world.world.nowMs), step.anchored),
      nodes: nodes.map((one) => (one === node ? step.node : one)),
    };
    const now = step.world === undefined ? changed : await seen(changed, step.world);
    const at = isReducing && step.node.facts.isUp ? step.node.facts.waiting.findIndex(isTooLate) : -1;
    return at < 0 ? now : happen(now, step.node, { at, how: "back", kind: "take" });
  };
  const restart: Board["restart"] = async (position, slot) => {
    const { ledger, nodes, world } = position;
    const whose = { isFirst: nodes.length < SLOTS.length, no: nodes.length + 1, slot };
    const { node } = await steps.step(whose, undefined, { kind: "start" }, { deaths: deadOf(position), ledger, world });
    // What it reads to come up it reads again before it does anything; so nothing is lost when that is done at once.
    return happen({ ...position, nodes: [...nodes, node] }, node, { at: 0, how: "back", kind: "take" });
  };
  const crash = async (position: Position, node: Node): Promise<Position> => {
    const now = await happen(position, node, { kind: "crash" });
    const death = [node.facts.instance, position.ledger.ledger.lines.length] as const;
    return { ...now, deaths: [...position.deaths, death] };
  };
  /** The machine of the ledger crashes with everybody on it, and the log is gone behind the last checkpoint outside. */
  const loseTail = async (position: Position): Promise<Position> => {
    let now = position;
    for (const node of position.nodes) now = node.facts.isUp ? await crash(now, node) : now;
    for (const node of now.nodes) now = await happen(now, node, { kind: "cut-off" });
    const ledger = now.ledger.ledger.fork();
    const size = ledger.anchored();
    ledger.cut(size);
    return {
      ...now,
      deaths: now.deaths.map(([instance, diedAt]) => [instance, Math.min(diedAt, size)] as const),
      ledger: steps.ledgerAt(ledger),
      losses: [...now.losses, { nodes: now.nodes.length, size }],
    };
  };
  const pass: Board["pass"] = (position, ms) => seen(position, after(position.world, ms));

  const movesOf = (position: Position, node: Node): readonly Move[] => {
    const { isUp, timers, waiting } = node.facts;
    const { no } = node.whose;
    const { nowMs } = position.world.world;
    const take = (at: number, how: string, what: string): Move => ({
      make: () => happen(position, node, { at, how, kind: "take" }),
      name: `${how} ${no} ${what}`,
      wrong: LOST.has(how) ? "lost" : undefined,
    });
    const traffic = waiting.flatMap((one, at): readonly Move[] => {
      const { way, what, wrong } = one;
      if (way === "back" && !isUp) return [];
      if (isReducing && (isVain(one, isUp, position.ledger) || isEarly(one, node.facts, position.world))) return [];
      const spoiled = isUp ? wrong.filter((how) => LOST.has(how)) : [];
      return [take(at, way, what), ...spoiled.map((how) => take(at, how, what))];
    });
    const rings = timers.flatMap((timer, at): readonly Move[] =>
      isUp && timer.dueMs <= nowMs
        ? [{ make: () => happen(position, node, { at, kind: "ring" }), name: `ring ${no}`, wrong: undefined }]
        : [],
    );
    return [...traffic, ...rings];
  };
  const fortunes = (position: Position): readonly Move[] =>
    SLOTS.flatMap((slot): readonly Move[] => {
      const node = inSlot(position, slot);
      if (node === undefined) return [];
      const { no } = node.whose;
      if (!node.facts.isUp) return [{ make: () => restart(position, slot), name: `restart ${no}`, wrong: undefined }];
      const crashes: Move = { make: () => crash(position, node), name: `crash ${no}`, wrong: "crash" };
      const hasty: Move = {
        make: () => happen(position, node, { kind: "hasty", skewMs: PAST_SETTLE_MS }),
        name: `hasty ${no}`,
        wrong: "hasty",
      };
      return node.facts.isReady ? [crashes, hasty] : [crashes];
    });
  const passing = (position: Position, ms: number, wrong: Wrong | undefined): Move => ({
    make: () => pass(position, ms),
    name: `${ms} ms`,
    wrong,
  });

  const calmMove = (position: Position): Move | undefined => {
    for (const node of position.nodes) {
      const move = movesOf(position, node).find(({ wrong }) => wrong === undefined);
      if (move !== undefined) return move;
    }
    const { nowMs } = position.world.world;
    const timers = SLOTS.flatMap((slot) => inSlot(position, slot)?.facts.timers ?? []);
    const times = [dueMs(position), ...timers.map((timer) => timer.dueMs)].flatMap((ms) =>
      ms !== undefined && ms > nowMs ? [ms] : [],
    );
    return times.length === 0 ? undefined : passing(position, Math.min(...times) - nowMs, undefined);
  };

  return {
    calm: async (position) => {
      let now = position;
      for (let move = calmMove(now); move !== undefined; move = calmMove(now)) now = await move.make();
      return now;
    },
    happen,
    moves: (position) => [
      ...position.nodes.flatMap((node) => movesOf(position, node)),
      ...fortunes(position),
      ...(dueMs(position) === undefined ? [] : [passing(position, WORK_MS, undefined)]),
      ...(position.ledger.ledger.anchored() < position.ledger.ledger.size()
        ? [{ make: () => loseTail(position), name: "cut", wrong: "cut" } as const]
        : []),
      passing(position, PAST_SEND_MS, "past"),
      passing(position, PAST_SETTLE_MS, "past"),
      ...ELSEWHERES.map(
        (what): Move => ({
          make: async () => ({ ...position, ledger: writtenAt(what, position.ledger, position.world.world.nowMs) }),
          name: what,
          wrong: WRONG_ELSEWHERE[what],
        }),
      ),
      {
        make: () => seen(position, replacedIn(position.world)),
        name: "made anew",
        wrong: "replaced",
      },
    ],
    /** Both processes have read the ledger before anything is chosen. */
    opening: async () => {
      let now: Position = {
        deaths: [],
        ledger: steps.ledgerAt(anchoredWhole(contestants.ledger)),
        losses: [],
        nodes: [],
        used: NOTHING_USED,
        world: steps.worldAt(contestants.world),
      };
      for (const slot of SLOTS) now = await restart(now, slot);
      return now;
    },
    pass,
    restart,
  };
};

const anchoredWhole = (before: SimLedger): SimLedger => {
  const ledger = before.fork();
  ledger.anchor(ledger.size());
  return ledger;
};

type Trace = Scene["traces"][number];
const tracesOf = ({ tries }: Facts, losses: readonly { readonly size: number }[]): readonly Trace[] =>
  tries.map(({ askedMs, failure, instance, isOver, lefts, progress, sizeAtLook }) => ({
    askedMs: () => askedMs,
    failure: () => failure,
    instance,
    isOver: () => isOver,
    lefts: losses.reduce<typeof lefts>((all, { size }) => all.map((left) => clamped(left, size)), lefts),
    progress: () => progress,
    sizeAtLook: () => sizeAtLook,
  }));

/** What the checks are given. */
export const sceneOf = (position: Position): Scene => ({
  deaths: new Map(position.deaths),
  ledger: position.ledger.ledger,
  provider: { world: () => position.world.world },
  processes: () =>
    SLOTS.flatMap((slot) => inSlot(position, slot) ?? []).map(({ facts, whose }) => ({
      isReady: () => facts.isReady,
      no: whose.no,
      state: () => facts.state,
    })),
  traces: position.nodes.flatMap(({ facts }, at) =>
    tracesOf(
      facts,
      position.losses.filter(({ nodes }) => at < nodes),
    ),
  ),
});
