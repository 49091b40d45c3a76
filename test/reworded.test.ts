// Every sentence is reworded in a copy of the sources: the words are others, and no decision, no hash and no replay is.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { CONTRACT_SHA256 } from "../src/spine/rules/contract.ts";
import { RULE_IDS, ruleOf } from "../src/spine/rules/invariants.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { type Fingerprint, fingerprint } from "./fingerprint.ts";
import { MARK } from "./spine/reworded.ts";
import { COMPOSERS, TABLES, tablelessIn, wordsFilesIn } from "./words-files.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const RULES = ["src/spine/rules/invariants.ts", "src/spine/rules/contract.ts"];
const COPIED = [
  "package.json",
  "src",
  "test/fingerprint.ts",
  "test/histories",
  "test/history-files.ts",
  "test/spine",
  "test/words-files.ts",
];

/** Every table of words is reworded where it is made, so that its own module speaks the other words too. */
const rewordTables = (folder: string, path: string): void => {
  const file = join(folder, path);
  const text = readFileSync(file, "utf8");
  const other = text.replace(TABLES, "$1REWORDING.table = {");
  const rewording = relative(dirname(path), "test/spine/reworded.ts");
  writeFileSync(file, `import { REWORDING } from "${rewording}";\n${other}`);
};

const rewordRules = (file: string): void => {
  let text = readFileSync(file, "utf8").replaceAll(CONTRACT_SHA256, sha256("another contract"));
  for (const id of RULE_IDS) text = text.replaceAll(JSON.stringify(ruleOf(id).sentence), JSON.stringify(MARK));
  writeFileSync(file, text);
};

test("rewording every sentence changes no plan hash, no step hash, no explanation hash and no replay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-reworded-"));
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    const own = await fingerprint();
    for (const path of wordsFilesIn(folder)) rewordTables(folder, path);
    for (const path of RULES) rewordRules(join(folder, path));
    const copy: Fingerprint = JSON.parse(
      execFileSync(process.execPath, [join(folder, "test/fingerprint.ts")], { encoding: "utf8" }),
    );
    assert.deepEqual(
      copy.texts.filter((text) => !text.startsWith(MARK)),
      [],
      "every sentence is another one",
    );
    assert.equal(copy.texts.length, own.texts.length);
    assert.deepEqual(
      copy.spoken.filter((text) => !text.startsWith(MARK)),
      [],
      "and so is every one that is rendered",
    );
    assert.deepEqual([copy.spoken.length, own.spoken.filter((text) => text.includes(MARK))], [own.spoken.length, []]);
    assert.deepEqual(copy.decided, JSON.parse(JSON.stringify(own.decided)));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});

test("every file of words gives them as a table", () => {
  assert.deepEqual(tablelessIn(ROOT), []);
  assert.ok(wordsFilesIn(ROOT).includes("src/adapters/proxmox/words.ts"));
  const words = COMPOSERS.filter((file) => /_WORDS\b[^;]*? = \{/.test(readFileSync(join(ROOT, file), "utf8")));
  assert.deepEqual(words, [], "and who only chooses and fills has none");
});

test("a file of words without a table is found, wherever it is; a private table and a typed one are tables", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-words-"));
  const plant = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  };
  try {
    plant("src/spine/words/a-words.ts", 'export const saidOf = (): string => "it is so";');
    plant("src/spine/words/b-words.ts", 'const B_WORDS = {\n  so: "it is so",\n};');
    plant(
      "src/spine/words/c-words.ts",
      'export const C_WORDS: Readonly<Record<"so", string>> = {\n  so: "it is so",\n};',
    );
    plant("src/adapters/other/words.ts", 'export const said = "it is so";');
    assert.deepEqual(tablelessIn(folder), ["src/adapters/other/words.ts", "src/spine/words/a-words.ts"]);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});
