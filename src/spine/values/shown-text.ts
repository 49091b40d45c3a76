// Texts of somebody else, made fit to be shown: one line, nothing invisible, never long. Keeps P7-F1.

import { visible } from "./invisible.ts";

const SHOWN_MAX = 300;

export const shownText = (text: string): string => {
  const line = text
    .slice(0, SHOWN_MAX * 4)
    .replace(/\s+/g, " ")
    .trim();
  const seen = visible(line.toWellFormed());
  return seen.length > SHOWN_MAX ? `${seen.slice(0, SHOWN_MAX - 1)}…` : seen;
};
