// What a package has to hold, from the paths of its commit alone; and how what was packed differs from that. Pure.

import { COPIED, isLeftOut } from "./build.ts";
import { FORMATS } from "./declare-formats.ts";

/** What is built in one piece from many sources: its names hold hashes of what came of them. */
const BUILT = "console/";
const BUILT_ALWAYS = ["console/index.html"];

/** Everything but what npm installed, and the pieces of what is built. */
export const expectedFiles = (committed: readonly string[]): ReadonlySet<string> =>
  new Set([
    "package.json",
    ...BUILT_ALWAYS,
    ...Object.keys(FORMATS).map((format) => `types/${format}.d.ts`),
    ...committed
      .filter((path) => path.startsWith("src/") && !path.startsWith("src/console/") && path.endsWith(".ts"))
      .map((path) => path.replace(/^src\/(.*)\.ts$/, "lib/$1.js")),
    ...COPIED.flatMap(([from, to]) =>
      committed
        .filter((path) => (path === from || path.startsWith(`${from}/`)) && !isLeftOut(path))
        .map((path) => `${to}${path.slice(from.length)}`),
    ),
  ]);

export type FileDifference = { readonly code: "file-missing" | "file-stray"; readonly path: string };

/** `installed` are the folders of what the lock file names for run time. */
export const fileDifferences = (
  packed: readonly string[],
  committed: readonly string[],
  installed: readonly string[],
): readonly FileDifference[] => {
  const [expected, found] = [expectedFiles(committed), new Set(packed)];
  const isInstalled = (path: string): boolean => installed.some((folder) => path.startsWith(`${folder}/`));
  return [
    ...[...expected].filter((path) => !found.has(path)).map((path) => ({ code: "file-missing", path }) as const),
    ...packed
      .filter((path) => !expected.has(path) && !isInstalled(path) && !path.startsWith(BUILT))
      .map((path) => ({ code: "file-stray", path }) as const),
  ];
};
