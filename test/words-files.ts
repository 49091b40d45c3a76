// Which files give words: every file of src/spine/words and the words.ts of each adapter, but for those that only
// choose and fill.
//
// Found by looking, so that a new file is reworded without anybody naming it.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * These choose, fill or carry templates of others; that they say nothing themselves is checked (tools/tidy/english.ts).
 */
export const COMPOSERS: readonly string[] = [
  "src/spine/words/steps/agreement-in-words.ts",
  "src/spine/words/words-catalogue.ts",
  "src/spine/words/steps/explanation-in-words.ts",
  "src/spine/words/cause.ts",
  "src/spine/words/own-words.ts",
  "src/spine/words/recorded-words.ts",
  "src/spine/words/steps/step-in-words.ts",
  "src/spine/words/steps/step-summary.ts",
];

/** A table of words, private or not, with or without a type. */
export const TABLES = /^((?:export )?const [A-Z_]+(?:: [^=\n]+)? = )\{/gm;

export const wordsFilesIn = (root: string): readonly string[] =>
  ["src/spine/words/**/*.ts", "src/adapters/*/words.ts"]
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .toSorted()
    .filter((file) => !COMPOSERS.includes(file));

/** Files that give no table, so that rewording would pass them by. */
export const tablelessIn = (root: string): readonly string[] =>
  wordsFilesIn(root).filter((file) => readFileSync(join(root, file), "utf8").search(TABLES) < 0);
