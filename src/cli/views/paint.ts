// How text is shown to this reader: colour for people at a terminal, plain text of the same words for every other one; and how a
// command is spelled that they can paste where they are.

import type { Spell } from "./next-step.ts";

export type Colours = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
};
export type Paint = Colours & { readonly command: Spell };

const same = (text: string): string => text;
export const PLAIN: Colours = { bold: same, dim: same };
export const COLOUR: Colours = { bold: (text) => `\x1b[1m${text}\x1b[22m`, dim: (text) => `\x1b[2m${text}\x1b[22m` };
