// The exhaustive strategy: every choice in every state that can be reached, each state once.
//
// A world cannot be copied in the middle (its processes are running code), so a state is reached again by making the same
// choices again from the start. States are told apart by everything that decides what can follow: the ledger's head, the
// place, what every process holds and waits for, what is on its way, and what may still go wrong.

import { sha256 } from "../../src/spine/hash.ts";
import { type Objection, objectionsAtRest, objectionsNow, objectionsToRecords } from "./check.ts";
import { entryOf, isGranted } from "./checks/evidence.ts";
import { finish } from "./finish.ts";
import type { Parts } from "./parts.ts";
import type { Process } from "./process.ts";
import { type Contest, rivals } from "./rivals.ts";
import { run, settled } from "./scheduler.ts";
import type { Choice, Stage } from "./stage.ts";

/** How often each thing may go wrong in one history, and how many of them together. */
export type Scope = {
  readonly contest: Contest;
  readonly crash: number;
  readonly freeze: number;
  /** A clock jumps ahead of every deadline, and its process looks after what it takes for left open. */
  readonly hasty: number;
  readonly isProvable: boolean;
  readonly lost: number;
  readonly past: number;
  readonly together: number;
};

export type Explored = {
  readonly atRest: number; // histories that came to rest, and were checked there
  readonly failure: { readonly objections: readonly Objection[]; readonly path: readonly string[] } | undefined;
  readonly ledgers: number; // different ledgers, each replayed and verified
  readonly states: number;
  readonly transitions: number;
};

const WORK_MS = 5_000;
const PAST_SEND_MS = 31_000;
const PAST_SETTLE_MS = 11 * 60_000;

type Wrong = "crash" | "freeze" | "hasty" | "lost" | "past";
const WRONG: Readonly<Record<string, Wrong>> = {
  crash: "crash",
  freeze: "freeze",
  hasty: "hasty",
  "lost-reply": "lost",
  "lost-request": "lost",
  "lost-sight": "lost",
  "past-send": "past",
  "past-settle": "past",
};
/** What goes on by itself as long as nothing goes wrong. */
const GOES_ON: ReadonlySet<string> = new Set(["back", "out", "restart", "ring", "work"]);

const isReady = (process: Process): boolean => process.isReady();

const choicesOf = (stage: Stage, freeze: () => void): readonly Choice[] => {
  const isWorking = stage.place.dueMs() !== undefined;
  const passing = (kind: string, ms: number): Choice => ({ kind, name: `${ms} ms`, take: () => stage.pass(ms) });
  return [
    ...stage.traffic(),
    ...stage.fortunes(),
    ...(isWorking ? [passing("work", WORK_MS)] : []),
    passing("past-send", PAST_SEND_MS),
    passing("past-settle", PAST_SETTLE_MS),
    { kind: "freeze", name: "alice", take: freeze },
    ...stage
      .processes()
      .filter(isReady)
      .map((process) => ({
        kind: "hasty",
        name: `${process.no}`,
        take: () => {
          process.skew(PAST_SETTLE_MS);
          void process.recover(() => false);
        },
      })),
  ].filter(({ kind }) => GOES_ON.has(kind) || Object.hasOwn(WRONG, kind));
};

/**
 * What a ledger decides of the future: the records that were granted, the keys that were used, and the latest stamp. A
 * refused command changes nothing else, so that it makes no difference where between the others it stands.
 */
const shapeOfLedger = ({ records }: Stage["ledger"], size: number): unknown => {
  const known = records.slice(0, size);
  return [
    known.filter((record) => isGranted(entryOf(record))).map(({ auditId, processTime }) => [auditId, processTime]),
    known.flatMap(({ idempotencyKey, kind }) => (kind === "apply" ? [idempotencyKey] : [])).toSorted(),
    known.at(-1)?.processTime,
  ];
};

const shapeOfProcess = (stage: Stage, process: Process): unknown => {
  const { isUp, no, now, state, traffic } = process;
  const { size } = stage.ledger.head();
  const known = state().size;
  return [
    no,
    isUp(),
    isReady(process),
    process.isRecovering(),
    now(),
    known === size ? "all" : shapeOfLedger(stage.ledger, known),
    traffic.waiting().map(({ carries, way, what }) => [way, what, carries(size)]),
    traffic.timers().map(({ dueMs, what }) => [dueMs, what]),
  ];
};

/** What the checks will ask about the past is part of a state too. */
const grantedBefore = ({ ledger }: Stage, size: number | undefined): number =>
  ledger.records.slice(0, size ?? 0).filter((record) => isGranted(entryOf(record))).length;

const keyOf = (stage: Stage, used: Readonly<Record<Wrong, number>>): string => {
  const { guests, journal, nowMs, tasks } = stage.place.world();
  return sha256(
    JSON.stringify([
      nowMs,
      shapeOfLedger(stage.ledger, stage.ledger.head().size),
      journal,
      [...tasks.values()].map(({ state, upid }) => [upid, state]),
      [...guests.values()].map(({ run: state }) => state),
      stage.everybody().map((process) => shapeOfProcess(stage, process)),
      stage.traces.map(({ instance, isOver, lefts, progress, sizeAtLook }) => [
        instance,
        isOver(),
        progress(),
        grantedBefore(stage, sizeAtLook()),
        lefts.map(({ atMs, intent, size }) => [atMs, intent, grantedBefore(stage, size)]),
      ]),
      [...stage.deaths.keys()],
      used,
    ]),
  );
};

const nothingUsed = (): Record<Wrong, number> => ({ crash: 0, freeze: 0, hasty: 0, lost: 0, past: 0 });

/** Walks until everything was seen, the first objection, or `goesOn` says no. */
export const explore = async (scope: Scope, parts: Parts, goesOn: () => boolean = () => true): Promise<Explored> => {
  const { freeze, stage: open } = await rivals(scope.isProvable);
  const seen = new Set<string>();
  const ledgers = new Set<string>();
  const ahead: (readonly number[])[] = [[]];
  let [atRest, transitions] = [0, 0];
  let failure: Explored["failure"];

  /** One history: the choices that lead to a place that was left open, and from there on the first that is new. */
  const walk = async (path: readonly number[]): Promise<void> => {
    const stage = open(parts, scope.contest);
    const used = nothingUsed();
    const names: string[] = [];
    const taken: number[] = [];
    let isResting = false;
    await opening(stage);
    const isAllowed = ({ kind }: Choice): boolean => {
      const wrong = WRONG[kind];
      if (wrong === undefined) return true;
      const sum = Object.values(used).reduce((total, times) => total + times, 0);
      return sum < scope.together && used[wrong] < scope[wrong];
    };
    const judge = (objections: readonly Objection[]): void => {
      if (objections.length > 0) failure ??= { objections, path: names };
    };
    const evidence = { isSkewed: scope.hasty > 0, stage };
    await run(
      () => choicesOf(stage, () => freeze(stage)).filter(isAllowed),
      (choices) => {
        const at = taken.length;
        let index = path[at];
        if (index === undefined) {
          judge(objectionsNow(evidence));
          const key = keyOf(stage, used);
          if (seen.has(key)) return undefined;
          seen.add(key);
          isResting = !choices.some(({ kind }) => GOES_ON.has(kind));
          const first = isResting ? 0 : 1;
          for (let other = choices.length - 1; other >= first; other -= 1) ahead.push([...taken, other]);
          if (isResting || failure !== undefined) return undefined;
          index = 0;
        }
        if (at >= path.length - 1) transitions += 1;
        const choice = choices[index];
        if (choice === undefined) return undefined;
        const wrong = WRONG[choice.kind];
        if (wrong !== undefined) used[wrong] += 1;
        names.push(`${choice.kind} ${choice.name}`);
        taken.push(index);
        return choice;
      },
    );
    const { hash } = stage.ledger.head();
    if (!ledgers.has(hash)) {
      ledgers.add(hash);
      judge(await objectionsToRecords(evidence));
    }
    if (!isResting || failure !== undefined) return;
    atRest += 1;
    await finish(stage, (owner) => scope.isProvable && stage.deaths.has(owner));
    judge(await objectionsAtRest(evidence));
  };

  for (let path = ahead.pop(); path !== undefined && failure === undefined && goesOn(); path = ahead.pop()) {
    await walk(path);
  }
  return { atRest, failure, ledgers: ledgers.size, states: seen.size, transitions };
};

/** Both processes have read the ledger before anything is chosen. */
const opening = async (stage: Stage): Promise<void> => {
  await settled();
  for (const { take } of stage.traffic()) take();
  await settled();
};
