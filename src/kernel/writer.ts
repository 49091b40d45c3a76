// The kernel over a ledger: the sequencer with the kernel's decider inside. Every door asks through one of these.

import type { Engine } from "../ledger/engine.ts";
import { type SavedStateLocation, savedStatesAt } from "../ledger/write/save-state.ts";
import { openSequencer, type Sequencer } from "../ledger/write/sequencer.ts";
import type { CommandWriter } from "./apply/perform-apply.ts";
import type { Command } from "./command/request.ts";
import { submissionOf } from "./command-desk.ts";
import { evolve } from "./fold-versions.ts";
import { INITIAL, type State } from "./state/state.ts";
import { STATE_CODEC } from "./state/state-json.ts";
import { decide } from "./versions.ts";

export type OpenWriter = CommandWriter &
  Pick<Sequencer<Command, State>, "chain" | "close" | "current" | "follow" | "known" | "reach">;

/** With a location for saved states it starts from the last one; without, every record is folded. */
export const openWriterOn = async (
  engine: Engine,
  savedStates?: Omit<SavedStateLocation<State>, "codec">,
): Promise<OpenWriter> => {
  const options =
    savedStates === undefined ? {} : { savedStates: savedStatesAt({ ...savedStates, codec: STATE_CODEC }) };
  const { submit, ...held } = await openSequencer(engine, { decide, evolve, initial: INITIAL }, options);
  return { ...held, submit: (command) => submit(submissionOf(command)) };
};
