// fuzz(): inputs one after another until told to stop, and what was found.
//
// It knows no clock but the one it is given, and no check but the one it is given, so that a test can drive it. The
// check's objection is a text; undefined means that all is well.

import { type Input, inputOf } from "./input.ts";
import { shrunk } from "./shrink.ts";

/** Far above what any input of this size takes; even a loaded machine stays below. */
export const INPUT_MAX_MS = 2_000;

export type Failure = {
  readonly index: number;
  readonly input: Input;
  readonly objection: string;
  readonly smallest: string;
};
export type Timed = { readonly index: number; readonly length: number; readonly ms: number };
export type Found = { readonly inputs: number; readonly failures: readonly Failure[]; readonly slowest: Timed };

export type FuzzOptions = {
  readonly seed: number;
  readonly objectionTo: (input: Input) => string | undefined;
  readonly nowMs: () => number;
  /** Asked before each input; false ends the run. */
  readonly goesOn: (index: number) => boolean;
  readonly from?: number;
};

const FAILURES_MAX = 5;

export const fuzz = ({ from = 0, goesOn, nowMs, objectionTo, seed }: FuzzOptions): Found => {
  const failures: Failure[] = [];
  let slowest: Timed = { index: from, length: 0, ms: 0 };
  let index = from;
  for (; failures.length < FAILURES_MAX && goesOn(index); index += 1) {
    const input = inputOf(seed, index);
    const { ms, objection } = timed(input, objectionTo, nowMs);
    if (ms > slowest.ms) slowest = { index, length: input.text.length, ms };
    if (objection !== undefined && !failures.some((failure) => failure.objection === objection)) {
      const isStillWrong = (text: string): boolean =>
        timed({ ...input, text }, objectionTo, nowMs).objection === objection;
      failures.push({ index, input, objection, smallest: shrunk(input.text, isStillWrong) });
    }
  }
  return { failures, inputs: index - from, slowest };
};

type Answer = { readonly ms: number; readonly objection: string | undefined };

/** Too slow counts only when it is so twice: the machine may have been busy. */
const timed = (input: Input, objectionTo: FuzzOptions["objectionTo"], nowMs: () => number): Answer => {
  const measured = (): Answer => {
    const start = nowMs();
    const objection = objectionTo(input);
    return { ms: nowMs() - start, objection };
  };
  const first = measured();
  if (first.objection !== undefined || first.ms <= INPUT_MAX_MS) return first;
  const second = measured();
  return second.ms <= INPUT_MAX_MS ? second : { ms: second.ms, objection: "it takes too long" };
};
