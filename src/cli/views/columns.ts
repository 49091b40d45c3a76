// Rows of words in columns that align; the last column has no end to align. Colours take no room.

import { widthOf } from "./wrap.ts";

export const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widthOf(cell), widest[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : padded(cell, widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
};

export const padded = (cell: string, width: number): string => cell + " ".repeat(Math.max(0, width - widthOf(cell)));
