// Lanes: what waits for the sequencer, sorted by what it would cost if it were turned away or kept waiting.
//
// Each lane has bounds of its own, so that no flood in one refuses anything in another: telemetry never keeps out a
// change, and changes never keep out what stops something or tells how it ended. Inside a lane the order is that of
// arrival. A batch takes the lanes in the order below, and keeps a share for every lane that waits; a lane that was in
// a batch and came away with nothing (the bytes were used up before it) goes first in the next. So nobody starves: of
// every two batches, one has at least one of each lane that waits.
// Not here: which command goes into which lane (kernel/command-lane.ts). keeps P7-F1

import { COMMIT_LINES_MAX } from "../engine.ts";
import type { Lane, WaitingSubmission } from "./submission.ts";

/** `share`: lines of a batch that are kept for the lane. `callerMax`: how many of one caller may wait. */
export type LaneBounds = { readonly callerMax: number; readonly max: number; readonly share: number };

const ORDER: readonly Lane[] = ["brake", "outcome", "mutation", "telemetry"];

export const LANE_BOUNDS: Readonly<Record<Lane, LaneBounds>> = {
  // Few people brake, and one of them alone must not be able to keep the others from it.
  brake: { callerMax: 64, max: 1_024, share: 64 },
  mutation: { callerMax: 8_192, max: 8_192, share: 64 },
  // As many as intents are in flight at once; only the process itself speaks here.
  outcome: { callerMax: 8_192, max: 8_192, share: 64 },
  telemetry: { callerMax: 8_192, max: 8_192, share: 16 },
};

export type Lanes<C> = {
  /** False when its lane is full, for everybody or for this caller. */
  readonly add: (one: WaitingSubmission<C>) => boolean;
  /** Everybody who waits; nobody does after. */
  readonly drain: () => readonly WaitingSubmission<C>[];
  /** What was taken and came to nothing goes back to where it was. */
  readonly putBack: (left: readonly WaitingSubmission<C>[]) => void;
  /** The next batch, in the order in which it is to be decided. */
  readonly take: () => readonly WaitingSubmission<C>[];
};

export const lanesWith = <C>(bounds: Readonly<Record<Lane, LaneBounds>> = LANE_BOUNDS): Lanes<C> => {
  const queues: Readonly<Record<Lane, WaitingSubmission<C>[]>> = {
    brake: [],
    mutation: [],
    outcome: [],
    telemetry: [],
  };
  /** Lanes that the last batch took from and gave nothing to. */
  let passedOver: readonly Lane[] = [];
  let taken: ReadonlyMap<Lane, number> = new Map();

  const ofCaller = (lane: Lane, caller: string): number =>
    queues[lane].reduce((sum, { submission }) => sum + (submission.caller === caller ? 1 : 0), 0);

  return {
    add: (one) => {
      const { caller, lane } = one.submission;
      const { callerMax, max } = bounds[lane];
      if (queues[lane].length >= max) return false;
      if (callerMax < max && ofCaller(lane, caller) >= callerMax) return false;
      queues[lane].push(one);
      return true;
    },
    drain: () => ORDER.flatMap((lane) => queues[lane].splice(0)),
    putBack: (left) => {
      const counts = new Map<Lane, number>();
      for (const { submission } of left) counts.set(submission.lane, (counts.get(submission.lane) ?? 0) + 1);
      const isAll = ORDER.every((lane) => counts.get(lane) === taken.get(lane));
      // When nobody got anything (another writer was first), nobody was passed over.
      passedOver = isAll ? passedOver : ORDER.filter((lane) => counts.get(lane) === (taken.get(lane) ?? 0));
      for (const one of left.toReversed()) queues[one.submission.lane].unshift(one);
    },
    take: () => {
      const first = passedOver.flatMap((lane) => queues[lane].splice(0, 1));
      let room = COMMIT_LINES_MAX - first.length;
      const rest = ORDER.flatMap((lane, at) => {
        const kept = ORDER.slice(at + 1).reduce(
          (sum, next) => sum + Math.min(bounds[next].share, queues[next].length),
          0,
        );
        const some = queues[lane].splice(0, room - kept);
        room -= some.length;
        return some;
      });
      const all = [...first, ...rest];
      taken = all.reduce((sums, { submission: { lane } }) => sums.set(lane, (sums.get(lane) ?? 0) + 1), new Map());
      return all;
    },
  };
};
