// The versions of the rules that were released, in released.json. Their histories stand as they are: ledgers of them
// are in the world. A release lists the version that it carries (tools/release/steps.ts).

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const RELEASED_FILE = "tools/histories/released.json";

export const releasedRules = (root: string): readonly number[] =>
  JSON.parse(readFileSync(join(root, RELEASED_FILE), "utf8"));

export const historyOf = (root: string, rules: number): string => join(root, "test/histories", String(rules));

/** Whether a history is never written again. */
export const isHistoryFixed = (root: string, rules: number): boolean =>
  releasedRules(root).includes(rules) && existsSync(historyOf(root, rules));

export const writeReleased = (root: string, rules: number): void => {
  const released = new Set([...releasedRules(root), rules]);
  writeFileSync(join(root, RELEASED_FILE), `${JSON.stringify([...released])}\n`);
};
