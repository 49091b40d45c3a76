// One line of the table: what was measured, what came out, and the goal it is held against.

export type Row = {
  readonly measure: string;
  /**
   * A ratio to something measured in the same run where that is possible, so that it means the same on every machine.
   */
  readonly value: number;
  readonly goal: number;
  /** The goal is the most that is allowed, unless it is said to be the least. */
  readonly bound?: "most" | "least";
  /** A ratio, unless it is said otherwise. */
  readonly unit?: "×" | "/s" | "kB" | "ms";
  readonly statistic: string;
  /** For a value that is no ratio: what the same run measured on this machine to compare it with. */
  readonly beside?: string;
};

export const isMet = ({ bound = "most", goal, value }: Row): boolean =>
  bound === "most" ? value <= goal : value >= goal;

const SIGNS = { least: "≥", most: "≤" } as const;

const numberText = (value: number, unit: NonNullable<Row["unit"]>, digits: number): string =>
  unit === "/s" ? `${Math.round(value).toLocaleString("en")} /s` : `${value.toFixed(digits)} ${unit}`;

const HEAD = ["measure", "value", "goal", "", "statistic"] as const;

export const tableText = (rows: readonly Row[]): string => {
  const cells = rows.map((row) => {
    const { beside, bound = "most", goal, measure, statistic, unit = "×", value } = row;
    return [
      measure,
      numberText(value, unit, 2),
      `${SIGNS[bound]} ${numberText(goal, unit, Number.isInteger(goal * 10) ? 1 : 2)}`,
      isMet(row) ? "met" : "MISSED",
      beside === undefined ? statistic : `${statistic}; beside it ${beside}`,
    ];
  });
  const widths = HEAD.map((head, at) => Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const lined = (line: readonly string[]): string =>
    line
      .map((cell, at) => (at === 1 || at === 2 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join("  ");
  return [HEAD, ...cells].map((line) => `${lined(line).trimEnd()}\n`).join("");
};
