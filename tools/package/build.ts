// Builds the package into dist/: JavaScript by tsc, without checking types once more (`make check` does), and beside it
// every file that the program reads or that an operator wants.
//
// dist/ is the package, file for file; what is not listed here does not come with it. No test, no tool, no bench, no
// source.

import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildConsole } from "../console/build-console.ts";
import { FORMATS, typesOf } from "./declare-formats.ts";
import { bundled, packageJson } from "./manifest.ts";

/** From the repository to the package. DESIGN.md is read at every start: it is the contract. */
export const COPIED: readonly (readonly [from: string, to: string])[] = [
  ["tools/package/dedalus.cjs", "bin/dedalus.cjs"],
  ["docs/dedalus.1", "man/dedalus.1"],
  ["src/boundary/pages/passkey.js", "lib/boundary/pages/passkey.js"],
  ...[
    "DESIGN.md",
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "schemas",
    "docs",
    "examples/three-nodes.yaml",
    "examples/home",
    "examples/demo/cluster.yaml",
    "examples/demo/desired.yaml",
    "examples/systemd",
    "examples/ci",
    "examples/container",
    "examples/prometheus",
  ].map((path) => [path, path] as const),
];

/** Pictures are for whoever reads the documents in the repository, and larger than all of them. */
export const isLeftOut = (path: string): boolean => path === "docs/images" || path.startsWith("docs/images/");

/** Builds the tree at `root` into its dist/, which is made anew. */
export const buildPackage = (root: string): string => {
  const dist = join(root, "dist");
  rmSync(dist, { force: true, recursive: true });
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", join(root, "tools/package")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  buildConsole(root, join(dist, "console"));
  const filter = (path: string): boolean => !isLeftOut(relative(root, path));
  for (const [from, to] of COPIED) cpSync(join(root, from), join(dist, to), { filter, recursive: true });
  chmodSync(join(dist, "bin/dedalus.cjs"), 0o755);
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    writeFileSync(join(dist, path), text);
  };
  for (const [format, name] of Object.entries(FORMATS))
    write(`types/${format}.d.ts`, typesOf(name, read(`schemas/${format}.schema.json`)));
  const manifest = read("package.json");
  write("package.json", jsonText(packageJson(manifest, Object.keys(FORMATS))));
  for (const path of bundled(read("package-lock.json")))
    cpSync(join(root, path), join(dist, path), { recursive: true });
  return dist;
};

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
