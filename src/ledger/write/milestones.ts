// Milestones: saved states along the ledger, every so many records, so that a replay to any record begins near it.
//
// Each is a file of the form of a saved state (saved-state.ts), beside that one and named after the number of records
// that it stands on. It is believed as little: signature, code, digest and the line that it ends with must hold, and it
// must be the one that its name says; one that does not fit is passed over, and the one before it, or the first record,
// is begun from. Not here: how they are made (service/apart/make-milestones.ts).

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Engine } from "../engine.ts";
import type { SavedStateRemark } from "../failure.ts";
import { type Codec, checkSavedState, readSavedState, type SavedState } from "./saved-state.ts";

/** To replay so many, and to read a state before, takes about a second. */
export const MILESTONE_RECORDS = 40_000;
/** At most so many bytes of milestones for each record: of a large state, fewer are kept. */
const BYTES_PER_RECORD_MAX = 1_024;

export const milestonePath = (savedState: string, size: number): string => `${savedState}.after-${size}`;

/** Of what this one adds to what is kept up to the one before. */
export const isWorthIts = (bytes: number, size: number, before: number): boolean =>
  bytes <= (size - before) * BYTES_PER_RECORD_MAX;

/** The numbers of records that there are milestones of, ascending; whether any of them fits is not asked. */
export const milestonesAt = (savedState: string): readonly number[] =>
  namesAt(savedState, /^(?:[1-9]\d{0,14})$/)
    .map(Number)
    .sort((one, other) => one - other);

export const removeMilestone = (savedState: string, size: number): void =>
  rmSync(milestonePath(savedState, size), { force: true });

/** What a process that was killed left half written. */
export const removeTornMilestones = (savedState: string): void => {
  for (const name of namesAt(savedState, /^\d+\.\d+\.part$/)) rmSync(`${savedState}.after-${name}`, { force: true });
};

/** What stands behind the common beginning of their names. */
const namesAt = (savedState: string, pattern: RegExp): readonly string[] => {
  const start = `${basename(savedState)}.after-`;
  return namesIn(dirname(savedState))
    .filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length))
    .filter((rest) => pattern.test(rest));
};

const namesIn = (folder: string): readonly string[] => {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
};

export type MilestoneLocation = {
  readonly engine: Engine;
  /** The path of the saved state that they stand beside. */
  readonly savedState: string;
  readonly vkey: string;
};

/** Why a milestone is not to be begun from; undefined where it is. Every byte of it is read. */
export const milestoneFlaw = async (
  { engine, savedState, vkey }: MilestoneLocation,
  codec: Pick<Codec<unknown>, "code">,
  size: number,
): Promise<SavedStateRemark["cause"] | undefined> => {
  const read = await checkSavedState(milestonePath(savedState, size), vkey, engine, codec);
  if (read.kind === "none") return read.remark?.cause ?? "unreadable";
  return read.known.tree.size === size ? undefined : "head-unreadable";
};

/** The last one that fits and stands on no more records than this. */
export const milestoneBefore = async <S>(
  { engine, savedState, vkey }: MilestoneLocation,
  codec: Codec<S>,
  size: number,
): Promise<SavedState<S> | undefined> => {
  for (const at of milestonesAt(savedState).toReversed()) {
    if (at > size) continue;
    const read = await readSavedState(milestonePath(savedState, at), vkey, engine, codec);
    if (read.kind === "saved" && read.saved.tree.size === at) return read.saved;
  }
  return undefined;
};
