// The steps of a release, each a function of the tree: the files that carry the version, and what is handed out.

import { execFileSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RULES_VERSION } from "../../src/spine/rules/rules-version.ts";
import { RELEASED_FILE, writeReleased } from "../histories/released.ts";
import { pack } from "../package/pack.ts";
import { turned } from "./changelog.ts";
import { git } from "./git.ts";
import { changelogOf, tagOf } from "./obstacles.ts";
import { sha256Of, signStatement, statementOf } from "./statement.ts";

const CHANGED = ["CHANGELOG.md", "package.json", "package-lock.json", RELEASED_FILE];

/** Turns the heading of the changelog, sets the version of the package, and lists the rules that it carries as released. */
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

export const commitVersion = (root: string, version: string): void => {
  git(root, "add", ...CHANGED);
  // The version may have been set long before; the changelog always turns.
  git(root, "commit", "--quiet", "--message", `Release ${version}`);
};

/** Comes last: a tag is there only when everything that it names was made. */
export const tagVersion = (root: string, version: string): void => {
  git(root, "tag", "--annotate", tagOf(version), "--message", `Dedalus ${version}`);
};

export const artifactsOf = (root: string, version: string): string => join(root, "artifacts", version);

/** The package, its bill of materials, their digests, and the signed statement of these and of the commit. */
export const writeArtifacts = (root: string, version: string, key: KeyObject): string => {
  const folder = artifactsOf(root, version);
  rmSync(folder, { force: true, recursive: true });
  mkdirSync(folder, { recursive: true });
  const { filename } = pack(root, folder);
  const sbom = `dedalus-${version}.cdx.json`;
  const argv = ["sbom", "--package-lock-only", "--omit=dev", "--sbom-format=cyclonedx", "--sbom-type=application"];
  writeFileSync(join(folder, sbom), execFileSync("npm", argv, { cwd: root, stdio: ["ignore", "pipe", "inherit"] }));
  const digests = [filename, sbom].map((name) => [name, sha256Of(readFileSync(join(folder, name)))] as const);
  writeFileSync(join(folder, "SHA256SUMS"), digests.map(([name, digest]) => `${digest}  ${name}\n`).join(""));
  const subjects = [
    ...digests.map(([name, sha256]) => ({ digest: { sha256 }, name })),
    { digest: { gitCommit: git(root, "rev-parse", "HEAD") }, name: "source" },
  ];
  const envelope = signStatement(statementOf(version, subjects), key);
  writeFileSync(join(folder, `dedalus-${version}.intoto.json`), `${JSON.stringify(envelope)}\n`);
  return folder;
};
