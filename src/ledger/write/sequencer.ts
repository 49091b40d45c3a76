// The sequencer: one writer per process. It takes what is queued, decides one command after another, commits once.
//
// Each command is decided on the state that the one before left; nobody is answered before the commit is durable. When
// another writer was first, the batch is thrown away, the other's records are folded in, and everything is decided
// again. There is no timer: a batch is whatever arrived while the last one was written.
// A commit whose fate is not known is looked for and never sent again. Not here: what is decided (the caller's
// decider), how lines are stored (engines/), who waits for whom (lanes.ts). keeps P7-F1: a full lane and a ledger that
// cannot be written refuse.
// Where it is given saved states, it starts from the last one and writes one after many records and at its end; nobody
// who submits waits for that.

import type { Engine } from "../engine.ts";
import type { ChainState } from "../verify/chain-state.ts";
import { catchUp, notWritten, settle, startOf, type Tail } from "./batch.ts";
import { holdTail } from "./held-tail.ts";
import { LANE_BOUNDS, type LaneBounds, lanesWith } from "./lanes.ts";
import { type SavedStates, savedStateKeeper } from "./save-state.ts";
import type { Lane, LedgerDecider, Submission, SubmissionAnswer } from "./submission.ts";

export type Sequencer<C, S> = {
  readonly submit: (submission: Submission<C>) => Promise<SubmissionAnswer>;
  /** Folds in what other writers have committed since; it waits for no batch of this one. */
  readonly refresh: () => Promise<S>;
  /** The state after the last commit that is known to be durable. */
  readonly state: () => S;
  /** Where the ledger stands after that commit. */
  readonly chain: () => ChainState;
  /** From here on what others commit is folded in as it comes, until the end. */
  readonly follow: () => void;
  /** The state as it is known to be current: from memory while the ledger is followed, and refreshed otherwise. */
  readonly current: () => Promise<Tail<S>>;
  /** The same where it is in memory. */
  readonly known: () => Tail<S> | undefined;
  /** The same once it has so many records, or when the signal aborts. */
  readonly reach: (size: number, stop: AbortSignal) => Promise<Tail<S>>;
  /** Resolves when everything that was queued has its answer; takes nothing more. */
  readonly close: () => Promise<void>;
};

export type SequencerOptions<S> = {
  readonly bounds?: Readonly<Record<Lane, LaneBounds>>;
  readonly savedStates?: SavedStates<S>;
};

export const openSequencer = async <C, S>(
  engine: Engine,
  decider: LedgerDecider<C, S>,
  { bounds = LANE_BOUNDS, savedStates }: SequencerOptions<S> = {},
): Promise<Sequencer<C, S>> => {
  const keeper = savedStateKeeper(savedStates);
  const start: Tail<S> = (await keeper.start(engine)) ?? startOf(decider);
  const held = holdTail(engine, decider, await catchUp(engine, decider, start));
  const { tail } = held;
  keeper.caughtUp(tail().size);
  let running: Promise<void> | undefined;
  /** A saved state on its way to the disk. The state that it is of never changes, so that commits go on meanwhile. */
  let saving: Promise<void> | undefined;
  const save = (): void => {
    saving ??= keeper.afterCommit(tail()).finally(() => {
      saving = undefined;
    });
  };
  let isClosed = false;
  const lanes = lanesWith<C>(bounds);

  const run = async (): Promise<void> => {
    for (let taken = lanes.take(); taken.length > 0; taken = lanes.take()) {
      const settled = await settle(engine, decider, tail(), taken).catch((error: unknown) => {
        lanes.putBack(taken);
        throw error;
      });
      held.advance(settled.tail);
      lanes.putBack(settled.left);
      for (const { answer, one } of settled.answered) one.answer(answer);
      save();
    }
    running = undefined;
  };
  /** A ledger that cannot be read is not written either; everybody who waits is told, and the next one may try. */
  const fail = (error: unknown): void => {
    running = undefined;
    for (const one of lanes.drain()) one.answer(notWritten(error));
  };

  return {
    close: async () => {
      isClosed = true;
      await running;
      held.close();
      await saving;
      await keeper.atEnd(tail());
    },
    current: held.current,
    known: held.known,
    follow: held.follow,
    reach: held.reach,
    // Read whatever a batch of ours is doing: it may end without an answer, and others' records are there all the same.
    refresh: async () => (await held.refresh()).state,
    chain: tail,
    state: () => tail().state,
    submit: (submission) =>
      new Promise((answer) => {
        if (isClosed) answer({ failure: { cause: "closing", facts: {} }, kind: "read-only" });
        else if (lanes.add({ answer, submission })) running ??= Promise.resolve().then(run).catch(fail);
        else answer({ kind: "overloaded" });
      }),
  };
};
