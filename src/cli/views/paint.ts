// Colour for people at a terminal, and plain text of the same words for every other reader.

import { coloured } from "./marks.ts";

export type Colour = "bold" | "dim" | "green" | "red" | "yellow";
export type Paint = Readonly<Record<Colour, (text: string) => string>>;

const same = (text: string): string => text;
export const PLAIN: Paint = { bold: same, dim: same, green: same, red: same, yellow: same };

const between =
  (on: number, off: number) =>
  (text: string): string =>
    coloured(on, off, text);
export const COLOUR: Paint = {
  bold: between(1, 22),
  dim: between(2, 22),
  green: between(32, 39),
  red: between(31, 39),
  yellow: between(33, 39),
};
