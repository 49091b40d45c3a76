// Packs this tree and installs the package into an empty prefix, as `npm install -g` does for an operator: without a
// network, and with an empty cache.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Packed, pack } from "../../tools/package/pack.ts";
import { copyTree } from "./copied-tree.ts";

/** In `folder`: the package in packed/, and the installed one in prefix/. */
export const installPackage = (folder: string): Packed => {
  copyTree(join(folder, "tree"));
  const packed = pack(join(folder, "tree"), join(folder, "packed"));
  const where = ["--prefix", join(folder, "prefix"), "--cache", join(folder, "cache"), "--offline"];
  const argv = ["install", "-g", join(folder, "packed", packed.filename), ...where, "--loglevel=error"];
  const { status, stderr } = spawnSync("npm", argv, { encoding: "utf8", timeout: 120_000 });
  assert.equal(status, 0, stderr);
  return packed;
};
