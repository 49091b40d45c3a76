// What there is to know of a process at one point, as a value: what it believes, what it waits for, what it sent, and
// what was seen of it from outside.

import type { ApplyProgress } from "../../../src/kernel/apply/protocol.ts";
import type { Command } from "../../../src/kernel/command/request.ts";
import { INITIAL, type State } from "../../../src/kernel/state/state.ts";
import { readRecord } from "../../../src/ledger/record/read-record.ts";
import type { Ulid } from "../../../src/ledger/record/record.ts";
import { recordHash } from "../../../src/ledger/record/seal.ts";
import type { Sha256 } from "../../../src/spine/model.ts";
import { msOf } from "../../../src/spine/values/instant.ts";
import type { SimLedger } from "../ledger.ts";
import type { Left as Call } from "../trace.ts";
import type { What } from "../traffic.ts";
import type { Replica } from "./replica.ts";

export type Sent = {
  /** The lines of a commit without their places in the chain. */
  readonly contents: string;
  /** How long the ledger is once it went in, and the hash of its last line, which stands for all of them. */
  readonly end: number;
  readonly hash: Sha256;
  readonly size: number;
};

export type OnItsWay = {
  readonly what: What;
  readonly way: "out" | "back";
  readonly wrong: readonly string[];
  readonly text: string;
  readonly isHeard: boolean;
  readonly no: number; // in the order in which its process sent or heard
  readonly from: number | undefined;
  readonly commit: Sent | undefined;
};

export type Tried = {
  readonly askedMs: number | undefined;
  readonly failure: unknown;
  readonly instance: string;
  readonly isOver: boolean;
  readonly lefts: readonly Call[];
  readonly progress: ApplyProgress;
  readonly sizeAtLook: number | undefined;
};

export type Facts = {
  readonly instance: Ulid;
  readonly isUp: boolean;
  readonly isReady: boolean;
  readonly isRecovering: boolean;
  readonly lastId: Ulid | undefined;
  readonly pending: readonly Command[];
  readonly skewMs: number;
  /** The ledger as far as it has read it. */
  readonly state: State;
  readonly timers: readonly { readonly dueMs: number; readonly what: string }[];
  readonly tries: readonly Tried[];
  readonly waiting: readonly OnItsWay[];
  readonly waits: ReturnType<Replica["waits"]>;
};

const hashes = new WeakMap<Uint8Array, Sha256>();
export const hashOf = (line: Uint8Array): Sha256 => {
  const known = hashes.get(line) ?? recordHash(line);
  hashes.set(line, known);
  return known;
};
/** The hash of the line at the end of so many, which stands for all of them. */
export const hashAt = ({ lines }: Pick<SimLedger, "lines">, size: number): string => {
  const line = lines[size - 1];
  return line === undefined ? "" : hashOf(line);
};

const contents = new WeakMap<Uint8Array, string>();
/** A record without its place in the chain. */
export const contentOf = (line: Uint8Array): string => {
  const known = contents.get(line);
  if (known !== undefined) return known;
  const read = readRecord(line);
  if (read.kind !== "record") throw new Error("a sealed line is a record");
  const { prev: _, seq: __, ...content } = read.record;
  const text = JSON.stringify(content);
  contents.set(line, text);
  return text;
};

export const factsOf = (replica: Replica, nowMs: number): Facts => {
  const process = replica.process();
  const isUp = process.isUp();
  return {
    instance: process.instance,
    isReady: process.isReady(),
    isRecovering: process.isRecovering(),
    isUp,
    // Who is gone holds nothing and waits for nothing; what it sent, and what was seen of it, stays.
    lastId: isUp ? process.lastId() : undefined,
    pending: isUp ? process.pending() : [],
    skewMs: msOf(process.now()) - nowMs,
    state: isUp ? process.state() : INITIAL,
    timers: process.traffic.timers().map(({ dueMs, what }) => ({ dueMs, what })),
    tries: replica.traces.map(({ askedMs, failure, instance, isOver, lefts, progress, sizeAtLook }) => ({
      askedMs: isUp ? askedMs() : undefined,
      failure: failure(),
      instance,
      isOver: isOver() || !isUp,
      lefts: [...lefts],
      progress: isUp ? progress() : { at: "claim" },
      sizeAtLook: isUp ? sizeAtLook() : undefined,
    })),
    waiting: process.traffic.waiting().map(({ carries, no, way, what, wrong }) => {
      const { commit, from, isHeard, text } = carries();
      const last = commit?.lines.at(-1);
      return {
        commit:
          commit === undefined || last === undefined
            ? undefined
            : {
                contents: commit.lines.map(contentOf).join("\n"),
                end: commit.size + commit.lines.length,
                hash: hashOf(last),
                size: commit.size,
              },
        from,
        isHeard,
        no,
        text,
        way,
        what,
        wrong: Object.keys(wrong),
      };
    }),
    waits: isUp ? replica.waits() : { dueMs: undefined, is: false },
  };
};
