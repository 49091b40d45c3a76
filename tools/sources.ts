// Reads the repository's own texts, by path from its root: what the tidy test, the rule table and the docs look at.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const LEFT_OUT = new Set(["node_modules", ".git", ".cache", "dist", "artifacts", "generated"]);
const IS_TEXT =
  /\.(?:tsx?|css|js|mjs|cjs|md|json|ya?ml|txt|1|service|timer)$|(?:^|\/)(?:Makefile|dedalus|run|\.npmrc|\.gitignore)$/;

const pathsUnder = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name))
    .flatMap((entry) => {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? pathsUnder(path) : entry.isFile() && IS_TEXT.test(path) ? [path] : [];
    })
    .toSorted();

export const sources = (): ReadonlyMap<string, string> =>
  new Map(pathsUnder("").map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
