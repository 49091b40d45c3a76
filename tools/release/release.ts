// make release VERSION=x.y.z: everything that can refuse is asked first, and again right before the branch moves; what
// is checked, built and signed in between is a tree of the very commit, and nothing else that lies in this folder.
//
//   node tools/release/release.ts --version X.Y.Z [--dry-run] [--without-checks]
//
// --dry-run says what would be done and changes nothing. --without-checks is for the test of this tool, which is itself
// one of the checks. Nothing is pushed or published: that is for whoever has looked at the result.

import { spawnSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { parseArgs } from "node:util";
import { inCommittedTree } from "../package/committed-tree.ts";
import { ROOT } from "../sources.ts";
import { unreleasedIn } from "./changelog.ts";
import { changelogOf, headOf, obstacles, REMEDIES, readKey, tagOf } from "./obstacles.ts";
import { artifactsOf, commitVersion, followBranch, publishLocally, removeArtifacts, writeArtifacts } from "./steps.ts";

const { values } = parseArgs({
  options: {
    "dry-run": { default: false, type: "boolean" },
    version: { default: "", type: "string" },
    "without-checks": { default: false, type: "boolean" },
  },
});
const { version } = values;
const keyFile = process.env["DEDALUS_RELEASE_KEY"];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Undefined where something is in the way; all of it is said. */
const keyUnlessObstructed = (commit: string): KeyObject | undefined => {
  const found = obstacles(ROOT, version, keyFile, commit);
  for (const { about, code } of found) process.stderr.write(`${code}: ${about}. ${REMEDIES[code]}\n`);
  return keyFile === undefined || found.length > 0 ? undefined : readKey(keyFile);
};

const isChecked = (commit: string): boolean =>
  values["without-checks"] ||
  inCommittedTree(ROOT, commit, (tree) => spawnSync("make", ["test"], { cwd: tree, stdio: "inherit" }).status === 0);

const release = (): number => {
  const parent = headOf(ROOT);
  const key = keyUnlessObstructed(parent);
  if (key === undefined) return 2;
  if (values["dry-run"]) {
    say(`would check: make test, in a tree of ${parent}`);
    say(`would turn CHANGELOG.md: ${unreleasedIn(changelogOf(ROOT)).length} lines under ${version}`);
    say(`would write: ${artifactsOf(ROOT, version)}`);
    say(`would commit: Release ${version}`);
    say(`would tag: ${tagOf(version)}`);
    return 0;
  }
  if (!isChecked(parent)) return 1;
  try {
    const commit = commitVersion(ROOT, parent, version, new Date().toISOString().slice(0, 10));
    const folder = writeArtifacts(ROOT, commit, version, key);
    if (keyUnlessObstructed(parent) === undefined) {
      removeArtifacts(ROOT, version);
      return 2;
    }
    publishLocally(ROOT, parent, commit, version);
    say(`written: ${folder}`);
    say(`committed: Release ${version}, ${commit}`);
    say(`tagged: ${tagOf(version)}. Nothing was pushed.`);
    if (!followBranch(ROOT, parent, commit)) say("the files of this checkout were edited, and stay as they are.");
    return 0;
  } catch (error) {
    removeArtifacts(ROOT, version);
    process.stderr.write(`nothing was released: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};

process.exitCode = release();
