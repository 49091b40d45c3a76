// The kernel over a ledger: the sequencer with the kernel's decider inside. Every door asks through one of these.

import type { Engine } from "../ledger/engine.ts";
import { type Sequencer, sequencer } from "../ledger/sequencer.ts";
import { type SnapshotPlace, snapshotsAt } from "../ledger/snapshots.ts";
import { submissionOf } from "./command-desk.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import type { Writer } from "./perform.ts";
import type { Command } from "./request.ts";
import { STATE_CODEC } from "./snapshot.ts";
import { INITIAL, type State } from "./state.ts";

export type OpenWriter = Writer & Pick<Sequencer<Command, State>, "close" | "standing">;

/** With a place for snapshots it starts from the last one; without, every record is folded. */
export const writerOn = async (
  engine: Engine,
  snapshots?: Omit<SnapshotPlace<State>, "codec">,
): Promise<OpenWriter> => {
  const options = snapshots === undefined ? {} : { snapshots: snapshotsAt({ ...snapshots, codec: STATE_CODEC }) };
  const { close, refresh, standing, state, submit } = await sequencer(
    engine,
    { decide, evolve, initial: INITIAL },
    options,
  );
  return { close, refresh, standing, state, submit: (command) => submit(submissionOf(command)) };
};
