// make package: builds dist/ and packs it into artifacts/; npm packs the same files into the same bytes every time.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
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
    execFileSync("npm", argv, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
  );
  if (packed === undefined) throw new Error("npm packed nothing");
  return packed;
};

if (import.meta.main) {
  const { filename, files, size, unpackedSize } = pack(ROOT, join(ROOT, "artifacts"));
  const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`;
  process.stdout.write(
    `artifacts/${filename}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)} in ${files.length} files\n`,
  );
}
