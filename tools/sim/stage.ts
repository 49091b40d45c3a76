// The stage of one simulated world: a place, a ledger, processes that come and go, and everything that can happen next.
//
// What happens is one of `choices`, which strategy ever chooses; the same list serves chance and exhaustion. Nothing
// moves by itself: no clock, no timer, no answer. Not here: who chooses (scheduler.ts), what people do (acts.ts).

import assert from "node:assert/strict";
import { configHash, type RecordedConfig } from "../../src/kernel/command/recorded-config.ts";
import type { Command } from "../../src/kernel/command/request.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import { providerOf } from "../../src/simulator/ports/provider.ts";
import type { World } from "../../src/simulator/world/world.ts";
import { configOf, type Edit, type Mode, PROLOGUES } from "./cast.ts";
import { type Counts, countsOf } from "./counts.ts";
import type { SimLedger } from "./ledger.ts";
import type { Parts } from "./parts.ts";
import { type Process, startProcess } from "./process.ts";
import { clamped, type Trace } from "./trace.ts";
import type { Pace } from "./traffic.ts";

export type Choice = { readonly kind: string; readonly name: string; readonly take: () => void };

export type Stage = {
  /** What a process of this number says that it is configured with. */
  readonly configFor: (no: number) => RecordedConfig;
  readonly counts: Counts;
  /** How many lines were durable when each process that is gone ended. */
  readonly deaths: ReadonlyMap<Ulid, number>;
  readonly ledger: SimLedger;
  readonly mode: Mode;
  readonly parts: Parts;
  readonly provider: ReturnType<typeof providerOf>;
  /** Those in the slots, and crashed ones whose messages are still on their way. */
  readonly everybody: () => readonly Process[];
  /** The one in each slot, up or not. */
  readonly processes: () => readonly Process[];
  /** Everything that can happen next without anybody deciding anything: the traffic of all processes. */
  readonly traffic: () => readonly Choice[];
  /**
   * The machine of the ledger crashes with every process, and its log is lost behind this size; nothing anchored is.
   */
  readonly loseTail: (size: number) => void;
  /** What can befall processes: they crash, start again, stand still, go on. */
  readonly fortunes: () => readonly Choice[];
  readonly traces: readonly Trace[];
  readonly pass: (ms: number) => void;
};

export type StageOptions = {
  readonly anchors?: () => boolean;
  readonly kernels: number;
  readonly ledger?: SimLedger;
  readonly mode: Mode;
  readonly onAnswer?: (command: Command, answer: SubmissionAnswer) => void;
  readonly onStart: (process: Process, stage: Stage) => void;
  readonly pace: Pace;
  readonly parts: Parts;
  /** What the operator of a process of this number has edited, asked when it starts; nothing when it is not said. */
  readonly editFor?: (no: number) => Edit;
  /** Somebody edits the configuration, and whoever starts from then on has it. */
  readonly onConfigure?: () => void;
  /** How far the place's own clock is from the true one. */
  readonly providerSkewMs?: number;
  readonly world: World;
};

export const stageOf = (options: StageOptions): Stage => {
  const { kernels, mode, onAnswer, onStart, pace, parts } = options;
  const configs = new Map<number, RecordedConfig>();
  const configFor = (no: number): RecordedConfig => configs.get(no) ?? assert.fail(`process ${no} was not started`);
  const counts = countsOf();
  const provider = providerOf(options.world);
  const ledger = (options.ledger ?? PROLOGUES[mode]).fork();
  ledger.anchor(ledger.size());
  let traces: readonly Trace[] = [];
  const deaths = new Map<Ulid, number>();
  const slots: Process[] = [];
  /** Crashed ones whose messages are still on their way. */
  const ghosts: Process[] = [];
  let started = 0;

  const answered = (command: Command, answer: SubmissionAnswer): void => {
    onAnswer?.(command, answer);
    const result = answer.kind === "recorded" ? answer.record.body["result"] : undefined;
    const came = (result as { readonly kind?: string } | undefined)?.kind ?? answer.kind;
    counts.add(answer.kind === "recorded" && answer.replayed ? "answer replayed" : `${command.kind}: ${came}`);
  };
  const start = (slot: number): void => {
    started += 1;
    configs.set(started, configOf(mode, options.editFor?.(started)));
    const process = startProcess({
      ...(options.anchors === undefined ? {} : { anchors: options.anchors }),
      configHash: configHash(configFor(started)),
      ledger,
      no: started,
      nowMs: () => provider.world().nowMs,
      onAnswer: answered,
      onAppended: ({ kind }, isHeard) => counts.add(isHeard ? `append ${kind}` : `append ${kind}, unheard`),
      onTrace: (trace) => {
        counts.add("applies tried");
        traces = [...traces, trace];
      },
      pace,
      parts,
      provider,
      providerSkewMs: options.providerSkewMs ?? 0,
    });
    slots[slot] = process;
    onStart(process, stage);
  };
  const trafficOf = (process: Process): readonly Choice[] => {
    const takes = process.isUp() && !process.isPaused();
    const ofWaiting = process.traffic.waiting().flatMap(({ go, no, way, what, wrong }): readonly Choice[] => {
      if (way === "back" && !takes) return [];
      const name = `${process.no} ${way} ${what} ${no}`;
      const spoiled = process.isUp() ? Object.entries(wrong) : [];
      return [
        { kind: way, name, take: go },
        ...spoiled.map(([kind, take]) => ({ kind, name: `${name} ${kind}`, take })),
      ];
    });
    const { nowMs } = provider.world();
    const rings = process.traffic.timers().filter(({ dueMs }) => takes && dueMs <= nowMs);
    return [
      ...ofWaiting,
      ...rings.map(({ ring, what }) => ({ kind: "ring", name: `${process.no} ${what}`, take: ring })),
    ];
  };
  const crash = (process: Process): void => {
    process.crash();
    deaths.set(process.instance, ledger.lines.length);
    ghosts.push(process);
  };
  const loseTail = (size: number): void => {
    for (const process of everybody()) {
      if (process.isUp()) crash(process);
      process.cutOff();
    }
    ledger.cut(size);
    for (const [instance, diedAt] of deaths) deaths.set(instance, Math.min(diedAt, size));
    traces = traces.map((trace) => ({ ...trace, lefts: trace.lefts.map((left) => clamped(left, size)) }));
  };
  const fortuneOf = (process: Process, slot: number): readonly Choice[] => {
    const name = `${process.no}`;
    if (!process.isUp()) return [{ kind: "restart", name, take: () => start(slot) }];
    const { onConfigure } = options;
    const configure = (edit: () => void): Choice => ({
      kind: "configure",
      name,
      take: () => {
        edit();
        crash(process);
      },
    });
    return [
      ...(onConfigure === undefined ? [] : [configure(onConfigure)]),
      { kind: "crash", name, take: () => crash(process) },
      process.isPaused()
        ? { kind: "resume", name, take: () => process.pause(false) }
        : { kind: "pause", name, take: () => process.pause(true) },
    ];
  };

  const everybody = (): readonly Process[] => [...ghosts, ...slots.filter((process) => process.isUp())];
  const stage: Stage = {
    configFor,
    counts,
    deaths,
    everybody,
    fortunes: () => slots.flatMap(fortuneOf),
    ledger,
    loseTail,
    mode,
    parts,
    pass: (ms) => provider.advance(provider.world().nowMs + ms),
    provider,
    processes: () => slots,
    get traces() {
      return traces;
    },
    traffic: () => everybody().flatMap(trafficOf),
  };
  for (let slot = 0; slot < kernels; slot += 1) start(slot);
  return stage;
};
