// The documents do not lie: console blocks run and print exactly what they show (document-console.ts), links lead
// somewhere. UPDATE=1 writes what is printed into the blocks; commit only what you can explain.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../src/cli/catalogue/catalogue.ts";
import { MAN_PATH, manText } from "../tools/man.ts";
import { blocksOf, exchangesOf, playedAlone, playedInOrder, stageOf } from "./document-console.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DOCUMENTS = [...globSync("*.md", { cwd: ROOT }), ...globSync("docs/**/*.md", { cwd: ROOT })].sort();

const update = (document: string, block: string, printed: string): void => {
  const path = join(ROOT, document);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(block, () => printed),
  );
};

for (const document of DOCUMENTS) {
  const text = readFileSync(join(ROOT, document), "utf8");
  const blocks = blocksOf(text, "console");
  const compare = (block: string, printed: string): void => {
    if (process.env["UPDATE"] === "1") update(document, block, printed);
    else assert.equal(block, printed);
  };
  const stage = stageOf(text);
  if (stage === undefined) {
    blocks.forEach((block, at) => {
      test(`console block ${at + 1} of ${document} prints what it shows`, async () => {
        compare(block, await playedAlone(block));
      });
    });
  } else {
    test(`the console blocks of ${document} print what they show, in order, on a simulated cluster`, async () => {
      const printed = await playedInOrder(blocks, stage);
      blocks.forEach((block, at) => {
        compare(block, printed[at] ?? "");
      });
    });
  }
  test(`every console block of ${document} has a command`, () => {
    for (const block of blocks) assert.ok(exchangesOf(block).length > 0, block);
  });
  test(`the links of ${document} lead somewhere`, () => {
    for (const [, target = ""] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)) {
      if (!/^[a-z]+:/.test(target)) assert.ok(existsSync(join(ROOT, dirname(document), target)), target);
    }
  });
}

test("the README opens with a transcript that runs", () => {
  assert.ok(blocksOf(readFileSync(join(ROOT, "README.md"), "utf8"), "console").length >= 2);
});

test("the manual page is what the catalogue says, and has every command", () => {
  const text = readFileSync(join(ROOT, MAN_PATH), "utf8");
  assert.equal(text, manText(), "run make docs and read the difference");
  assert.equal(text.match(/^\.SS /gm)?.length, COMMANDS.length);
});

test("the formatter has no complaint about the manual page", (t) => {
  const { error, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", "-z", join(ROOT, MAN_PATH)], {
    encoding: "utf8",
  });
  if (error !== undefined) return t.diagnostic("groff is not installed");
  assert.equal(stderr, "");
});
