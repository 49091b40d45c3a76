// The programs that docs/RECORDS.md gives to strangers, as files that a test can run.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const RECORDS = new URL("../../docs/RECORDS.md", import.meta.url);

export const hasPython = (): boolean => spawnSync("python3", ["--version"]).status === 0;

/** Writes the program under a heading to a file. */
export const writeProgram = (heading: string, path: string): void => {
  const [, section = ""] = readFileSync(RECORDS, "utf8").split(`\n## ${heading}\n`);
  const [, program] = /^```python\n([\s\S]*?)^```$/m.exec(section) ?? [];
  assert.ok(program !== undefined, `docs/RECORDS.md has a program under "${heading}"`);
  writeFileSync(path, program);
};

export const runProgram = (path: string, ...argv: readonly string[]) => {
  const { status, stderr, stdout } = spawnSync("python3", [path, ...argv], { encoding: "utf8" });
  return { code: status, err: stderr, out: stdout };
};
