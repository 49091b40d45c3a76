// What is ours in a line of text: where a colour begins and ends, and where a command stands that is kept whole.
//
// A mark is new in every process, so that no name, path or answer from outside can hold one. Everything between the
// marks is made visible when it is printed, whoever wrote it; only a mark becomes a code that a terminal obeys, and
// only one of these few.

import { OWN_MARK } from "../../ids.ts";
import { visible } from "../../spine/values/invisible.ts";

const MARK = `\u{fdd0}${OWN_MARK}`;
const COMMAND = `${MARK}c;`;
const COMMAND_END = `${MARK}e;`;
/** Bold, dim, red, green, yellow, their ends, and a command. */
const MARKS = new RegExp(`${MARK}(1|2|22|31|32|33|39|c|e);`, "g");

/** The text between two codes of a terminal (SGR). */
export const coloured = (on: number, off: number, text: string): string => `${MARK}${on};${text}${MARK}${off};`;

/** A command to paste: no line is broken in it. */
export const command = (text: string): string => `${COMMAND}${text}${COMMAND_END}`;

/** Of a pattern: a command with whatever stands around it without a blank. */
export const COMMAND_PATTERN = `\\S*?${COMMAND}.*?${COMMAND_END}\\S*`;

export const withoutMarks = (text: string): string => text.replace(MARKS, "");

/** As a terminal gets it. */
export const printable = (text: string): string =>
  text
    .split(MARKS)
    .map((part, at) => (at % 2 === 0 ? visible(part) : /^\d+$/.test(part) ? `\x1b[${part}m` : ""))
    .join("");

/** Several lines, and tabs where they are: a file to somebody else, or a question. */
export const printableLines = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part, at) => (at % 2 === 0 ? printable(part) : part))
    .join("");
