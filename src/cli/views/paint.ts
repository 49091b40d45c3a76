// Colour for people at a terminal; every other reader gets plain text of the same words.

export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
};

const same = (text: string): string => text;
export const PLAIN: Paint = { bold: same, dim: same };
export const COLOUR: Paint = { bold: (text) => `\x1b[1m${text}\x1b[22m`, dim: (text) => `\x1b[2m${text}\x1b[22m` };
