// make package: the package of the commit that is checked out, into artifacts/. Whatever else lies in the folder is not
// in it.
//
// The commit's own tools build it, on the Node that its lock file pins: what is edited here takes no part.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../release/git.ts";
import { ROOT } from "../sources.ts";
import { inCommittedTree, installLocked, pathsIn } from "./committed-tree.ts";
import { fileDifferences } from "./expected-files.ts";
import { bundled } from "./manifest.ts";
import type { Packed } from "./pack.ts";

/** Packs `commit` into `folder`; `tree` is where it was written. */
export const packTree = (root: string, commit: string, tree: string, folder: string): Packed => {
  installLocked(tree);
  mkdirSync(folder, { recursive: true });
  const argv = ["--disable-warning=ExperimentalWarning", join(tree, "tools/package/pack.ts"), folder];
  const packed: Packed = JSON.parse(
    execFileSync(join(tree, "node_modules/.bin/node"), argv, {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  const installed = bundled(JSON.parse(readFileSync(join(tree, "package-lock.json"), "utf8")));
  const paths = packed.files.map(({ path }) => path);
  const differences = fileDifferences(paths, pathsIn(root, commit), installed);
  if (differences.length > 0)
    throw new Error(
      `the package is not what ${commit} gives: ${differences.map(({ code, path }) => `${code} ${path}`)}`,
    );
  return packed;
};

if (import.meta.main) {
  const commit = git(ROOT, "rev-parse", "--verify", "HEAD^{commit}");
  const { filename, files, size, unpackedSize } = inCommittedTree(ROOT, commit, (tree) =>
    packTree(ROOT, commit, tree, join(ROOT, "artifacts")),
  );
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`;
  process.stdout.write(
    `artifacts/${filename}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)} in ${files.length} files, of commit ${commit}\n`,
  );
  if (git(ROOT, "status", "--porcelain", "--untracked-files=all") !== "")
    process.stderr.write("What git status shows is not committed, and so it is not in the package.\n");
}
