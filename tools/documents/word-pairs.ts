// The pairs of words of docs/style.md, from the table that the tidy test searches by.

import { GONE_WORDS } from "../tidy/gone-words.ts";
import { cell } from "./cell.ts";

export const wordLines = (): readonly string[] => [
  "| gone | right |",
  "| --- | --- |",
  ...GONE_WORDS.map(({ gone, now }) => `| ${cell(gone)} | ${cell(now)} |`),
];
