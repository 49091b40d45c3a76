// The tree of one commit, written byte for byte to a folder of its own: no ignored or untracked file, no edit that the
// index hides, no filter, no attribute and no line ending of this machine. And what npm installs there, which is what
// the lock file gives the digests of.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gitBytes } from "../release/git.ts";

type Entry = { readonly id: string; readonly mode: string; readonly path: string };

/** One line of `git ls-tree -r -z`. */
const ENTRY = /^(\d{6}) (?:blob|commit) ([0-9a-f]+)\t(.+)$/s;

const entriesOf = (root: string, commit: string): readonly Entry[] =>
  gitBytes(root, ["ls-tree", "-r", "-z", "--full-tree", commit])
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const [, mode = "", id = "", path = ""] = ENTRY.exec(line) ?? [];
      if (path === "") throw new Error(`git ls-tree says ${JSON.stringify(line)}`);
      return { id, mode, path };
    });

export const pathsIn = (root: string, commit: string): readonly string[] =>
  entriesOf(root, commit).map(({ path }) => path);

/** What `git cat-file --batch` prints for each: a line that ends with the size, the bytes, a line feed. */
function* contentsOf(root: string, entries: readonly Entry[]): Generator<readonly [Entry, Buffer]> {
  const input = entries.map(({ id }) => `${id}\n`).join("");
  const bytes = gitBytes(root, ["cat-file", "--batch"], { input });
  let from = 0;
  for (const entry of entries) {
    const end = bytes.indexOf("\n", from);
    const [id, type, size] = bytes.toString("utf8", from, end).split(" ");
    if (id !== entry.id || type !== "blob") throw new Error(`git has no file for ${entry.path}`);
    yield [entry, bytes.subarray(end + 1, end + 1 + Number(size))];
    from = end + 1 + Number(size) + 1;
  }
}

const writeTree = (root: string, commit: string, to: string): void => {
  for (const [{ mode, path }, bytes] of contentsOf(root, entriesOf(root, commit))) {
    const file = join(to, path);
    mkdirSync(dirname(file), { recursive: true });
    if (mode === "120000") symlinkSync(bytes, file);
    else {
      writeFileSync(file, bytes);
      chmodSync(file, mode === "100755" ? 0o755 : 0o644);
    }
  }
};

/** Works in the tree of the commit, which is gone afterwards. */
export const inCommittedTree = <T>(root: string, commit: string, work: (tree: string) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), "dedalus-tree-"));
  try {
    writeTree(root, commit, folder);
    return work(folder);
  } finally {
    rmSync(folder, { force: true, recursive: true });
  }
};

/**
 * From npm's cache where it has them, and from the registry otherwise; npm holds each against the lock file's digest.
 */
export const installLocked = (tree: string): void => {
  const argv = ["ci", "--ignore-scripts", "--prefer-offline", "--loglevel=error", "--no-progress"];
  execFileSync("npm", argv, { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
};
