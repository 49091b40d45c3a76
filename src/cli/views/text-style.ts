// How a text is shown to whoever reads it: colour, how much of a hash, since when, from which folder a path counts, and
// how a command is spelled that they can paste where they are.
//
// Given to every view of text and to none of JSON: a program gets whole hashes, instants, paths as they were named, and
// next steps as data.

import type { Instant } from "../../spine/model.ts";
import type { Spell } from "./next-step.ts";
import { type Paint, PLAIN } from "./paint.ts";

export type TextStyle = Paint & {
  /** A next step as a command. */
  readonly command: Spell;
  /** Paths in errors are shown whole, as they are read from here. */
  readonly folder: string;
  /** Hashes as they are, for whoever asked for more words. */
  readonly isVerbose: boolean;
  /** What "ago" and "in" count from. */
  readonly now: Instant;
  /** The columns that a table has; undefined where nothing needs to give way: in a pipe, and in a file. */
  readonly width?: number;
};

const HASH_SHOWN = 12;

/** Enough to tell two of them apart; what somebody must paste is printed whole, without this. */
export const hashText = (hash: string, { isVerbose }: TextStyle): string =>
  isVerbose ? hash : hash.slice(0, HASH_SHOWN);

/** For a text that is no command's: without colour, and with everything in it whole. */
export const plainStyle = (now: Instant, command: Spell, folder = "/"): TextStyle => ({
  ...PLAIN,
  command,
  folder,
  isVerbose: true,
  now,
});
