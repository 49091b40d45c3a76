// milestonesOf(): makes the milestones of a ledger that are missing, in the thread that fills its index: every decision
// is made again from one to the next, and only where all were equal is the state signed and kept. keeps G1
//
// One that does not fit the ledger is removed, said, and made anew. Where a decision differs none is made any more:
// whoever asks for a state behind that is told of the record by their own replay. Nobody waits for any of this.
// Not here: who begins from one (read/replay-records.ts), the files (ledger/write/milestones.ts).

import { replay } from "../../kernel/replay-ledger.ts";
import { INITIAL, type State } from "../../kernel/state/state.ts";
import { REPLAYED_STATE_CODEC } from "../../kernel/state/state-json.ts";
import type { Engine } from "../../ledger/engine.ts";
import { growingTree } from "../../ledger/tree/growing-tree.ts";
import type { Signer } from "../../ledger/tree/signer.ts";
import { NOTHING_KNOWN } from "../../ledger/verify/chain-state.ts";
import { readChainedPages } from "../../ledger/verify/chained.ts";
import {
  isWorthIts,
  MILESTONE_RECORDS,
  type MilestoneLocation,
  milestoneBefore,
  milestoneFlaw,
  milestonePath,
  milestonesAt,
  removeMilestone,
  removeTornMilestones,
} from "../../ledger/write/milestones.ts";
import { type SavedState, writeSavedState } from "../../ledger/write/saved-state.ts";
import type { Hearing } from "../ports.ts";
import { readBlobText } from "../read/registered.ts";

export type MilestonesGiven = {
  readonly engine: Engine;
  readonly every?: number;
  readonly note: Hearing["note"];
  readonly savedState: string;
  readonly signer: Signer;
};

export type Milestones = {
  /** Makes those that the ledger is long enough for. */
  readonly make: () => Promise<void>;
  /** The number of records at which the next one is due. */
  readonly nextAfter: (size: number) => number;
};

export const milestonesOf = ({
  engine,
  every = MILESTONE_RECORDS,
  note,
  savedState,
  signer,
}: MilestonesGiven): Milestones => {
  const location: MilestoneLocation = { engine, savedState, vkey: signer.vkey };
  const nextAfter = (size: number): number => (Math.floor(size / every) + 1) * every;
  /** Found to fit once; whoever begins from one asks again. */
  let kept: number[] | undefined;

  const checked = async (): Promise<{ readonly fit: number[]; readonly missing: number[] }> => {
    removeTornMilestones(savedState);
    const [fit, missing]: [number[], number[]] = [[], []];
    for (const size of milestonesAt(savedState)) {
      const cause = await milestoneFlaw(location, REPLAYED_STATE_CODEC, size);
      if (cause === undefined) {
        fit.push(size);
        continue;
      }
      await note({ cause: "milestone-unfit", facts: { cause, size } });
      removeMilestone(savedState, size);
      if (size % every === 0) missing.push(size);
    }
    return { fit, missing };
  };

  /** The state after so many records, every decision behind `from` made again; undefined where one differs. */
  const replayedTo = async (from: SavedState<State>, size: number): Promise<SavedState<State> | undefined> => {
    let { hash } = from;
    const tree = growingTree(from.tree);
    const pages = readChainedPages(engine, size, { hash, size: from.tree.size }, (next) => {
      hash = next;
      tree.add(next);
    });
    const result = await replay(pages, (digest) => readBlobText(engine, digest), undefined, from);
    if (result.kind !== "equal" || tree.size() !== size) return undefined;
    const { floor, state } = result;
    return { floor, hash, roots: [], state, tree: tree.frontier() };
  };

  return {
    make: async () => {
      const { fit, missing } = kept === undefined ? await checked() : { fit: kept, missing: [] };
      kept = fit;
      const { size: end } = await engine.head();
      // What is missing before one that fits was too large to be kept, unless it was there and did not fit.
      const due = missing.filter((size) => size <= end);
      for (let size = nextAfter(fit.at(-1) ?? 0); size <= end; size += every) if (!due.includes(size)) due.push(size);
      let last: SavedState<State> | undefined;
      for (const size of due.sort((one, other) => one - other)) {
        const before = Math.max(0, ...fit.filter((one) => one < size));
        if (last === undefined || last.tree.size < before)
          last = (await milestoneBefore(location, REPLAYED_STATE_CODEC, before)) ?? {
            ...NOTHING_KNOWN,
            state: INITIAL,
          };
        last = await replayedTo(last, size);
        if (last === undefined) return;
        const bytes = await writeSavedState(milestonePath(savedState, size), signer, REPLAYED_STATE_CODEC, last);
        if (isWorthIts(bytes, size, before)) kept.push(size);
        else removeMilestone(savedState, size);
        kept.sort((one, other) => one - other);
      }
    },
    nextAfter,
  };
};
