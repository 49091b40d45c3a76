// One line of the table: what was measured, what came out, and the goal it is held against.

export type Row = {
  readonly measure: string;
  /** Always a ratio to something measured in the same run, so that it means the same on every machine. */
  readonly value: number;
  readonly goal: number;
  readonly statistic: string;
};

export const isMet = ({ goal, value }: Row): boolean => value <= goal;

const HEAD = ["measure", "value", "goal", "", "statistic"] as const;

export const tableText = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => [
    row.measure,
    `${row.value.toFixed(2)} ×`,
    `${row.goal.toFixed(1)} ×`,
    isMet(row) ? "met" : "MISSED",
    row.statistic,
  ]);
  const widths = HEAD.map((head, at) => Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const lined = (line: readonly string[]): string =>
    line
      .map((cell, at) => (at === 1 || at === 2 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ");
  return [HEAD, ...cells].map((line) => `${lined(line).trimEnd()}\n`).join("");
};
