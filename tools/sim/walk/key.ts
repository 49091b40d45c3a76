// When two states of a walk are one: when nothing that can follow, and nothing that a check will ask of the past, tells
// them apart. Everything of a state is in its key, but for what is listed here, with the reason:
//
// - where a refused command stands in the ledger. It changes what nobody holds but the size, the latest stamp and its
//   key; of it the key is kept with the answer that is given again. Sizes are therefore counted in granted records.
// - the memory of a process that is gone. Nothing reaches it and nothing leaves it; what it sent and what was seen
//   stay.
// - how much of the ledger a process knows that does not know all. Nothing that is decided on an old ledger goes in:
//   the commit is behind, and everything is read before it is decided again; whatever else asks for the state reads
//   first. And of one that reads it next, or has nothing to do, not even whether it is behind.
// - a commit that is behind and for whose answer nobody waits. Nothing comes of it.
// - how far a try was that is over. Nobody performs it any more; what it sent stays.
// - of a call that has left, when it left and how much was durable then; of a death, the same; of a record, when it
//   became durable, but for intents and outcomes. Each was judged when it happened: every state is judged before it is
//   held against the others, by a key of its own that has all the evidence in it (`evidenceOf`).
// - the contents of a commit that is behind. It never goes in, and says so; what is decided again is what was asked.
// - the last id of a process, and the ids of what it has asked and not recorded yet. They are names: which one comes
//   next changes no decision.
//
// What may still go wrong is not in the key but beside it (`Seen`): of two states that are one otherwise, whatever can
// follow on the one in which more has gone wrong can follow on the other.

import type { Command } from "../../../src/kernel/command/request.ts";
import type { World } from "../../../src/simulator/world/world.ts";
import { entryOf, isGranted } from "../checks/evidence.ts";
import { contentOf, type Facts, hashAt, type OnItsWay, type Tried } from "./facts.ts";
import { isVain, type Position } from "./position.ts";
import type { LedgerAt, Node, Steps } from "./steps.ts";
import { type Used, WRONGS } from "./wrongs.ts";

export type Keys = {
  readonly keyOf: (position: Position) => string;
  /** What the checks of a state look at, and nothing else. */
  readonly evidenceOf: (position: Position) => string;
};

/** The records of which it will be asked when they became durable. */
const LANDED: ReadonlySet<string> = new Set(["apply", "outcome"]);

/** Whoever reads the ledger knows all of it then, however much it knew. */
const isReading = ({ text, what }: OnItsWay): boolean => what === "head" && text === "";

const shapeOfCommand = ({ actor, at, causationId, environment, id, key, request }: Command): unknown => [
  [actor.id, at, causationId, environment, request],
  key === id ? "its own" : key,
];

const isIdle = ({ isReady, isRecovering, pending, timers, tries, waiting, waits }: Facts): boolean =>
  isReady &&
  !isRecovering &&
  !waits.is &&
  pending.length === 0 &&
  timers.length === 0 &&
  waiting.length === 0 &&
  tries.every(({ isOver }) => isOver);

export const keysOf = (steps: Steps): Keys => {
  const { numberOf } = steps;
  const numbered = (value: unknown): number => numberOf(JSON.stringify(value));

  const grants = new Map<string, number>();
  /** How many of so many lines were granted. */
  const grantedIn = ({ id, ledger }: LedgerAt, size: number | undefined): number | undefined => {
    if (size === undefined) return undefined;
    const name = `${id} ${size}`;
    const known = grants.get(name) ?? ledger.records.slice(0, size).filter((one) => isGranted(entryOf(one))).length;
    grants.set(name, known);
    return known;
  };
  const shapes = new Map<number, number>();
  const shapeOfLedger = (at: LedgerAt): number => {
    const { id, ledger } = at;
    const { landedMs, lines, records } = ledger;
    const known = shapes.get(id);
    if (known !== undefined) return known;
    const entries = records.map(entryOf);
    const made = numbered([
      entries.flatMap((entry, provider) => {
        const line = lines[provider];
        if (!isGranted(entry) || line === undefined) return [];
        return [[contentOf(line), LANDED.has(entry.request.kind) ? landedMs[provider] : undefined]];
      }),
      entries
        .filter((entry) => entry.request.kind === "apply" && !isGranted(entry))
        .map(({ record: { actor, idempotencyKey }, result }) => JSON.stringify([idempotencyKey, actor.id, result]))
        .toSorted(),
      entries.at(-1)?.record.processTime,
      grantedIn(at, ledger.anchored()),
    ]);
    shapes.set(id, made);
    return made;
  };

  const shapeOfWay = ({ commit, isHeard, text, way, what }: OnItsWay, { ledger }: LedgerAt): unknown => {
    if (commit === undefined) return [way, what, text, isHeard];
    const isNext = commit.size === ledger.lines.length;
    // What somebody waits for follows from what was asked.
    if (way === "out") return [way, what, isNext, isHeard || !isNext ? "" : commit.contents];
    return [way, what, text, isNext, hashAt(ledger, commit.end) === commit.hash];
  };
  const guestsIn = (seen: World | undefined): number | undefined => seen && steps.worldAt(seen).guests;
  const shapeOfCalls = ({ lefts }: Tried): unknown => lefts.map(({ intent, seen }) => [intent, guestsIn(seen)]);
  const shapeOfTry = (tried: Tried, ledger: LedgerAt): unknown => {
    const { askedMs, isOver, lefts, progress, sizeAtLook } = tried;
    const calls = shapeOfCalls(tried);
    if (isOver) return calls;
    return [calls, askedMs, progress, lefts.length === 0 ? grantedIn(ledger, sizeAtLook) : "left"];
  };
  const shapeOfProcess = ({ facts, whose }: Node, ledger: LedgerAt): unknown => {
    const { instance, isReady, isRecovering, isUp, pending, skewMs, state, timers, tries, waiting, waits } = facts;
    const onItsWay = waiting.filter((one) => !isVain(one, isUp, ledger)).map((one) => shapeOfWay(one, ledger));
    if (!isUp) return [whose, instance, onItsWay, tries.map(shapeOfCalls)];
    const shared = [whose, instance, skewMs, tries.map((one) => shapeOfTry(one, ledger))];
    if (isIdle(facts)) return shared;
    const isBehind = !(waiting.length > 0 && waiting.every(isReading)) && state.size < ledger.ledger.lines.length;
    // Who starts reads more than once, and how far that has come is nowhere else.
    const start = isReady ? undefined : waiting.map(({ no }) => no);
    return [...shared, isRecovering, isBehind, onItsWay, start, timers, waits, pending.map(shapeOfCommand)];
  };
  const processes = new Map<string, number>();
  const processKey = (node: Node, ledger: LedgerAt): number => {
    const name = `${node.id} ${ledger.id}`;
    const known = processes.get(name) ?? numbered(shapeOfProcess(node, ledger));
    processes.set(name, known);
    return known;
  };
  const evidenceIn = ({ failure, lefts }: Tried): unknown => [
    failure === undefined ? 0 : String(failure),
    lefts.map(({ seen, ...left }) => [left, guestsIn(seen)]),
  ];
  const evidence = new Map<number, number>();
  const evidenceKey = (node: Node): number => {
    const name = node.id;
    const known = evidence.get(name) ?? numbered(node.facts.tries.map((one) => evidenceIn(one)));
    evidence.set(name, known);
    return known;
  };
  return {
    evidenceOf: ({ deaths, ledger, losses, nodes, world }) => {
      const lost = losses.map(({ nodes: count, size }) => `${count} ${size}`);
      return `${ledger.id} ${world.journal} ${nodes.map(evidenceKey).join()} ${deaths.join()} ${lost.join()}`;
    },
    keyOf: ({ deaths, ledger, nodes, world }) => {
      const shape = shapeOfLedger(ledger);
      return `${shape} ${world.id} ${nodes.map((node) => processKey(node, ledger)).join()} ${deaths.map(([instance]) => instance).join()}`;
    },
  };
};

/** States by their key, each with what had gone wrong when it was reached. */
export type Seen = {
  /** True when nothing new can follow: it was reached before with no more gone wrong. */
  readonly has: (key: string, used: Used) => boolean;
  readonly size: () => number;
};

const isWithin = (one: Used, other: Used): boolean => WRONGS.every((wrong) => one[wrong] <= other[wrong]);

export const seenStates = (): Seen => {
  const seen = new Map<string, readonly Used[]>();
  let states = 0;
  return {
    has: (key, used) => {
      const before = seen.get(key) ?? [];
      if (before.some((one) => isWithin(one, used))) return true;
      states += 1;
      seen.set(key, [...before, used]);
      return false;
    },
    size: () => states,
  };
};
