// compile(): hands small texts to the real compiler, one file each, and tells what it objects to in each of them.
//
// One run for all of them, with the options of tsconfig.json, in a folder inside the repository so that imports
// resolve.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../tools/sources.ts";

const CACHE = join(ROOT, ".cache");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** `SRC` in a text stands for the way to src/. */
export const compile = (texts: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> => {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "compile-"));
  try {
    const names = [...texts.keys()];
    const options = { extends: "../../tsconfig.json", files: names.map((_, at) => fileOf(at)), include: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
    for (const [at, text] of [...texts.values()].entries()) {
      writeFileSync(join(folder, fileOf(at)), text.replaceAll("SRC", "../../src"));
    }
    const lines = diagnosticsIn(folder);
    return new Map(names.map((name, at) => [name, lines.filter((line) => line.startsWith(`${fileOf(at)}(`))]));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

const fileOf = (at: number): string => `case-${at}.ts`;

const diagnosticsIn = (folder: string): readonly string[] => {
  const { error, stderr, stdout } = spawnSync(process.execPath, [COMPILER, "-p", ".", "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  if (stderr !== "") throw new Error(`the compiler did not run: ${stderr}`);
  return stdout.split("\n").filter((line) => / error TS\d+: /.test(line));
};
