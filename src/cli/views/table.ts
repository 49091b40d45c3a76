// A table with headings that fits the terminal: its least important columns give way, and its text hangs below itself.
//
// A row is one line; only a last column of free text may take more. In a pipe nothing is shortened and nothing is left
// out.

import { padded } from "./columns.ts";
import type { TextStyle } from "./text-style.ts";
import { widthOf, wrap } from "./wrap.ts";

export type Column = {
  readonly heading: string;
  /** Numbers stand under each other by their last digit. */
  readonly align?: "right";
  /** When it is left out: the smallest number of a table first. Without one it is always shown. */
  readonly drop?: number;
  /** It is left out only while it says the same in every row. */
  readonly dropOnly?: "where-same";
  /** When its short cells are taken, in the same order. */
  readonly shorten?: number;
  /** Of the last column: free text, which is broken instead of left out. */
  readonly wraps?: true;
};

/** `short` is what is still enough to read the row. */
export type Cell = string | { readonly short: string; readonly whole: string };

type Shown = { readonly cells: readonly string[]; readonly column: Column };

const GAP = 2;
/** Less room than this for free text is a column of single words; a wide terminal has more of it to give. */
const TEXT_MIN = 28;
const TEXT_SHARE = 0.45;

export const table = (
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { width }: Pick<TextStyle, "width">,
): readonly string[] => {
  const isSame = (at: number): boolean => new Set(rows.map((row) => wholeOf(row[at] ?? ""))).size < 2;
  const ranks = columns.flatMap(({ drop, dropOnly, shorten }, at) => [
    ...(shorten === undefined ? [] : [shorten]),
    ...(drop === undefined || (dropOnly === "where-same" && !isSame(at)) ? [] : [drop]),
  ]);
  const steps = [0, ...new Set(ranks.toSorted((one, other) => one - other))];
  const shownAt = (step: number): readonly Shown[] =>
    columns.flatMap((column, at) => {
      const isGone = column.drop !== undefined && column.drop <= step && (column.dropOnly === undefined || isSame(at));
      const isShort = column.shorten !== undefined && column.shorten <= step;
      return isGone ? [] : [{ cells: rows.map((row) => (isShort ? shortOf : wholeOf)(row[at] ?? "")), column }];
    });
  const step = width === undefined ? 0 : steps.find((one) => roomOf(shownAt(one), width) <= width);
  return linesOf(shownAt(step ?? steps.at(-1) ?? 0), width);
};

const wholeOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.whole);
const shortOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.short);

const widest = ({ cells, column }: Shown): number => Math.max(...[column.heading, ...cells].map(widthOf));

/** Free text counts as much as it needs at least. */
const roomOf = (shown: readonly Shown[], width: number): number =>
  shown
    .map((one) => (one.column.wraps === true ? Math.min(widest(one), textMin(width)) : widest(one)))
    .reduce((sum, one) => sum + one + GAP, -GAP);

const linesOf = (shown: readonly Shown[], width: number | undefined): readonly string[] => {
  const last = shown.at(-1);
  const before = shown.slice(0, -1).map((one) => ({ ...one, width: widest(one) }));
  const from = before.reduce((sum, one) => sum + one.width + GAP, 0);
  const line = (at: number): readonly string[] => {
    const start = before.map((one) => aligned(cellOf(one, at), one.width, one.column) + " ".repeat(GAP)).join("");
    const end = last === undefined ? "" : cellOf(last, at);
    const text = last?.column.align === "right" ? aligned(end, widest(last), last.column) : end;
    return width === undefined ? [(start + text).trimEnd()] : broken(start, text, from, width);
  };
  return [-1, ...(last?.cells.keys() ?? [])].flatMap(line);
};

const textMin = (width: number): number => Math.max(TEXT_MIN, Math.floor(width * TEXT_SHARE));

/** The heading is the row before the first. */
const cellOf = ({ cells, column }: Shown, at: number): string => (at < 0 ? column.heading : (cells[at] ?? ""));

const aligned = (cell: string, width: number, { align }: Column): string =>
  align === "right" ? " ".repeat(Math.max(0, width - widthOf(cell))) + cell : padded(cell, width);

/**
 * What begins in the second half of a narrow terminal would hang there as single words: then it hangs below the row.
 */
const broken = (start: string, text: string, from: number, width: number): readonly string[] =>
  wrap((start + text).trimEnd(), width, width - from < TEXT_MIN / 2 ? GAP * 2 : from);
