// What a test file covers, kept in .cache/mutate while nothing that it could run has changed: every file of the tree
// but the other test files and the documents. A failing test is not kept.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Covered } from "./coverage.ts";
import { filesOf } from "./work-copy.ts";

const FOLDER = ".cache/mutate";
const isOfEveryTest = (file: string): boolean => !file.endsWith(".test.ts") && !file.endsWith(".md");

export const coverageCache = (top: string) => {
  const shared = digestOf(top, filesOf(top).filter(isOfEveryTest));
  const pathOf = (testFile: string): string =>
    join(top, FOLDER, `${shared}-${digestOf(top, [testFile])}.json`.slice(0, 200));
  return {
    keep: (covered: Covered): void => {
      mkdirSync(join(top, FOLDER), { recursive: true });
      writeFileSync(pathOf(covered.testFile), JSON.stringify(covered));
    },
    kept: (testFile: string): Covered | undefined => {
      try {
        return JSON.parse(readFileSync(pathOf(testFile), "utf8"));
      } catch {
        return undefined; // Absent or torn: it is measured again.
      }
    },
  };
};

const digestOf = (top: string, files: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(top, file)))
      .update("\0");
  return hash.digest("hex").slice(0, 32);
};
