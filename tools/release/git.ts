// git, as the release tool calls it: a failure ends the tool with what git said.

import { execFileSync } from "node:child_process";

export const git = (root: string, ...argv: readonly string[]): string =>
  execFileSync("git", argv, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trimEnd();
