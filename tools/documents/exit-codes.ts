// The table of exit codes, from the one that the command line exits by.

import { EXIT_CODES } from "../../src/cli/exit-codes.ts";
import { cell } from "./cell.ts";

export const exitCodeLines = (): readonly string[] => [
  "| exit code | meaning |",
  "| --- | --- |",
  ...Object.values(EXIT_CODES).map(({ code, meaning }) => `| ${code} | ${cell(meaning)} |`),
];
