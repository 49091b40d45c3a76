// Mutants that change nothing anybody could see, each with the reason why. They are neither run nor counted.
//
// A row names the source, the line as it stands, the piece of it and what would replace it. When the line changes, the row
// fits nothing any more and is reported, so that no excuse outlives its code.

import type { Mutant } from "./mutants.ts";

export type Equivalent = Pick<Mutant, "file" | "lineText" | "original" | "replacement"> & {
  readonly because: string;
};

export const EQUIVALENT: readonly Equivalent[] = [];

const isOf =
  (row: Equivalent) =>
  ({ file, lineText, original, replacement }: Mutant): boolean =>
    row.file === file && row.lineText === lineText && row.original === original && row.replacement === replacement;

export const withoutEquivalents = (
  mutants: readonly Mutant[],
  rows: readonly Equivalent[] = EQUIVALENT,
): readonly Mutant[] => mutants.filter((mutant) => !rows.some((row) => isOf(row)(mutant)));

/** Rows of these files that fit none of their mutants. */
export const staleRows = (
  mutants: readonly Mutant[],
  files: readonly string[],
  rows: readonly Equivalent[] = EQUIVALENT,
): readonly Equivalent[] => rows.filter((row) => files.includes(row.file) && !mutants.some(isOf(row)));
