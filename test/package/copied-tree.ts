// A copy of this tree to build in, so that a test leaves nothing in the checkout; dependencies are linked.

import { cpSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "../../tools/sources.ts";

const LEFT_OUT = new Set([
  ".cache",
  ".git",
  "artifacts",
  "bench",
  "demo",
  "dist",
  "integrations",
  "node_modules",
  "test",
]);

export const copyTree = (to: string): void => {
  cpSync(ROOT, to, { filter: (path) => !LEFT_OUT.has(relative(ROOT, path)), recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(to, "node_modules"));
};
