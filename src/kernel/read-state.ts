// The kernel's state of a ledger for those who only read: from the saved state where one fits, and the records after
// it.
//
// Once, or kept up to date by following the ledger. It writes nothing, no saved state either. Not here: the writer,
// which starts in the same way (ledger/write/sequencer.ts).

import type { Engine, Head } from "../ledger/engine.ts";
import { readChainedPages } from "../ledger/verify/chained.ts";
import { foldedAt } from "../ledger/verify/damage.ts";
import { floorAfter } from "../ledger/write/floor.ts";
import type { HeldTail } from "../ledger/write/held-tail.ts";
import { type SavedStateLocation, savedStateKeeper, savedStatesAt } from "../ledger/write/save-state.ts";
import type { Instant } from "../spine/model.ts";
import { evolve } from "./fold-versions.ts";
import { INITIAL, type State } from "./state/state.ts";
import { STATE_CODEC } from "./state/state-json.ts";

/** The state, the head that it is the fold of, and the time that nothing is judged before. */
export type Folded = { readonly floor: Instant | undefined; readonly head: Head; readonly state: State };

/** What others write meanwhile is not in it. */
export const readStateOn = async (
  engine: Engine,
  savedStates: Omit<SavedStateLocation<State>, "codec">,
): Promise<Folded> => {
  const keeper = savedStateKeeper(savedStatesAt({ ...savedStates, codec: STATE_CODEC }));
  const start = await keeper.start(engine);
  const head = await engine.head();
  let state = start?.state ?? INITIAL;
  let floor = start?.floor;
  for await (const page of readChainedPages(engine, head.size, start)) {
    for (const record of page) {
      const before = state;
      state = foldedAt(record.seq, () => evolve(before, record));
      floor = floorAfter(record, floor);
    }
  }
  keeper.caughtUp(state.size);
  return { floor, head, state };
};

/** For whoever reads often: what is folded is kept, and what others write is folded in as it comes. */
export const holdStateOn = async (
  engine: Engine,
  savedStates: Omit<SavedStateLocation<State>, "codec">,
): Promise<HeldTail<State>> => {
  // Whoever reads once needs nothing of what goes on.
  const [{ catchUp, startOf }, { holdTail }] = await Promise.all([
    import("../ledger/write/batch.ts"),
    import("../ledger/write/held-tail.ts"),
  ]);
  const keeper = savedStateKeeper(savedStatesAt({ ...savedStates, codec: STATE_CODEC }));
  const start = (await keeper.start(engine)) ?? startOf({ initial: INITIAL });
  const held = holdTail(engine, { evolve }, await catchUp(engine, { evolve }, start));
  keeper.caughtUp(held.tail().size);
  held.follow();
  return held;
};
