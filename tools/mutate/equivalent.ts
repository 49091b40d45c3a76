// An equivalent mutant changes nothing that anybody could see. It is a row with the reason why, and neither run nor
// counted.
//
// A row names the source, the line as it stands, the piece of it and what would replace it. When the line changes, the
// row fits nothing any more and is reported, so that no excuse outlives its code.

import type { Mutant } from "./mutants.ts";

export type Equivalent = Pick<Mutant, "file" | "lineText" | "original" | "replacement"> & {
  readonly because: string;
  /** Which of the same kind in this file, from 0; the only one when it is not given. */
  readonly nth?: number;
};

const isOf =
  (row: Equivalent) =>
  ({ file, lineText, nth, original, replacement }: Mutant): boolean =>
    row.file === file &&
    row.lineText === lineText &&
    row.original === original &&
    row.replacement === replacement &&
    (row.nth ?? 0) === nth;

export const withoutEquivalents = (mutants: readonly Mutant[], rows: readonly Equivalent[]): readonly Mutant[] =>
  mutants.filter((mutant) => !rows.some((row) => isOf(row)(mutant)));

/** Rows of these files that fit none of their mutants. */
export const staleRows = (
  mutants: readonly Mutant[],
  files: readonly string[],
  rows: readonly Equivalent[],
): readonly Equivalent[] => rows.filter((row) => files.includes(row.file) && !mutants.some(isOf(row)));
