// A copy of the work tree in which sources may be mutated; the tree itself is never touched.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export type WorkCopy = {
  readonly folder: string;
  readonly remove: () => void;
  /** For the temporary files of its tests: a run that is ended at its first failure clears nothing away. */
  readonly temp: string;
};

/** Git still lists what was removed and not committed yet; and a link to a folder is no file of the tree. */
export const filesOf = (top: string): readonly string[] =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: top, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && statSync(join(top, file), { throwIfNoEntry: false })?.isFile() === true)
    .sort();

export const copyTree = (top: string): WorkCopy => {
  const base = mkdtempSync(join(tmpdir(), "dedalus-m-"));
  // Servers of the tests run as somebody else.
  chmodSync(base, 0o755);
  const [folder, temp] = [join(base, "tree"), join(base, "tmp")];
  mkdirSync(temp);
  chmodSync(temp, 0o1777);
  for (const file of filesOf(top)) cpSync(join(top, file), join(folder, file));
  symlinkSync(resolve(top, "node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => removeTree(base), temp };
};

/** Tests of a full disk mount one below their folder; one that was ended in the middle left it there. */
const removeTree = (base: string): void => {
  for (const path of mountsBelow(base, readFileSync("/proc/self/mounts", "utf8"))) {
    execFileSync("umount", ["--lazy", path]);
  }
  rmSync(base, { force: true, recursive: true });
};

/** The innermost first. A mount table writes a space as \040, and no name here has one. */
export const mountsBelow = (base: string, table: string): readonly string[] =>
  table
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((path) => path.startsWith(`${base}/`))
    .reverse();

/** The test files below these folders, or named by themselves. */
export const testFilesIn = (top: string, paths: readonly string[]): readonly string[] =>
  paths
    .flatMap((path) => (statSync(join(top, path)).isFile() ? [path] : globSync(`${path}/**/*.test.ts`, { cwd: top })))
    .sort();
