// A line broken at the width of a terminal, with what follows indented below where its text began.
//
// A command that somebody is to paste is marked as one (marks.ts) and never broken: the terminal folds it by itself,
// and what is copied is one line. Colours take no room. Characters that take two columns are counted as one.

import { COMMAND_PATTERN, withoutMarks } from "./marks.ts";

/** The columns that a text takes. */
export const widthOf = (text: string): number => withoutMarks(text).length;

/** A time with its instant. */
const TIME = "(?:expire[sd] )?(?:(?:in \\d+ \\w+|\\d+ \\w+ ago|just now) )?\\(\\d{4}-\\d{2}-\\d{2} [0-9:]{8}Z\\)\\S*";
/** An id with the word before it that says whose it is. */
const ID = "\\(?[a-z]+ [0-9A-Z]{26}\\b\\S*";
/** A number with the word before it that says of what. */
const NUMBER = "\\(?(?:VM|record|step) \\d+\\b\\S*";
/** What is kept on one line. */
const UNITS = new RegExp(`${COMMAND_PATTERN}|${TIME}|${ID}|${NUMBER}|\\S+`, "g");

/** Where something begins that does not fit where it should. */
const EDGE = 2;
const beginOf = (unit: string, indent: number, width: number): string => {
  const room = width - widthOf(unit);
  const edge = room < 0 ? EDGE : Math.min(EDGE, room);
  return " ".repeat(indent <= room ? indent : Math.min(indent, edge)) + unit;
};

/**
 * The lines of a text: the first as it begins, the others behind `indent` blanks. A word that is too long stays whole.
 */
export const wrap = (text: string, width: number, indent: number): readonly string[] => {
  const lines: string[] = [];
  let line = "";
  let end = 0;
  for (const { 0: unit, index } of text.matchAll(UNITS)) {
    const gap = text.slice(end, index);
    end = index + unit.length;
    const isTooWide = widthOf(line) + gap.length + widthOf(unit) > width;
    // A key or a path that fits no line gains nothing from one of its own; a command is found there, and copied from
    // it.
    if (line.trim() !== "" && isTooWide && (unit.includes(" ") || widthOf(unit) <= width)) {
      lines.push(line);
      line = beginOf(unit, indent, width);
    } else if (line === "" && isTooWide && unit.includes(" ")) {
      // Alone on its line, a command that does not fit there moves to the edge.
      line = beginOf(unit, gap.length, width);
    } else line += gap + unit;
  }
  return [...lines, line];
};

/**
 * Where the text of a line begins: behind its last column that begins in its first half, or two blanks further in. A
 * word with a colon at the beginning is a column as well.
 */
export const hangOf = (line: string, width: number): number => {
  const plain = withoutMarks(line);
  const columns = Array.from(plain.matchAll(/^ *\S+: +|\S {2,}(?=\S)/g), ({ 0: gap, index }) => index + gap.length);
  return columns.findLast((at) => at <= width / 2) ?? plain.length - plain.trimStart().length + 2;
};

/** As they are where there is no width to keep to. */
export const wrapped = (lines: readonly string[], width: number | undefined): readonly string[] =>
  width === undefined
    ? lines
    : lines.flatMap((line) => (widthOf(line) <= width ? [line] : wrap(line, width, hangOf(line, width))));
