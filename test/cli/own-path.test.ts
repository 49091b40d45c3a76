// bin/dedalus finds the tree that it belongs to, by whatever path it is called; or it says why not, in one line.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { readOwnPackage } from "../../src/cli/files/own-files.ts";
import { ROOT } from "../../tools/sources.ts";

describe("bin/dedalus", () => {
  let folder = "";
  const at = (...path: readonly string[]): string => join(folder, ...path);
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "dedalus-path-"));
    treeAt(at("tree"));
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  /** As little of a checkout as says its version. */
  const treeAt = (root: string): void => {
    mkdirSync(join(root, "bin"), { recursive: true });
    for (const file of ["DESIGN.md", "package.json", "bin/dedalus"]) copyFileSync(join(ROOT, file), join(root, file));
    cpSync(join(ROOT, "src"), join(root, "src"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  };
  const run = (cwd: string, command: string, argv: readonly string[], path = process.env["PATH"] ?? "") => {
    const { status, stderr, stdout } = spawnSync(command, argv, {
      cwd,
      encoding: "utf8",
      env: { ...process.env, CDPATH: "/", PATH: path },
    });
    return { code: status, err: stderr, out: stdout };
  };
  const VERSION = ["--version", "--json"];
  const findsItself = (told: ReturnType<typeof run>): void => {
    assert.deepEqual([told.code, told.err], [0, ""]);
    assert.equal(JSON.parse(told.out).dedalus, readOwnPackage().version);
  };
  /** One line, and no trace of a program that broke. */
  const saysWhy = ({ code, err, out }: ReturnType<typeof run>, what: RegExp): void => {
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, /^dedalus: .*\n$/);
    assert.match(err, what);
  };

  test("by its own path, a relative one, from its own folder, and by a shell that is given it", () => {
    findsItself(run("/", at("tree/bin/dedalus"), VERSION));
    findsItself(run(at("tree"), "bin/dedalus", VERSION));
    findsItself(run(at("tree/bin"), "./dedalus", VERSION));
    findsItself(run(at("tree/bin"), "sh", ["dedalus", ...VERSION]));
  });

  test("through links: absolute, relative, chained, of a folder, and by a shell in the folder of a link", () => {
    mkdirSync(at("links/deep"), { recursive: true });
    symlinkSync(at("tree/bin/dedalus"), at("links/absolute"));
    symlinkSync("../tree/bin/dedalus", at("links/relative"));
    symlinkSync("../relative", at("links/deep/chained"));
    symlinkSync(at("links/deep/chained"), at("links/longer"));
    symlinkSync("../tree/bin", at("links/folder"));
    for (const link of ["absolute", "relative", "deep/chained", "longer", "folder/dedalus"]) {
      findsItself(run("/", at("links", link), VERSION));
      findsItself(run(at(), `links/${link}`, VERSION));
      findsItself(run(at("links", dirname(link)), "sh", [basename(link), ...VERSION]));
    }
  });

  test("from PATH, whose folders may be relative and links", () => {
    mkdirSync(at("path"));
    symlinkSync(relative(at("path"), at("tree/bin/dedalus")), at("path/dedalus"));
    symlinkSync("tree/bin", at("linked-bin"));
    for (const first of [at("path"), "path", "./path", at("tree/bin"), "tree/bin", at("linked-bin"), "linked-bin"])
      findsItself(
        run(at(), "sh", ["-c", 'exec dedalus "$@"', "sh", ...VERSION], `${first}${delimiter}${process.env["PATH"]}`),
      );
  });

  for (const name of ["with  spaces", "line\nfeed", "-n", "--version", "'quoted\"", "$HOME*?", "100%#1", "end\n"])
    test(`in a folder that is called ${JSON.stringify(name)}`, () => {
      treeAt(at(name));
      findsItself(run("/", at(name, "bin/dedalus"), VERSION));
      findsItself(run(at(), "sh", [`./${name}/bin/dedalus`, ...VERSION]));
      findsItself(
        run(at(), "sh", ["-c", 'exec dedalus "$@"', "sh", ...VERSION], `${name}/bin${delimiter}${process.env["PATH"]}`),
      );
      symlinkSync(`${name}/bin/dedalus`, at("to it"));
      findsItself(run(at(), "./to it", VERSION));
      rmSync(at("to it"));
    });

  test("a folder with a backslash is refused by name: Node loads nothing from there", () => {
    treeAt(at("back\\nslash"));
    saysWhy(run("/", at("back\\nslash/bin/dedalus"), VERSION), /back\\nslash\n$/);
  });

  test("a copy without its tree, a tree without the pinned Node, and a link to nowhere are told", () => {
    mkdirSync(at("alone \\c/bin"), { recursive: true });
    copyFileSync(join(ROOT, "bin/dedalus"), at("alone \\c/bin/dedalus"));
    chmodSync(at("alone \\c/bin/dedalus"), 0o755);
    saysWhy(run("/", at("alone \\c/bin/dedalus"), VERSION), /alone \\c/);
    treeAt(at("bare"));
    rmSync(at("bare/node_modules"));
    saysWhy(run("/", at("bare/bin/dedalus"), VERSION), /make setup in .*\/bare\n/);
    symlinkSync("nowhere", at("lost"));
    // Found by no system that looks for it: only a shell that was handed its text can get here.
    saysWhy(run(at(), "sh", ["-c", `. "${at("tree/bin/dedalus")}"`, "lost"]), /nowhere/);
  });
});
