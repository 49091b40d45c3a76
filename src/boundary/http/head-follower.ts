// Where the ledger ends, followed once for everybody at this door: whoever waits for more is woken when it comes.
// No record is handed on from here; each reader reads what it may see by itself.
//
// The follower stands at the ledger's own files, as the process does, and is started when somebody waits. Where the
// ledger ends is what the ledger says, and never where somebody waits: one who waits for what is far off would wake
// everybody else without end. Where the ledger cannot be followed for a while, it is tried again.

import type { Service } from "../../service/service.ts";
import { pauseUntil } from "./pause.ts";

export type HeadFollower = {
  readonly close: () => void;
  /** Resolves when the ledger has more than so many records, or the signal aborts; false once it is closed. */
  readonly beyond: (size: number, signal: AbortSignal) => Promise<boolean>;
};

const RETRY_MS = 1_000;
const ITSELF = { credential: { kind: "operator" }, door: "local" } as const;

export const headFollower = ({ records }: Pick<Service, "records">, failed: (error: unknown) => void): HeadFollower => {
  const closed = new AbortController();
  const waiting = new Set<() => void>();
  let size = 0;
  let isRunning = false;

  const reached = (found: number): void => {
    size = found;
    for (const wake of waiting) wake();
  };
  const followOnce = async (): Promise<void> => {
    const found = await records(ITSELF, { from: 0, to: 0 });
    if (found.kind === "refused") return;
    reached(found.head.size);
    const answer = await records(ITSELF, { from: size, until: closed.signal });
    if (answer.kind === "refused") return;
    for await (const piece of answer.value.pieces) {
      if (piece.kind === "broken") return;
      reached(piece.record.seq + 1);
    }
  };
  const run = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await followOnce().catch(failed);
      await pauseUntil(RETRY_MS, closed.signal);
    }
  };
  return {
    beyond: async (known, signal) => {
      if (!isRunning) void run();
      isRunning = true;
      while (size <= known && !signal.aborted && !closed.signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const stop = AbortSignal.any([signal, closed.signal]);
        waiting.add(resolve);
        stop.addEventListener("abort", () => resolve(), { once: true });
        await promise;
        waiting.delete(resolve);
      }
      return !closed.signal.aborted;
    },
    close: () => closed.abort(),
  };
};
