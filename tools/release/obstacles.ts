// What stands in the way of a release, found before anything is changed: all of it at once, as codes with facts.

import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { releasedIn, unreleasedIn } from "./changelog.ts";
import { git } from "./git.ts";
import { isNewer, isVersion } from "./semver.ts";

export type Obstacle = {
  readonly code:
    | "version-invalid"
    | "version-not-newer"
    | "tag-exists"
    | "tree-dirty"
    | "changelog-empty"
    | "key-absent"
    | "key-open"
    | "key-unusable";
  readonly about: string;
};

/** What to do about it. */
export const REMEDIES: Readonly<Record<Obstacle["code"], string>> = {
  "changelog-empty": "Write what changed for operators under Unreleased.",
  "key-absent": "Name the file of an Ed25519 key in DEDALUS_RELEASE_KEY.",
  "key-open": "Let its owner alone read it: chmod 600.",
  "key-unusable": "Give an Ed25519 private key in PEM: openssl genpkey -algorithm ed25519.",
  "tag-exists": "Choose the next version; a tag never moves.",
  "tree-dirty": "Commit or remove what git status shows.",
  "version-invalid": "Say VERSION=x.y.z as semver.org writes it, without build metadata.",
  "version-not-newer": "Choose a version after the last one.",
};

export const tagOf = (version: string): string => `v${version}`;

export const obstacles = (root: string, version: string, keyFile: string | undefined): readonly Obstacle[] => [
  ...versionObstacles(root, version),
  ...(git(root, "status", "--porcelain") === "" ? [] : [{ about: "git status", code: "tree-dirty" } as const]),
  ...(unreleasedIn(changelogOf(root)).length > 0 ? [] : [{ about: "CHANGELOG.md", code: "changelog-empty" } as const]),
  ...keyObstacles(keyFile),
];

export const changelogOf = (root: string): string => readFileSync(join(root, "CHANGELOG.md"), "utf8");

const versionObstacles = (root: string, version: string): readonly Obstacle[] => {
  if (!isVersion(version)) return [{ about: version, code: "version-invalid" }];
  const tags = git(root, "tag", "--list", "v*").split("\n");
  if (tags.includes(tagOf(version))) return [{ about: tagOf(version), code: "tag-exists" }];
  const released = [...tags.map((tag) => tag.slice(1)), ...releasedIn(changelogOf(root))].filter(isVersion);
  const latest = released.find((one) => !isNewer(version, one));
  // The version of package.json may be the one to release, when it never was.
  const { version: present } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const older = latest ?? (isNewer(present, version) ? String(present) : undefined);
  return older === undefined ? [] : [{ about: `${version} after ${older}`, code: "version-not-newer" }];
};

const keyObstacles = (file: string | undefined): readonly Obstacle[] => {
  if (file === undefined || file === "") return [{ about: "DEDALUS_RELEASE_KEY", code: "key-absent" }];
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return [{ about: file, code: "key-absent" }];
  if ((found.mode & 0o077) !== 0) return [{ about: file, code: "key-open" }];
  return readKey(file) === undefined ? [{ about: file, code: "key-unusable" }] : [];
};

/** Undefined when it is no Ed25519 private key in PEM. */
export const readKey = (file: string): KeyObject | undefined => {
  const key = parsedKey(readFileSync(file, "utf8"));
  return key?.asymmetricKeyType === "ed25519" ? key : undefined;
};

const parsedKey = (text: string): KeyObject | undefined => {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
};
