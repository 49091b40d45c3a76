// Every sentence is reworded in a copy of the sources: the words are others, and no decision, no hash and no replay is.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CONTRACT_SHA256 } from "../src/spine/rules/contract.ts";
import { RULE_IDS, ruleOf } from "../src/spine/rules/invariants.ts";
import { sha256 } from "../src/spine/values/hash.ts";
import { CATALOGUE } from "../src/spine/words/catalogue.ts";
import { type Fingerprint, fingerprint } from "./fingerprint.ts";
import { MARK, rewordedText, textsIn } from "./spine/reworded.ts";

const ROOT = new URL("..", import.meta.url).pathname;
const WORDS = "src/spine/words";
const RULES = ["src/spine/rules/invariants.ts", "src/spine/rules/contract.ts"];
const COPIED = ["package.json", "src", "test/fingerprint.ts", "test/histories", "test/history-files.ts", "test/spine"];

/** As the sources write a text; the longest first, so that no text is taken for a part of another. */
const literals = (): readonly (readonly [was: string, is: string])[] =>
  [...textsIn(CATALOGUE), ...RULE_IDS.map((id) => ruleOf(id).sentence)]
    .toSorted((one, other) => other.length - one.length)
    .flatMap((text) =>
      [JSON.stringify(text), `'${text.replaceAll("'", "\\'")}'`].map(
        (literal) => [literal, JSON.stringify(rewordedText(text))] as const,
      ),
    );

const reword = (file: string): void => {
  let text = readFileSync(file, "utf8").replaceAll(CONTRACT_SHA256, sha256("another contract"));
  for (const [was, is] of literals()) text = text.replaceAll(was, is);
  writeFileSync(file, text);
};

test("rewording every sentence changes no plan hash, no step hash, no explanation hash and no replay", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-reworded-"));
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    const own = await fingerprint();
    for (const name of readdirSync(join(folder, WORDS))) reword(join(folder, WORDS, name));
    for (const path of RULES) reword(join(folder, path));
    const copy: Fingerprint = JSON.parse(
      execFileSync(process.execPath, [join(folder, "test/fingerprint.ts")], { encoding: "utf8" }),
    );
    assert.deepEqual(
      copy.texts.filter((text) => !text.startsWith(MARK)),
      [],
      "every sentence is another one",
    );
    assert.equal(copy.texts.length, own.texts.length);
    assert.deepEqual(copy.decided, JSON.parse(JSON.stringify(own.decided)));
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
});
