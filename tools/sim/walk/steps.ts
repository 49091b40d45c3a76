// What happens to one process at one moment, and what it leaves: found out once by running the real code, and known
// from then on. This is what makes a walk cheap: its states are values, and going back to one costs nothing.
//
// A process is brought to a point again by letting happen to it what has happened before (replica.ts); where one that
// stands there is still running, it goes on from there. Ledgers, places and processes that are equal are one value
// with a number. Processes are equal when everything that their code holds is: the lines they know, what they were
// asked and have not answered, what they wait for, how far their performers are and since when, the last id, and what
// was seen from outside; `isMerging` false takes no two of them for equal, so that a walk without this can be held
// against one with.

import assert from "node:assert/strict";
import type { Commit } from "../../../src/ledger/engine.ts";
import type { Ulid } from "../../../src/ledger/record/record.ts";
import type { World } from "../../../src/simulator/world/world.ts";
import type { SimLedger } from "../ledger.ts";
import { type Facts, factsOf, hashAt, hashOf } from "./facts.ts";
import { type Happening, type Replica, type ReplicaGround, replicaOf, type Source, type Whose } from "./replica.ts";

export type LedgerAt = {
  readonly id: number;
  /** Equal where the lines are, whenever each became durable: no process can know that. */
  readonly lines: number;
  readonly ledger: SimLedger;
};
export type WorldAt = {
  readonly id: number;
  readonly world: World;
  /** Equal where they are: its guests, its journal. */
  readonly guests: number;
  readonly journal: number;
};
export type Node = {
  readonly id: number;
  readonly whose: Whose;
  readonly facts: Facts;
  readonly before: Before | undefined;
};
type At = { readonly deaths: readonly Ulid[]; readonly ledger: LedgerAt; readonly world: WorldAt };
type Before = At & { readonly happening: Happening; readonly node: Node | undefined };

/** Where no place is named, it is as it was. */
export type Step = {
  readonly anchored: number | undefined;
  readonly landed: Commit | undefined;
  readonly node: Node;
  readonly world: WorldAt | undefined;
};

export type Steps = {
  readonly ledgerAt: (ledger: SimLedger) => LedgerAt;
  /** The ledger with what landed on it then. */
  readonly longer: (before: LedgerAt, commit: Commit | undefined, nowMs: number) => LedgerAt;
  /** The ledger with so many of its records anchored. */
  readonly surer: (before: LedgerAt, anchored: number | undefined) => LedgerAt;
  readonly worldAt: (world: World) => WorldAt;
  readonly numberOf: (text: string) => number;
  /** What was found out before, or a promise of what is found out now. */
  readonly step: (whose: Whose, node: Node | undefined, happening: Happening, at: At) => Step | Promise<Step>;
  readonly effort: () => { readonly replays: number; readonly runs: number };
};

/** So many processes are left running where they stand, for whoever comes by next. */
const RUNNING_MAX = 400;

const nameOf = (happening: Happening): string => {
  switch (happening.kind) {
    case "take":
      return `${happening.how} ${happening.at}`;
    case "ring":
      return `ring ${happening.at}`;
    default:
      return happening.kind;
  }
};

/** Maps as lists of their entries, in their order. */
const replacer = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);

export const stepsOf = (ground: ReplicaGround, isMerging: boolean): Steps => {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const ledgers = new Map<string, LedgerAt>();
  const ledgerAt = (ledger: SimLedger): LedgerAt => {
    const name = `${ledger.head().hash} ${ledger.anchored()} ${ledger.landedMs.join()}`;
    const known = ledgers.get(name) ?? { id: ledgers.size, ledger, lines: numberOf(ledger.head().hash) };
    ledgers.set(name, known);
    return known;
  };
  const grown = new Map<string, LedgerAt>();
  const longer: Steps["longer"] = (before, commit, nowMs) => {
    const line = commit?.lines.at(-1);
    if (commit === undefined || line === undefined) return before;
    const name = `${before.id} ${nowMs} ${hashOf(line)}`;
    const same = grown.get(name);
    if (same !== undefined) return same;
    const ledger = before.ledger.fork();
    assert.equal(ledger.land(commit, ledger.size(), nowMs).kind, "ok");
    const made = ledgerAt(ledger);
    grown.set(name, made);
    return made;
  };
  const surer: Steps["surer"] = (before, anchored) => {
    if (anchored === undefined || anchored <= before.ledger.anchored()) return before;
    const ledger = before.ledger.fork();
    ledger.anchor(anchored);
    return ledgerAt(ledger);
  };
  const worlds = new Map<string, WorldAt>();
  const known = new WeakMap<World, WorldAt>();
  const worldAt = (world: World): WorldAt => {
    const same = known.get(world);
    if (same !== undefined) return same;
    const name = JSON.stringify(world, replacer);
    const equal = worlds.get(name) ?? {
      guests: numberOf(JSON.stringify(["guests", world.guests], replacer)),
      id: worlds.size,
      journal: numberOf(JSON.stringify(["journal", world.journal])),
      world,
    };
    worlds.set(name, equal);
    known.set(world, equal);
    return equal;
  };

  const nodes = new Map<string, Node>();
  let nodesMade = 0;
  const shapeOf = (whose: Whose, facts: Facts, ledger: SimLedger): string => {
    const { state, tries, ...rest } = facts;
    const seen = tries.map(({ failure, lefts, progress, ...tried }) => ({
      ...tried,
      failure: failure === undefined ? 0 : String(failure),
      lefts: lefts.map(({ seen: world, ...left }) => ({ ...left, seen: world && worldAt(world).id })),
      progress,
    }));
    const from = rest.waiting.map((one) => hashAt(ledger, one.from ?? 0));
    return JSON.stringify([whose, hashAt(ledger, state.size), state.size, from, rest, seen], replacer);
  };
  const nodeOf = (whose: Whose, facts: Facts, before: Before, ledger: SimLedger): Node => {
    const name = isMerging ? shapeOf(whose, facts, ledger) : `${nodesMade}`;
    const equal = nodes.get(name) ?? { before, facts, id: nodesMade, whose };
    nodesMade += equal.id === nodesMade ? 1 : 0;
    nodes.set(name, equal);
    return equal;
  };

  const running = new Map<number, Replica>();
  const keep = (node: Node, replica: Replica): void => {
    running.set(node.id, replica);
    const [oldest] = running.keys();
    if (running.size > RUNNING_MAX && oldest !== undefined) running.delete(oldest);
  };
  let [runs, replays] = [0, 0];
  const momentOf = ({ deaths, ledger: { ledger }, world: { world } }: At) => ({ deaths, ledger, world });
  /** One that stands where the node does. */
  const replicaAt = async (whose: Whose, node: Node | undefined): Promise<Replica> => {
    const idle = node === undefined ? undefined : running.get(node.id);
    if (node !== undefined && idle !== undefined) {
      running.delete(node.id);
      return idle;
    }
    const past: Before[] = [];
    for (let one = node?.before; one !== undefined; one = one.node?.before) past.push(one);
    replays += 1;
    const replica = replicaOf(ground, whose);
    for (const one of past.reverse()) await replica.happen(one.happening, momentOf(one));
    return replica;
  };

  /** By what it happened to and when: what came of it, or what that depends on besides. */
  const found = new Map<string, Step | Source>();
  const idIn = (at: At, source: Source): number =>
    source === "size" ? at.ledger.ledger.size() : source === "ledger" ? at.ledger.lines : at.world.id;
  const findOut = async (
    whose: Whose,
    node: Node | undefined,
    happening: Happening,
    at: At,
    name: string,
  ): Promise<Step> => {
    runs += 1;
    const replica = await replicaAt(whose, node);
    const left = await replica.happen(happening, momentOf(at));
    const facts = factsOf(replica, at.world.world.nowMs);
    const { ledger } = longer(at.ledger, left.landed, at.world.world.nowMs);
    const made = nodeOf(whose, facts, { ...at, happening, node }, ledger);
    keep(made, replica);
    const step: Step = {
      anchored: left.anchored,
      landed: left.landed,
      node: made,
      world: left.used.includes("world") ? worldAt(left.world) : undefined,
    };
    let path = name;
    for (const source of left.used) {
      found.set(path, source);
      path = `${path} ${source} ${idIn(at, source)}`;
    }
    found.set(path, step);
    return step;
  };

  return {
    ledgerAt,
    longer,
    numberOf,
    surer,
    effort: () => ({ replays, runs }),
    step: (whose, node, happening, at) => {
      const first = `${node?.id ?? `new ${whose.no} ${whose.slot}`} ${nameOf(happening)} ${at.world.world.nowMs} ${at.deaths.join()}`;
      let path = first;
      for (let known = found.get(path); known !== undefined; known = found.get(path)) {
        if (typeof known !== "string") return known;
        path = `${path} ${known} ${idIn(at, known)}`;
      }
      return findOut(whose, node, happening, at, first);
    },
    worldAt,
  };
};
