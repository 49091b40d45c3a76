// The steps of a release. Nothing of the checkout changes before the last of them: the release's commit is made beside
// the branch, everything is built from it, and only then the branch moves to it and the tag is set. Whatever fails
// before, or whoever was faster, leaves the checkout as it was.

import type { KeyObject } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { BUILT_IN } from "../console/built-in.ts";
import { RELEASED_FILE, writeReleased } from "../histories/released.ts";
import { inCommittedTree } from "../package/committed-tree.ts";
import { packTree } from "../package/pack-commit.ts";
import { billOfMaterials } from "./bill-of-materials.ts";
import { turned } from "./changelog.ts";
import { git, gitBytes, gitFails } from "./git.ts";
import { changelogOf, tagOf } from "./obstacles.ts";
import { sha256Of, signStatement, statementOf } from "./statement.ts";

const CHANGED = ["CHANGELOG.md", "package.json", "package-lock.json", RELEASED_FILE];

/**
 * Turns the heading of the changelog, sets the version of the package, and lists the rules that it carries as released.
 */
export const writeVersion = (root: string, version: string, date: string): void => {
  writeFileSync(join(root, "CHANGELOG.md"), turned(changelogOf(root), version, date));
  for (const file of ["package.json", "package-lock.json"]) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(OWN_VERSION, `$1"${version}"`));
  }
  writeReleased(root, RULES_VERSION);
};

/** The lock file has it twice: for itself, and for the package that it locks. */
const OWN_VERSION = /("name": "dedalus",\n\s*"version": )"[^"]*"/g;

/** The commit that carries the version, on top of `parent`; no branch names it yet. */
export const commitVersion = (root: string, parent: string, version: string, date: string): string =>
  inCommittedTree(root, parent, (tree) => {
    writeVersion(tree, version, date);
    const index = { env: { GIT_INDEX_FILE: join(mkdtempSync(join(tree, "index-")), "index") } };
    gitBytes(root, ["read-tree", parent], index);
    for (const path of CHANGED) {
      const id = text(gitBytes(root, ["hash-object", "-w", "--stdin"], { input: readFileSync(join(tree, path)) }));
      gitBytes(root, ["update-index", "--add", "--cacheinfo", `100644,${id},${path}`], index);
    }
    const written = text(gitBytes(root, ["write-tree"], index));
    const isSigned = git(root, "config", "--type=bool", "--default=false", "commit.gpgSign") === "true";
    const signing = isSigned ? ["-S"] : [];
    return git(root, "commit-tree", ...signing, "-p", parent, "-m", `Release ${version}`, written);
  });

const text = (bytes: Buffer): string => bytes.toString("utf8").trimEnd();

/** Moves the branch and sets the tag, or does neither. */
export const publishLocally = (root: string, parent: string, commit: string, version: string): void => {
  // Refused by git where the branch is not at the parent any more.
  git(root, "update-ref", "-m", `Release ${version}`, "HEAD", commit, parent);
  try {
    git(root, "tag", "--annotate", tagOf(version), "--message", `Dedalus ${version}`, commit);
  } catch (error) {
    git(root, "update-ref", "-m", `Release ${version} was not tagged`, "HEAD", parent, commit);
    throw error;
  }
};

/** Lets the files of the checkout follow their branch; false where one of them was edited in this very moment. */
export const followBranch = (root: string, parent: string, commit: string): boolean =>
  !gitFails(root, "read-tree", "-m", "-u", parent, commit);

export const artifactsOf = (root: string, version: string): string => join(root, "artifacts", version);

/** The package, its bill of materials, their digests, and the signed statement of these and of the commit. */
export const writeArtifacts = (root: string, commit: string, version: string, key: KeyObject): string => {
  const folder = artifactsOf(root, version);
  rmSync(folder, { force: true, recursive: true });
  mkdirSync(folder, { recursive: true });
  inCommittedTree(root, commit, (tree) => {
    const { filename } = packTree(root, commit, tree, folder);
    const sbom = `dedalus-${version}.cdx.json`;
    const bill = billOfMaterials(jsonIn(tree, "package.json"), jsonIn(tree, "package-lock.json"), BUILT_IN);
    writeFileSync(join(folder, sbom), `${JSON.stringify(bill, null, 2)}\n`);
    const digestOf = (name: string): string => sha256Of(readFileSync(join(folder, name)));
    const digests = [filename, sbom].map((name) => `${digestOf(name)}  ${name}\n`);
    writeFileSync(join(folder, SUMS), digests.join(""));
    const subjects = [
      ...[filename, sbom, SUMS].map((name) => ({ digest: { sha256: digestOf(name) }, name })),
      { digest: { gitCommit: commit }, name: "source" },
    ];
    const envelope = signStatement(statementOf(version, subjects), key);
    writeFileSync(join(folder, `dedalus-${version}.intoto.json`), `${JSON.stringify(envelope)}\n`);
  });
  return folder;
};

const SUMS = "SHA256SUMS";
const jsonIn = (tree: string, file: string) => JSON.parse(readFileSync(join(tree, file), "utf8"));

export const removeArtifacts = (root: string, version: string): void =>
  rmSync(artifactsOf(root, version), { force: true, recursive: true });
