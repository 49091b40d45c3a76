// Long reads apart, loaded when the first is asked for; none where there are no threads. Not here: how they take turns
// (apart/walks.ts).

import type { Walks } from "./apart/walks.ts";
import type { Configuration, Hearing } from "./ports.ts";
import type { StartThread } from "./thread-task.ts";

export type WalksOnDemand = {
  readonly close: () => Promise<void>;
  /** Undefined where what reads the whole ledger is read where it is asked. */
  readonly walksApart: () => Promise<Walks> | undefined;
};

export const walksOnDemand = (
  startThread: StartThread | undefined,
  configuration: Configuration,
  note: Hearing["note"],
): WalksOnDemand => {
  let walks: Promise<Walks> | undefined;
  return {
    close: async () => {
      await (await walks)?.close();
    },
    walksApart: () => {
      if (startThread === undefined) return undefined;
      walks ??= import("./apart/walks.ts").then(({ walksOf }) => walksOf(startThread, configuration, note));
      return walks;
    },
  };
};
