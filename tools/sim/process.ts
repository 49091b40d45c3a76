// One kernel process of the simulation: its own clocks, ids, ledger connection and fold; everything that it does goes
// through ports whose answers a scheduler gives. The sequencer, the decider and the performer are the real ones.
//
// A process that crashes is cut off: its memory is gone, what it sent may still arrive.

import type { Actuator, Sent } from "../../src/adapters/actuator.ts";
import type { ClockedObservation, Detail, Source } from "../../src/adapters/source.ts";
import { ulids } from "../../src/ids.ts";
import type { CommandWriter } from "../../src/kernel/apply/perform-apply.ts";
import type { ApplyProgress } from "../../src/kernel/apply/protocol.ts";
import type { Command, Door, RequestKind, RequestOf } from "../../src/kernel/command/request.ts";
import {
  type CommandDesk,
  type CommandOptions,
  commandOf,
  KERNEL_ACTOR,
  submissionOf,
} from "../../src/kernel/command-desk.ts";
import { INITIAL, type State } from "../../src/kernel/state/state.ts";
import type { Appended } from "../../src/ledger/engine.ts";
import type { Actor, Ulid } from "../../src/ledger/record/record.ts";
import type { SavedStates } from "../../src/ledger/write/save-state.ts";
import { openSequencer } from "../../src/ledger/write/sequencer.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import type { SimulatedProvider } from "../../src/simulator/ports/provider.ts";
import { worldActuator } from "../../src/simulator/ports/world-actuator.ts";
import { worldSource } from "../../src/simulator/ports/world-source.ts";
import type { World } from "../../src/simulator/world/world.ts";
import type { Sha256, Vmid } from "../../src/spine/model.ts";
import { instantOf } from "../../src/spine/values/instant.ts";
import { OWN_WORDS } from "../../src/spine/words/own-words.ts";
import { broughtTo, type Placed } from "./brought-by-door.ts";
import { simEngine } from "./engine.ts";
import type { SimLedger } from "./ledger.ts";
import { type Lock, lockOf } from "./lock.ts";
import type { Parts } from "./parts.ts";
import { ENVIRONMENT, registeredOn } from "./registrations.ts";
import type { Left, Trace } from "./trace.ts";
import { type Pace, type Traffic, trafficOf } from "./traffic.ts";

const OBSERVE_MAX_MS = 30_000;

export type ProcessGround = {
  /** Whether the disk of the anchor takes a note just now; it does where nothing is said. */
  readonly anchors?: () => boolean;
  readonly configHash: Sha256;
  readonly ledger: SimLedger;
  /** What ids say of the time, if it is not the time: names are alike then, whenever they were made. */
  readonly idsMs?: () => number;
  /** Which incarnation of which process: ids are made from it. */
  readonly no: number;
  readonly nowMs: () => number;
  readonly onAnswer: (command: Command, answer: SubmissionAnswer) => void;
  readonly onAppended: (result: Appended, isHeard: boolean) => void;
  readonly onTrace: (trace: Trace) => void;
  readonly pace: Pace;
  readonly parts: Parts;
  readonly provider: SimulatedProvider;
  /** How far the place's own clock is from the true one. */
  readonly providerSkewMs?: number;
  /** Where it starts to read the ledger, if not at the beginning. */
  readonly savedStates?: SavedStates<State>;
};

export type Taken = { readonly shown: ClockedObservation; readonly tookMs: number };

/** Who asks, at which door, and the public id of the token that they show there. */
export type Who = Placed & { readonly actor: Actor; readonly door: Door; readonly token?: string };

/** What others can prove of an owner by its lock. */
export type GoneOf = Parameters<Parts["orphans"]>[3];

export type Process = {
  readonly instance: Ulid;
  readonly no: number;
  readonly traffic: Traffic;
  readonly isUp: () => boolean;
  readonly isReady: () => boolean; // up, and has read the ledger
  readonly isPaused: () => boolean;
  /** The youngest id that it made: the next one follows from it and from the time. */
  readonly lastId: () => Ulid | undefined;
  /** What was asked and has no answer yet. */
  readonly pending: () => readonly Command[];
  readonly state: () => State;
  readonly now: () => ReturnType<CommandDesk["now"]>;
  readonly command: <K extends RequestKind>(who: Who, request: RequestOf<K>, asking?: CommandOptions) => Command<K>;
  readonly submit: (command: Command) => Promise<SubmissionAnswer>;
  readonly refresh: () => Promise<State>;
  /** With how long it took by the true time. */
  readonly observe: (wanted: readonly Vmid[], details: readonly Detail[]) => Promise<Taken>;
  readonly apply: (command: Command<"apply">) => void;
  /** Whether it is looking after what was left open: work that may wait inside, where nobody sees it. */
  readonly isRecovering: () => boolean;
  readonly recover: (goneOf: GoneOf) => Promise<number>;
  readonly crash: () => void;
  /** It crashes with the machine that the ledger is on: what it wrote and had not reached the disk never will. */
  readonly cutOff: () => void;
  readonly lock: Lock;
  readonly pause: (isPaused: boolean) => void;
  readonly skew: (byMs: number) => void;
  /** Somebody sets its clock right. */
  readonly unskew: () => void;
};

/** Different for each incarnation, and the same in every run. */
const idsOf = (no: number, wallMs: () => number): (() => Ulid) =>
  ulids(wallMs, (bytes) => new Uint8Array(bytes).fill(no & 31, 1, 2).fill((no >> 5) & 15, 0, 1));

export const startProcess = (ground: ProcessGround): Process => {
  const { configHash, ledger, no, nowMs, onAnswer, onTrace, pace, parts, provider: place } = ground;
  const traffic = trafficOf(pace);
  let isUp = true;
  let isPaused = false;
  let skewMs = 0;
  let recovering = 0;
  const lock = lockOf();
  const wallMs = (): number => nowMs() + skewMs;
  const now = (): ReturnType<CommandDesk["now"]> => instantOf(wallMs());
  const made = idsOf(no, ground.idsMs ?? wallMs);
  let lastId: Ulid | undefined;
  const ids = (): Ulid => {
    lastId = made();
    return lastId;
  };
  const pending = new Set<Command>();
  const instance = ids();
  const deskOf = (who: Who): CommandDesk => ({ ...who, configHash, ids, instance, now, words: OWN_WORDS.digest });
  const waited = new WeakMap<AbortSignal, () => void>();
  const signalIn = (ms: number, what: string): AbortSignal => {
    const controller = new AbortController();
    waited.set(
      controller.signal,
      traffic.timer(nowMs() + ms, what, () => controller.abort()),
    );
    return controller.signal;
  };
  /** What was waited for has come; its timer is of no more use. */
  const came = async <T>(signal: AbortSignal, value: Promise<T>): Promise<T> => {
    const come = await value;
    waited.get(signal)?.();
    return come;
  };

  let writer: CommandWriter | undefined;
  const known = (): number => writer?.state().size ?? 0;
  const engine = simEngine({ known, ledger, nowMs, onAppended: ground.onAppended, traffic });
  const options = ground.savedStates === undefined ? {} : { savedStates: ground.savedStates };
  const opened = openSequencer(engine, { decide: parts.decide, evolve: parts.evolve, initial: INITIAL }, options).then(
    ({ refresh, state, submit }) => {
      writer = { refresh, state, submit: (command) => submit(submissionOf(command)) };
      return writer;
    },
  );
  // A process that cannot read the ledger does not start.
  void opened.catch(() => {
    isUp = false;
    traffic.cut();
  });
  const submit = async (command: Command): Promise<SubmissionAnswer> => {
    pending.add(command);
    const answer = await (await opened).submit(command);
    pending.delete(command);
    onAnswer(command, answer);
    return answer;
  };

  const source = worldSource(place, { environment: ENVIRONMENT });
  /** The observation says when it was by the clock of the process that looked. */
  const observing =
    (onTaken: (seen: World) => void): Source["observe"] =>
    async (wanted, signal, details) => {
      let seen = place.world();
      const reading = async (): Promise<ClockedObservation> => {
        const observedAt = now();
        seen = place.world();
        const shown = await source.observe(wanted, signal, details);
        return { ...shown, observedAt, providerTime: instantOf(place.world().nowMs + (ground.providerSkewMs ?? 0)) };
      };
      const shown = await came(signal, traffic.read("observe", reading));
      onTaken(seen);
      return shown;
    };
  const actuator = worldActuator(place, { user: "dedalus@pve!apply" });
  const sending =
    (onLeft: (intent: string) => void): Actuator["send"] =>
    (intent, signal) => {
      onLeft(intent.id);
      return new Promise<Sent>((resolve) => {
        let isHeard = true;
        const giveUp = (): void => {
          if (isHeard) resolve({ diagnostics: [{ code: "answer-lost" }], kind: "unknown" });
          isHeard = false;
        };
        signal.addEventListener("abort", giveUp, { once: true });
        const arrive = (): ReturnType<Actuator["send"]> => {
          off();
          signal.removeEventListener("abort", giveUp);
          // It left where it was checked: no connection is made for it, in which anything could come up.
          return actuator.send(intent, isHeard ? signal : new AbortController().signal, async () => true);
        };
        const off = traffic.put({
          carries: () => ({ isHeard, text: intent.id }),
          go: () => {
            const answered = arrive();
            if (isHeard) void answered.then((sent) => traffic.answer("send", sent)).then(resolve);
          },
          way: "out",
          what: "send",
          wrong: {
            "lost-reply": () => {
              void arrive();
              giveUp();
            },
            "lost-request": () => {
              off();
              giveUp();
            },
          },
        });
      });
    };

  const apply = (command: Command<"apply">): void => {
    const lefts: Left[] = [];
    let progress: ApplyProgress = { at: "claim" };
    let isOver = false;
    let failure: unknown;
    let shown: { readonly seen: World; readonly size: number; readonly wasOwner: boolean } | undefined;
    const owns = lock.take();
    let askedMs: number | undefined;
    onTrace({
      askedMs: () => askedMs,
      failure: () => failure,
      instance,
      isOver: () => isOver,
      lefts,
      progress: () => progress,
      sizeAtLook: () => shown?.size,
    });
    const onTaken = (seen: World): void => {
      if (lefts.length === 0) shown = { seen, size: ledger.size(), wasOwner: owns() };
    };
    const onLeft = (intent: string): void => {
      const { seen, size: sizeAtLook, wasOwner = true } = shown ?? {};
      lefts.push({ atMs: nowMs(), intent, seen, size: ledger.size(), sizeAtLook, wasOwner });
    };
    void opened
      .then(({ refresh, state }) =>
        parts.perform(
          {
            actuator: {
              send: (...given) => came(given[1], sending(onLeft)(...given)),
              verdict: (intent, reference, signal) =>
                came(
                  signal,
                  traffic.read("verdict", () => actuator.verdict(intent, reference, signal)),
                ),
            },
            anchor: async (size) => {
              if (ground.anchors?.() === false) return { kind: "unwritable", why: { said: "ENOSPC" } };
              ledger.anchor(size);
              return undefined;
            },
            desk: deskOf({ actor: command.actor, door: command.door }),
            monotonicMs: () => {
              askedMs ??= nowMs();
              return nowMs();
            },
            displaced: () => undefined,
            edited: () => undefined,
            owns: async () => owns(),
            onProgress: (at) => {
              progress = at;
            },
            registered: async (now, environment, vmid) => registeredOn(ledger, now, environment, vmid),
            signalIn: (ms) => signalIn(ms, "apply"),
            source: { observe: observing(onTaken) },
            writer: { refresh, state, submit },
          },
          command,
        ),
      )
      .then(
        (ended) => {
          progress = ended;
          isOver = true;
        },
        (error: unknown) => {
          failure = error;
        },
      );
  };

  const crash = (): void => {
    isUp = false;
    traffic.cut();
  };

  return {
    apply,
    command: (who, request, asking) => {
      const options = { environment: ENVIRONMENT, ...asking };
      return commandOf(deskOf(broughtTo(who, options.environment)), request, options);
    },
    crash,
    cutOff: () => {
      crash();
      traffic.drop("append");
    },
    instance,
    lock,
    isPaused: () => isPaused,
    isRecovering: () => recovering > 0,
    isReady: () => isUp && writer !== undefined,
    isUp: () => isUp,
    lastId: () => lastId,
    no,
    now,
    observe: async (wanted, details) => {
      const fromMs = nowMs();
      const asked = wanted.map((vmid) => ({ vmid }));
      const shown = await observing(() => undefined)(asked, signalIn(OBSERVE_MAX_MS, "observe"), details);
      return { shown, tookMs: nowMs() - fromMs };
    },
    pause: (paused) => {
      isPaused = paused;
    },
    recover: async (goneOf) => {
      recovering += 1;
      const found = parts.orphans(await (await opened).refresh(), now(), instance, goneOf);
      for (const { intent, request } of found) {
        const desk = deskOf({ actor: KERNEL_ACTOR, door: "local" });
        await submit(commandOf(desk, request, { causationId: intent.id, environment: intent.environment }));
      }
      recovering -= 1;
      return found.length;
    },
    pending: () => [...pending],
    refresh: async () => (await opened).refresh(),
    skew: (byMs) => {
      skewMs += byMs;
    },
    state: () => writer?.state() ?? INITIAL,
    unskew: () => {
      skewMs = 0;
    },
    submit,
    traffic,
  };
};
