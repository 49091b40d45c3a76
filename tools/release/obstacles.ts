// What stands in the way of a release, all of it at once, as codes with facts. Asked before anything is made, and once
// more right before the tag: the checks take minutes, and whatever is true of a tree can change in them.

import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { releasedIn, unreleasedIn } from "./changelog.ts";
import { git, gitFails } from "./git.ts";
import { isNewer, isVersion } from "./semver.ts";

export type Obstacle = {
  readonly code:
    | "version-invalid"
    | "version-not-newer"
    | "tag-exists"
    | "tree-dirty"
    | "tree-hidden"
    | "head-moved"
    | "identity-missing"
    | "changelog-empty"
    | "key-absent"
    | "key-open"
    | "key-unusable";
  readonly about: string;
};

/** What to do about it. */
export const REMEDIES: Readonly<Record<Obstacle["code"], string>> = {
  "changelog-empty": "Write what changed for operators under Unreleased.",
  "head-moved": "Somebody committed meanwhile. Begin again with what is checked out now.",
  "identity-missing": "Set user.name and user.email in git.",
  "key-absent": "Name the file of an Ed25519 key in DEDALUS_RELEASE_KEY.",
  "key-open": "Let its owner alone read it: chmod 600.",
  "key-unusable": "Give an Ed25519 private key in PEM: openssl genpkey -algorithm ed25519.",
  "tag-exists": "Choose the next version; a tag never moves.",
  "tree-dirty": "Commit or remove what git status shows.",
  "tree-hidden":
    "Let git look at it again: git update-index --no-assume-unchanged or --no-skip-worktree, then commit or undo the edit.",
  "version-invalid": "Say VERSION=x.y.z as semver.org writes it, without build metadata.",
  "version-not-newer": "Choose a version after the last one.",
};

export const tagOf = (version: string): string => `v${version}`;

/** `commit` is the one that was checked out when the release began. */
export const obstacles = (
  root: string,
  version: string,
  keyFile: string | undefined,
  commit: string,
): readonly Obstacle[] => [
  ...versionObstacles(root, version),
  ...(headOf(root) === commit ? [] : [{ about: commit, code: "head-moved" } as const]),
  ...treeObstacles(root),
  ...identityObstacles(root),
  ...(unreleasedIn(changelogOf(root)).length > 0 ? [] : [{ about: "CHANGELOG.md", code: "changelog-empty" } as const]),
  ...keyObstacles(keyFile),
];

export const changelogOf = (root: string): string => readFileSync(join(root, "CHANGELOG.md"), "utf8");

export const headOf = (root: string): string => git(root, "rev-parse", "--verify", "HEAD^{commit}");

/** Whatever the settings of this machine let git pass over, and whatever the index tells it not to look at. */
const treeObstacles = (root: string): readonly Obstacle[] => {
  const dirty = git(root, "status", "--porcelain", "--untracked-files=all", "--ignore-submodules=none");
  // `H` is a file that git looks at; lower case is assumed to be unchanged, S is skipped.
  const hidden = git(root, "ls-files", "-v")
    .split("\n")
    .filter((line) => /^(?:[a-z]|S) /.test(line));
  return [
    ...(dirty === "" ? [] : [{ about: "git status", code: "tree-dirty" } as const]),
    ...hidden.map((line) => ({ about: line.slice(2), code: "tree-hidden" }) as const),
  ];
};

/** By what somebody set: a name that git makes up from the machine's is nobody who released anything. */
const identityObstacles = (root: string): readonly Obstacle[] =>
  ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]
    .filter((ident) => gitFails(root, "-c", "user.useConfigOnly=true", "var", ident))
    .map((about) => ({ about, code: "identity-missing" }) as const);

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
