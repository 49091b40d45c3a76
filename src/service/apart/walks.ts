// Long reads, one at a time and in a thread each: whoever comes while one runs waits in turn, few of them, and the rest
// is refused. What nobody waits for any more ends. keeps P7-F1
//
// An export has its turn until its last piece is taken. A receiver that takes none for long is cut off: what ends
// without an end is not whole. Not here: whether the caller may (local-service.ts).

import type { ExportPiece } from "../../ledger/write/export-parts.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { isRefused, type RefusedAnswer, refusedBy, type ServiceAnswer } from "../answer.ts";
import type { Configuration, Hearing } from "../ports.ts";
import type { Watch } from "../progress.ts";
import type { LedgerExport } from "../read/export.ts";
import type { StartThread, Thread, ThreadSaid, ThreadTask, Walk, WalkOf, WalkValues } from "../thread-task.ts";

const WAITING_MAX = 8;
/** As long as a receiver may take none of the pieces. */
const STALLED_MS = 30_000;

/** Whoever leaves, by the signal, is answered with its reason as a rejection; nothing goes on for them. */
export type Walks = {
  /** Ends what runs, and whatever waits for its turn. */
  readonly close: () => Promise<void>;
  readonly export: (watch: Watch, signal?: AbortSignal) => Promise<ServiceAnswer<LedgerExport>>;
  readonly walk: <K extends Walk["kind"]>(
    walk: WalkOf<K>,
    watch: Watch,
    signal?: AbortSignal,
  ) => Promise<ServiceAnswer<WalkValues[K]>>;
};

/** A thread that has its turn. */
type Turn = Pick<Thread, "next" | "tell"> & {
  readonly end: () => Promise<void>;
  /** Resolves when it has ended, whoever ended it. */
  readonly over: Promise<void>;
};

const CLOSING: RefusedAnswer = refusedBy(refuse("service-ending", {}));

export const walksOf = (start: StartThread, configuration: Configuration, note: Hearing["note"]): Walks => {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  const closing = new AbortController();

  const takeTurn = async (task: ThreadTask, signal: AbortSignal | undefined): Promise<Turn | RefusedAnswer> => {
    if (waiting >= WAITING_MAX) return refusedBy(refuse("walks-waiting", { facts: { waiting } }));
    const { promise, resolve: giveBack } = Promise.withResolvers<void>();
    const before = last;
    last = before.then(() => promise);
    waiting += 1;
    await before;
    waiting -= 1;
    if (signal?.aborted === true || closing.signal.aborted) {
      giveBack();
      signal?.throwIfAborted();
      return CLOSING;
    }
    const thread = start(configuration, task);
    const left = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
    const end = async (): Promise<void> => {
      left.removeEventListener("abort", leave);
      await thread.stop();
      giveBack();
    };
    // Whoever leaves may never take another piece: the turn is given back for them.
    const leave = (): void => void end();
    left.addEventListener("abort", leave);
    return { end, next: thread.next, over: promise, tell: thread.tell };
  };
  /** The next thing that is said to the caller; what is said beside it goes to whoever hears it. */
  const nextOf = async ({ next }: Turn, watch: Watch): Promise<ThreadSaid | undefined> => {
    for (;;) {
      const said = await next();
      if (said?.kind === "progress") watch(said.progress);
      else if (said?.kind === "note") await note(said.note);
      else return said;
    }
  };
  /** A thread that said nothing more was stopped. */
  const left = (signal: AbortSignal | undefined): RefusedAnswer => {
    signal?.throwIfAborted();
    return CLOSING;
  };

  async function* piecesOf(turn: Turn, watch: Watch, stalled: NodeJS.Timeout): AsyncGenerator<ExportPiece> {
    try {
      for (let said = await nextOf(turn, watch); said?.kind === "piece"; said = await nextOf(turn, watch)) {
        yield said.piece;
        stalled.refresh();
        turn.tell();
      }
    } finally {
      await turn.end();
    }
  }

  return {
    close: async () => {
      closing.abort();
      await last;
    },
    export: async (watch, signal) => {
      const turn = await takeTurn({ kind: "export" }, signal);
      if ("kind" in turn) return turn;
      const said = await nextOf(turn, watch).catch(async (error: unknown) => {
        await turn.end();
        throw error;
      });
      if (said?.kind === "exporting" && !isRefused(said.answer)) {
        const { answer } = said;
        const stalled = setTimeout(() => void turn.end(), STALLED_MS);
        void turn.over.then(() => clearTimeout(stalled));
        return { ...answer, value: { ...answer.value, pieces: piecesOf(turn, watch, stalled) } };
      }
      await turn.end();
      return said?.kind === "exporting" && isRefused(said.answer) ? said.answer : left(signal);
    },
    walk: async <K extends Walk["kind"]>(walk: WalkOf<K>, watch: Watch, signal?: AbortSignal) => {
      const turn = await takeTurn({ kind: "walk", walk }, signal);
      if ("kind" in turn) return turn;
      try {
        const said = await nextOf(turn, watch);
        // A thread answers what it was started for.
        return said?.kind === "answer" ? (said.answer as ServiceAnswer<WalkValues[K]>) : left(signal);
      } finally {
        await turn.end();
      }
    },
  };
};
