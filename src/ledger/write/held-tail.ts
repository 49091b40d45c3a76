// The tail of a ledger as a process holds it. It never goes back, and is brought up to date in three ways: by what this
// process commits itself, by asking the engine, and by following the ledger.
//
// While it follows, and the engine said lately that the ledger ends where the tail does, what is in memory is the
// ledger of moments ago. Whoever asks for what is current when that was not said (a server that restarts, a ledger that
// is not what it was) asks the engine, and is told what it says. A follower that broke off begins again by itself.
// keeps N1 Not here: how records are folded (batch.ts), who may wait for how long (the caller's signal).

import type { Engine, Head } from "../engine.ts";
import { catchUp, foldLine, type RecordFolding, type Tail } from "./batch.ts";

export type HeldTail<S> = {
  /** Where this process's own commit has led; ignored where the tail is further already. */
  readonly advance: (to: Tail<S>) => void;
  readonly close: () => void;
  /** From memory while it is known to be current; otherwise as the engine has it. */
  readonly current: () => Promise<Tail<S>>;
  /** The tail while it is known to be current; nothing is asked. */
  readonly known: () => Tail<S> | undefined;
  /** From here on, until it is closed. */
  readonly follow: () => void;
  /** When the tail has so many records, or when the signal aborts; what it is then. */
  readonly reach: (size: number, stop: AbortSignal) => Promise<Tail<S>>;
  /** Folds in what the engine has now. */
  readonly refresh: () => Promise<Tail<S>>;
  readonly tail: () => Tail<S>;
};

/** Engines are heard about once a second; after twice that the engine is asked again. */
const HEARD_FOR_MS = 2_500;
const AGAIN_MS = 200;

export const holdTail = <S>(engine: Engine, folding: RecordFolding<S>, start: Tail<S>): HeldTail<S> => {
  let tail = start;
  let isCurrent = false;
  let following: Promise<void> | undefined;
  const closing = new AbortController();
  const waiting = new Set<() => void>();
  let silence: NodeJS.Timeout | undefined;
  const fallSilent = (): void => {
    isCurrent = false;
  };

  const advance = (to: Tail<S>): void => {
    if (to.size <= tail.size) return;
    tail = to;
    for (const look of waiting) look();
  };
  /** A head before the tail may be older than our last commit; whoever asks next makes sure. */
  const hears = (head: Head | undefined): void => {
    if (head !== undefined && head.size > tail.size) return;
    isCurrent = head !== undefined && head.size === tail.size && head.hash === tail.hash;
    if (isCurrent) silence = silence?.refresh() ?? setTimeout(fallSilent, HEARD_FOR_MS).unref();
  };
  const followOnce = async (): Promise<void> => {
    let seq = tail.size;
    for await (const line of engine.follow(seq, closing.signal, hears)) {
      if (seq === tail.size) advance(foldLine(folding, tail, line));
      seq += 1;
    }
  };
  const followOn = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // What broke it off is told to whoever asks meanwhile: the engine is asked for them, and says it again.
      await followOnce().then(fallSilent, fallSilent);
      if (!closing.signal.aborted) await pause(AGAIN_MS, closing.signal);
    }
  };
  const refresh = async (): Promise<Tail<S>> => {
    advance(await catchUp(engine, folding, tail));
    return tail;
  };

  return {
    advance,
    close: () => {
      clearTimeout(silence);
      closing.abort();
      isCurrent = false;
    },
    current: async () => (isCurrent ? tail : refresh()),
    known: () => (isCurrent ? tail : undefined),
    follow: () => {
      following ??= followOn();
    },
    reach: async (size, stop) => {
      if (tail.size < size) await refresh();
      if (tail.size >= size || following === undefined || stop.aborted) return tail;
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => {
        if (tail.size >= size || stop.aborted) resolve();
      };
      waiting.add(look);
      stop.addEventListener("abort", look);
      await promise;
      waiting.delete(look);
      stop.removeEventListener("abort", look);
      return tail;
    },
    refresh,
    tail: () => tail,
  };
};

const pause = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      stop.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    stop.addEventListener("abort", end);
  });
