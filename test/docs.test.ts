// The documents do not lie: console blocks run in a folder with the example files, and print exactly what they show;
// links lead somewhere. UPDATE=1 writes what is printed into the blocks; commit only what you can explain.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { COMMANDS } from "../src/cli/catalogue.ts";
import { MAN_PATH, manText } from "../tools/man.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DOCUMENTS = [...globSync("*.md", { cwd: ROOT }), ...globSync("docs/**/*.md", { cwd: ROOT })].sort();

type Exchange = { readonly command: string };

/** Lines behind `$ ` are commands; what follows is what they print. */
const exchangesOf = (block: string): readonly Exchange[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => ({ command: part.slice(0, part.indexOf("\n")) }));

const blocksOf = (text: string, language: string): readonly string[] =>
  Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)).flatMap(([, name, body]) =>
    name === language && body !== undefined ? [body] : [],
  );

/** Errors name the whole path of a file; a reader has a folder of their own. */
const SHOWN_FOLDER = "/home/alice/dedalus";

/** The block as it would read if it showed what its commands print. */
const played = (block: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-docs-"));
  try {
    cpSync(join(ROOT, "examples/home"), folder, { recursive: true });
    const env = { ...process.env, PATH: `${join(ROOT, "bin")}:${process.env["PATH"]}` };
    return exchangesOf(block)
      .map(({ command }) => {
        const { stdout } = spawnSync("sh", ["-c", `exec 2>&1; ${command}`], { cwd: folder, encoding: "utf8", env });
        return `$ ${command}\n${stdout.replaceAll(folder, SHOWN_FOLDER)}`;
      })
      .join("");
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

const update = (document: string, block: string, printed: string): void => {
  const path = join(ROOT, document);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(block, () => printed),
  );
};

for (const document of DOCUMENTS) {
  const text = readFileSync(join(ROOT, document), "utf8");
  blocksOf(text, "console").forEach((block, at) => {
    test(`console block ${at + 1} of ${document} prints what it shows`, () => {
      assert.ok(exchangesOf(block).length > 0, "a console block has a command");
      const printed = played(block);
      if (process.env["UPDATE"] === "1") update(document, block, printed);
      else assert.equal(block, printed);
    });
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
