// One mutant on trial: written into a copy of the tree, and the tests that run through it run there, the quickest
// first.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiles } from "./compiles.ts";
import { type Covered, runsThrough } from "./coverage.ts";
import { type Mutant, mutated } from "./mutants.ts";
import { type RunFolder, runTests } from "./run-tests.ts";

/** Killed by a direct test, by the compiler, by a simulated world alone, or by nothing. */
export type Fate = "compiler" | "direct" | "survived" | "world";
export type Trial = { readonly fate: Fate; readonly mutant: Mutant };
export type Witnesses = { readonly direct: readonly Covered[]; readonly worlds: readonly Covered[] };

export const tryMutant = async (folder: RunFolder, mutant: Mutant, { direct, worlds }: Witnesses): Promise<Trial> => {
  const path = join(folder.folder, mutant.file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, mutated(source, mutant));
  try {
    if (await isKilled(folder, mutant, direct)) return { fate: "direct", mutant };
    // The slower one, so it is asked about what no test of the room misses.
    if (!(await compiles(folder.folder))) return { fate: "compiler", mutant };
    return { fate: (await isKilled(folder, mutant, worlds)) ? "world" : "survived", mutant };
  } finally {
    writeFileSync(path, source);
  }
};

const isKilled = async (folder: RunFolder, mutant: Mutant, witnesses: readonly Covered[]): Promise<boolean> => {
  for (const group of quickFirst(witnesses.filter((one) => runsThrough(one, mutant.file, mutant.start)))) {
    const files = group.map(({ testFile }) => testFile);
    // A mutant can make a test wait for ever; that too kills it.
    const timeoutMaxMs = 15_000 + 6 * sumMs(group);
    if ((await runTests(folder, files, { timeoutMaxMs })) !== "passed") return true;
  }
  return false;
};

/** One start of a process for many quick files, and few that run in vain after a failure. */
const GROUP_MS = 4_000;
const quickFirst = (witnesses: readonly Covered[]): readonly (readonly Covered[])[] => {
  const groups: Covered[][] = [];
  for (const one of witnesses.toSorted((a, b) => a.ms - b.ms)) {
    const last = groups.at(-1);
    if (last !== undefined && sumMs(last) + one.ms <= GROUP_MS) last.push(one);
    else groups.push([one]);
  }
  return groups;
};
const sumMs = (group: readonly Covered[]): number => group.reduce((total, { ms }) => total + ms, 0);
