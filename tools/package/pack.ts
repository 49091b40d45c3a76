// Packs a tree as it lies there: builds its dist/ and packs that; npm packs the same files into the same bytes every
// time.
//
//   node tools/package/pack.ts FOLDER    packs the tree that this file is in, and prints what it packed
//
// Not here: which tree that is; what is handed out is packed from a commit (pack-commit.ts).

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { ROOT } from "../sources.ts";
import { buildPackage } from "./build.ts";

export type Packed = {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly size: number;
  readonly unpackedSize: number;
};

/** Packs the built package of the tree at `root` into `folder`. */
export const pack = (root: string, folder: string): Packed => {
  mkdirSync(folder, { recursive: true });
  const dist = buildPackage(root);
  const argv = ["pack", dist, "--ignore-scripts", "--json", "--pack-destination", folder];
  const [packed]: readonly Packed[] = JSON.parse(
    execFileSync("npm", argv, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] }),
  );
  if (packed === undefined) throw new Error("npm packed nothing");
  return packed;
};

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error("the folder to pack into is missing");
  process.stdout.write(`${JSON.stringify(pack(ROOT, folder))}\n`);
}
