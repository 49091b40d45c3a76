// When a saved state is read and written in the life of a sequencer.
//
// Written after many records and at the end, and never so often that more than a little is written for each record: a
// state may be large. A saved state that cannot be written costs the next start some time and nothing else, so it stops
// nobody; it is said. One that could not be used, or does not know a checkpoint of the anchor, costs every start until
// there is another: that is written at the end, however little is new. Not here: the file (saved-state.ts).

import type { Engine } from "../engine.ts";
import type { SavedStateRemark } from "../failure.ts";
import type { Checkpoint } from "../tree/checkpoint.ts";
import type { Signer } from "../tree/signer.ts";
import type { AnchorPart, Root } from "../verify/chain-state.ts";
import type { Tail } from "./batch.ts";
import {
  type Codec,
  type NoSavedState,
  readKnown,
  readSavedState,
  type SavedState,
  type SavedStateRead,
  writeSavedState,
} from "./saved-state.ts";

export type SavedStates<S> = {
  readonly read: (engine: Engine) => Promise<SavedStateRead<S> | NoSavedState>;
  /** Resolves with the number of bytes, when it is durable. */
  readonly write: (savedState: SavedState<S>) => Promise<number>;
  /** The same while others are served, where it can be done elsewhere. */
  readonly writeApart?: (savedState: SavedState<S>) => Promise<number>;
  /** Whether the one that is there does not do, though it can be read. */
  readonly isLacking?: boolean;
  /** Hears why a saved state was not used or not written. */
  readonly onNote: (remark: SavedStateRemark) => void;
};

export type SavedStateLocation<S> = {
  /** The anchor as it is when a saved state is written, every note in it verified; throws when it lost any. */
  readonly anchor?: () => AnchorPart;
  readonly codec: Codec<S>;
  /** Whether the ledger was found to fit checkpoints that the saved state does not know. */
  readonly isLacking?: boolean;
  /** Checkpoints that the ledger was found to fit, but for those that the saved state before has. */
  readonly met: readonly Checkpoint[];
  readonly onNote: (remark: SavedStateRemark) => void;
  readonly path: string;
  readonly signer: Signer;
  readonly writeApart?: SavedStates<S>["writeApart"];
};

export const savedStatesAt = <S>({
  anchor,
  codec,
  isLacking = false,
  met,
  onNote,
  path,
  signer,
  writeApart,
}: SavedStateLocation<S>): SavedStates<S> => {
  let of: Engine | undefined;
  /** Whoever had a state saved apart remembers no more of what is in it. */
  const rootsBefore = async (): Promise<readonly Root[]> => {
    const read = of === undefined ? undefined : await readKnown(path, signer.vkey, of);
    return read?.kind === "known" ? read.known.roots : [];
  };
  return {
    isLacking,
    onNote,
    ...(writeApart === undefined ? {} : { writeApart }),
    read: (engine) => {
      of = engine;
      return readSavedState(path, signer.vkey, engine, codec);
    },
    write: async (savedState) => {
      const all = [...(await rootsBefore()), ...savedState.roots, ...met];
      const known = all.filter(({ size }) => size <= savedState.tree.size);
      const roots = [...new Map(known.map(({ root, size }) => [size, { root, size }])).values()];
      return writeSavedState(path, signer, codec, {
        ...savedState,
        ...(anchor === undefined ? {} : { anchor: anchor() }),
        roots,
      });
    },
  };
};

/** So many records are folded in less time than anybody notices. */
const RECORDS_MIN = { afterCommit: 16_384, atEnd: 256 } as const;
/** At most so many bytes of saved states for each record. */
const BYTES_PER_RECORD_MAX = 1_024;

export type SavedStateKeeper<S> = {
  readonly start: (engine: Engine) => Promise<Tail<S> | undefined>;
  /** After the start, when so many records are known: says it of a saved state that was far behind. */
  readonly caughtUp: (size: number) => void;
  readonly afterCommit: (tail: Tail<S>) => Promise<void>;
  readonly atEnd: (tail: Tail<S>) => Promise<void>;
};

export const savedStateKeeper = <S>(savedStates: SavedStates<S> | undefined): SavedStateKeeper<S> => {
  let last = { bytes: 0, size: 0 };
  let isDue = savedStates?.isLacking === true;
  const written = async (tail: Tail<S>, when: keyof typeof RECORDS_MIN): Promise<void> => {
    const records = tail.size - last.size;
    const isWorthIt = records >= RECORDS_MIN[when] && records * BYTES_PER_RECORD_MAX >= last.bytes;
    if (savedStates === undefined || (!isWorthIt && !(isDue && when === "atEnd"))) return;
    const write = when === "atEnd" ? savedStates.write : (savedStates.writeApart ?? savedStates.write);
    try {
      last = { bytes: await write(tail), size: tail.size };
      isDue = false;
    } catch (error) {
      last = { ...last, size: tail.size };
      savedStates.onNote({ cause: "unwritten", facts: { said: String(error) } });
    }
  };
  return {
    afterCommit: (tail) => written(tail, "afterCommit"),
    atEnd: (tail) => written(tail, "atEnd"),
    caughtUp: (size) => {
      const behind = size - last.size;
      if (last.bytes > 0 && behind > Math.max(RECORDS_MIN.afterCommit, last.bytes / BYTES_PER_RECORD_MAX))
        savedStates?.onNote({ cause: "behind", facts: { records: behind } });
    },
    start: async (engine) => {
      const read = await savedStates?.read(engine);
      if (read === undefined) return undefined;
      if (read.kind === "none") {
        if (read.remark === undefined) return undefined;
        isDue = true;
        savedStates?.onNote(read.remark);
        return undefined;
      }
      const { floor, hash, roots, state, tree } = read.saved;
      last = { bytes: read.bytes, size: tree.size };
      return { floor, hash, roots, size: tree.size, state, tree };
    },
  };
};
