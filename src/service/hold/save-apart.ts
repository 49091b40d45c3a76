// A saved state that is due while others are served: the thread that writes it folds what it needs by itself, so that
// the writer goes on meanwhile. Not here: what the thread does (apart/saved-state-apart.ts).

import type { State } from "../../kernel/state/state.ts";
import type { SavedState } from "../../ledger/write/saved-state.ts";
import { forgetSaved } from "./met-checkpoints.ts";
import type { OpenDesk } from "./open-ledger.ts";

/** Resolves with the number of bytes when it is durable; undefined where there are no threads. */
export const saveApart = (desk: OpenDesk): ((saved: SavedState<State>) => Promise<number>) | undefined => {
  const { anchor, config, file, home, met, policies, ports } = desk;
  const { startThread } = ports;
  if (startThread === undefined) return undefined;
  return async ({ hash, tree: { size } }) => {
    const [opened, found] = [anchor?.file(), anchor?.claim()];
    const end = opened === undefined || "code" in opened ? found?.bytes : opened.end();
    const saved = met.filter((one) => one.size <= size);
    const state = {
      ...(found === undefined || end === undefined ? {} : { anchor: { end, found } }),
      hash,
      met: saved,
      size,
    };
    const thread = startThread({ config, file, home, policies }, { kind: "save-state", state });
    const said = await thread.next();
    if (said?.kind !== "saved") throw new Error("a thread that saves a state says so");
    // One of the same size may have been signed meanwhile.
    forgetSaved(met, saved.at(-1)?.size ?? 0);
    return said.bytes;
  };
};
