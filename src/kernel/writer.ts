// The kernel over a ledger: the sequencer with the kernel's decider inside. Every door asks through one of these.

import type { Engine } from "../ledger/engine.ts";
import { type Sequencer, sequencer } from "../ledger/sequencer.ts";
import { submissionOf } from "./command-desk.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import type { Writer } from "./perform.ts";
import type { Command } from "./request.ts";
import { INITIAL, type State } from "./state.ts";

export type OpenWriter = Writer & Pick<Sequencer<Command, State>, "close">;

export const writerOn = async (engine: Engine): Promise<OpenWriter> => {
  const { close, refresh, state, submit } = await sequencer(engine, { decide, evolve, initial: INITIAL });
  return { close, refresh, state, submit: (command) => submit(submissionOf(command)) };
};
