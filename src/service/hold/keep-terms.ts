// Keeps the index of the ledger filled, and its milestones made, for as long as a service is open that has begun, in a
// thread of its own. Where it ends, whoever asks walks what it does not cover. Not here: what the thread does
// (apart/fill-terms.ts).

import type { Configuration, Hearing } from "../ports.ts";
import type { StartThread, Thread } from "../thread-task.ts";

export type KeptTerms = { readonly start: () => void; readonly stop: () => Promise<void> };

export const keepTerms = (
  startThread: StartThread | undefined,
  configuration: Configuration,
  note: Hearing["note"],
): KeptTerms => {
  let filling: Thread | undefined;
  return {
    start: () => {
      if (filling !== undefined || startThread === undefined) return;
      filling = startThread(configuration, { kind: "index" });
      heard(filling, note).catch((error: unknown) => note({ cause: "index-stopped", facts: { said: String(error) } }));
    },
    stop: async () => filling?.stop(),
  };
};

/** Until it has nothing more to say. */
const heard = async ({ next }: Pick<Thread, "next">, note: Hearing["note"]): Promise<void> => {
  for (let said = await next(); said !== undefined; said = await next())
    if (said.kind === "note") await note(said.note);
};
