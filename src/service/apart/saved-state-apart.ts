// A saved state that is folded and written in a thread of its own, so that nobody who submits waits for it: from the
// one before, up to the very record that the writer named. keeps G1
//
// What is folded here must end with the hash that the writer has; otherwise nothing is written. Not here: when one is
// due (ledger/write/save-state.ts).

import { resolve } from "node:path";
import { evolve } from "../../kernel/fold-versions.ts";
import { INITIAL, type State } from "../../kernel/state/state.ts";
import { STATE_CODEC } from "../../kernel/state/state-json.ts";
import { readGrownPart } from "../../ledger/anchor/anchor-fit.ts";
import type { Engine } from "../../ledger/engine.ts";
import { foldLine, startOf, type Tail } from "../../ledger/write/batch.ts";
import { savedStatesAt } from "../../ledger/write/save-state.ts";
import { readSavedState } from "../../ledger/write/saved-state.ts";
import { readSigner } from "../hold/open-ledger.ts";
import type { Configuration, Ports } from "../ports.ts";
import type { StateToSave } from "../thread-task.ts";

/** Throws where it cannot be; whoever waits for it tells it. */
export const writeStateApart = async (
  configuration: Configuration,
  ports: Pick<Ports, "ledger">,
  { anchor, hash, met, size }: StateToSave,
): Promise<number> => {
  const { config, home } = configuration;
  const signer = readSigner(configuration);
  if ("code" in signer) throw new Error(signer.code);
  const location = ports.ledger.location(config.ledger, home);
  if ("code" in location) throw new Error(location.code);
  const opened = await location.open("read");
  if (opened.kind === "refused") throw new Error(opened.refusal.code);
  const path = ports.ledger.savedState(config.ledger, home);
  try {
    const tail = await foldTo(opened.engine, path, signer.vkey, size);
    if (tail.hash !== hash) throw new Error("known-end-differs");
    const states = savedStatesAt({
      ...(anchor === undefined
        ? {}
        : { anchor: () => readGrownPart(resolve(home, config.anchor), signer.vkey, anchor.found, anchor.end) }),
      codec: STATE_CODEC,
      met,
      onNote: () => undefined,
      path,
      signer,
    });
    return await states.write(tail);
  } finally {
    await opened.engine.close();
  }
};

const foldTo = async (engine: Engine, path: string, vkey: string, size: number): Promise<Tail<State>> => {
  const read = await readSavedState(path, vkey, engine, STATE_CODEC);
  let tail = startOf<State>({ initial: INITIAL });
  if (read.kind === "saved" && read.saved.tree.size <= size) tail = { ...read.saved, size: read.saved.tree.size };
  for await (const line of engine.read(tail.size, size)) tail = foldLine({ evolve }, tail, line);
  return tail;
};
