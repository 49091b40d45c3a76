// One world by chance: people act, the world moves, messages are lost, processes crash, stand still and start again,
// all drawn from one seed, so that a seed is a whole history. The loop is scheduler.ts, what can happen is stage.ts.

import type { Change } from "../../src/simulator/world/faults.ts";
import { type Chance, chanceFrom } from "../fuzz/chance.ts";
import { actsFor, claimedIn, comesUp, hurries, stops } from "./acts.ts";
import { type Board, boardOf } from "./board.ts";
import { CAST, type Edit, SERVED_PROLOGUES, STAFF } from "./cast.ts";
import { finish } from "./finish.ts";
import type { Parts } from "./parts.ts";
import type { Act, Scene } from "./planning-acts.ts";
import type { GoneOf, Process } from "./process.ts";
import { run } from "./scheduler.ts";
import { type Setting, settingOf } from "./seeded-world.ts";
import { type Choice, type Stage, stageOf } from "./stage.ts";

export type Told = { readonly setting: Setting; readonly stage: Stage; readonly steps: readonly string[] };

/** How likely each kind of choice is, against one message that is taken; what is not listed is never chosen here. */
const WEIGHTS: Readonly<Record<string, number>> = {
  act: 50,
  back: 100,
  change: 2,
  configure: 0.4,
  crash: 1,
  "lost-tail": 1,
  hurry: 6,
  "lost-reply": 3,
  "lost-request": 1,
  "lost-lock": 2,
  "lost-sight": 2,
  "no-read": 2,
  "no-write": 1,
  out: 100,
  pause: 1.5,
  recovery: 2,
  restart: 30,
  resume: 15,
  ring: 60,
  "set-right": 4,
  skew: 3,
  stop: 20,
  "time-due": 40,
  "time-expire": 0.2,
  "time-send": 1,
  "time-settle": 1,
  "time-short": 12,
};

/** How often the disk of the anchor is full. */
const ANCHOR_FAILS_ONE_IN = 10;

/** So many processes start before a policy is changed. */
const FIRST_COUNT = 2;

const SHORT_MS = 700;
const PAST_SEND_MS = 31_000;
const PAST_SETTLE_MS = 11 * 60_000;
const PAST_EXPIRY_MS = 16 * 60_000;

const YEAR_MS = 365 * 24 * 60 * 60_000;
const SKEWS_MS: readonly [number, ...number[]] = [-300_000, -5_000, 5_000, 20_000, 300_000, 900_000, YEAR_MS];

const CHANGES: readonly [Change, ...Change[]] = [
  { kind: "starts", vmid: 101 },
  { kind: "stops", vmid: 101 },
  { kind: "starts", vmid: 102 },
  { kind: "stops", vmid: 102 },
  { kind: "replaced", vmid: 102 },
  { kind: "renamed", name: "prod-web", vmid: 101 },
  { kind: "renamed", name: "web-01", vmid: 101 },
  { kind: "set", key: "lock", value: "backup", vmid: 102 },
  { kind: "unset", key: "lock", vmid: 102 },
  { kind: "set", key: "tags", value: "prod", vmid: 102 },
  { kind: "unset", key: "tags", vmid: 102 },
  { kind: "node-dies", node: "pve1" },
  { kind: "node-returns", node: "pve1" },
  { kind: "node-cut", node: "pve1" },
  { kind: "node-joined", node: "pve1" },
  { kind: "node-joined", node: "pve1" },
  { kind: "quorum-lost" },
  { kind: "quorum-returns" },
];

/** Mostly back to what was written at first: under one edit for good, little of what came before is left to see. */
const EDITS: readonly [Edit, ...Edit[]] = [
  {},
  {},
  { address: "https://192.0.2.7:8006" },
  { approval: "four-eyes" },
  { approval: "single-operator" },
];

const times = (stage: Stage): readonly Choice[] => {
  const passing = (kind: string, ms: number): Choice => ({ kind, name: `${ms} ms`, take: () => stage.pass(ms) });
  const due = stage.provider.dueMs();
  const { nowMs } = stage.provider.world();
  return [
    passing("time-short", SHORT_MS),
    passing("time-send", PAST_SEND_MS),
    passing("time-settle", PAST_SETTLE_MS),
    passing("time-expire", PAST_EXPIRY_MS),
    ...(due === undefined || due <= nowMs ? [] : [passing("time-due", due - nowMs)]),
  ];
};

const weighted = <T>(list: readonly (readonly [number, T])[], chance: Chance): T | undefined => {
  const total = list.reduce((sum, [weight]) => sum + weight, 0);
  let left = (chance.below(1_000_000) / 1_000_000) * total;
  return list.find(([weight]) => {
    left -= weight;
    return left < 0;
  })?.[1];
};

/** Whoever is not waiting for an answer may do something; a process that crashed answers nobody. */
const peopleOf = (scene: Scene, isServed: boolean): (() => readonly Choice[]) => {
  const busy = new Map<string, Process>();
  const cast = isServed ? STAFF : CAST;
  const begin = (who: (typeof CAST)[number]): void => {
    const ready = scene.stage.processes().filter((process) => process.isReady());
    const [process, act] = [
      ready[scene.chance.below(ready.length)],
      weighted<Act>(actsFor(who, scene.chance, isServed), scene.chance),
    ];
    if (process === undefined || act === undefined) return;
    const { id } = who.actor;
    busy.set(id, process);
    const free = (): void => {
      if (busy.get(id) === process) busy.delete(id);
    };
    act(scene, scene.board.holding(who, scene.chance.oneIn(20)), process).then(free, () => {
      scene.stage.counts.add("acts broken off");
      free();
    });
  };
  return () =>
    cast
      .filter(({ actor }) => busy.get(actor.id)?.isUp() !== true)
      .map((who) => ({
        kind: "act",
        name: who.actor.id,
        take: () => begin(who),
      }));
};

/** While a step is claimed, somebody wants it stopped. */
const stoppersOf = (scene: Scene, brokenOff: () => void): (() => readonly Choice[]) => {
  const { board, chance, stage } = scene;
  return () =>
    stage
      .processes()
      .filter((process) => process.isReady() && claimedIn(process).length > 0)
      .map((process) => ({
        kind: "stop",
        name: `${process.no}`,
        take: () => void stops(scene, board.holding(chance.pick(CAST)), process).catch(brokenOff),
      }));
};

const ofProcesses = (
  stage: Stage,
  { isHurried, isProvable, isSkewed }: Setting,
  chance: Chance,
  { hurry, recover }: Readonly<Record<"hurry" | "recover", (one: Process) => void>>,
) =>
  stage
    .processes()
    .filter((process) => process.isReady() && !process.isPaused())
    .flatMap((process): readonly Choice[] => [
      { kind: "recovery", name: `${process.no}`, take: () => recover(process) },
      ...(isProvable || !process.lock.isHeld()
        ? []
        : [{ kind: "lost-lock", name: `${process.no}`, take: () => process.lock.lose() }]),
      ...(isHurried ? [{ kind: "hurry", name: `${process.no}`, take: () => hurry(process) }] : []),
      ...(isSkewed
        ? [
            { kind: "skew", name: `${process.no}`, take: () => process.skew(chance.pick(SKEWS_MS)) },
            { kind: "set-right", name: `${process.no}`, take: () => process.unskew() },
          ]
        : []),
    ]);

/** The machine crashes and its log is gone: up to the last checkpoint outside, or a part of that. */
const losses = ({ ledger, loseTail }: Stage, chance: Chance): readonly Choice[] => {
  const [least, most] = [ledger.anchored(), ledger.size()];
  if (least === most) return [];
  return [{ kind: "lost-tail", name: `${least} of ${most}`, take: () => loseTail(least + chance.below(most - least)) }];
};

/** `stepsMax` cuts the history short; what happens until then is the same. */
export const randomWorld = async (seed: number, parts: Parts, stepsMax = Number.POSITIVE_INFINITY): Promise<Told> => {
  const setting = settingOf(seed);
  const chance = chanceFrom(seed);
  const { isFragile, isProvable, isServed, kernels, mode, policies, world } = setting;
  let board: Board | undefined;
  let edit: Edit = {};
  // What another process can prove: that an owner is dead; or, where the ledger is a server's, that its lock is free.
  const goneOf: GoneOf = (owner) => {
    if (isProvable) return stage.deaths.has(owner) ? "owner-ended" : undefined;
    const isHeld = stage.processes().some((one) => one.instance === owner && one.isUp() && one.lock.isHeld());
    return isHeld ? undefined : "owner-unlocked";
  };
  const brokenOff = (): void => stage.counts.add("acts broken off");
  const stage: Stage = stageOf({
    anchors: () => !isFragile || !chance.oneIn(ANCHOR_FAILS_ONE_IN),
    kernels,
    ...(isServed ? { ledger: SERVED_PROLOGUES[mode] } : {}),
    mode,
    onAnswer: (command, answer) => board?.note(command, answer),
    onStart: (process, on) => {
      comesUp(on, process, (owner) => goneOf(owner)).catch(() => on.counts.add("acts broken off"));
    },
    pace: "apart",
    parts,
    editFor: (no) => {
      const policy = policies[no <= FIRST_COUNT ? 0 : 1];
      const written = isServed ? { ...edit, isServed } : edit;
      return policy === undefined ? written : { ...written, policy };
    },
    onConfigure: () => {
      edit = chance.pick(EDITS);
    },
    providerSkewMs: setting.providerSkewMs,
    world,
  });
  board = boardOf(stage.ledger);
  const people = peopleOf({ board, chance, stage }, isServed);
  const stoppers = stoppersOf({ board, chance, stage }, brokenOff);
  const recover = (process: Process): void => {
    process.recover(goneOf).then((found) => stage.counts.add("intents recovered", found), brokenOff);
  };
  const hurry = (process: Process): void => {
    hurries(process).catch(brokenOff);
  };
  const changes: readonly Choice[] = [
    { kind: "change", name: "somebody else", take: () => stage.provider.change(chance.pick(CHANGES)) },
  ];
  const steps: string[] = [];
  await run(
    () => [
      ...stage.traffic(),
      ...stage.fortunes(),
      ...(isFragile ? losses(stage, chance) : []),
      ...people(),
      ...stoppers(),
      ...ofProcesses(stage, setting, chance, { hurry, recover }),
      ...changes,
      ...times(stage),
    ],
    (choices) => {
      if (steps.length >= Math.min(stepsMax, setting.steps)) return undefined;
      // The weight of a kind is shared by all choices of that kind, so that many messages do not drown the rest.
      const kinds = [...new Set(choices.map(({ kind }) => kind))];
      const kind = weighted(
        kinds.map((one) => [WEIGHTS[one] ?? 0, one] as const),
        chance,
      );
      const alike = choices.filter((choice) => choice.kind === kind);
      const choice = alike[chance.below(alike.length)];
      if (choice !== undefined) {
        stage.counts.add(choice.kind);
        steps.push(`${choice.kind} ${choice.name}`);
      }
      return choice;
    },
  );
  await finish(stage, goneOf);
  return { setting, stage, steps };
};
