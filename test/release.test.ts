// make release, in a repository of its own: what refuses it before anything is changed, and what it leaves.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { RULES_VERSION } from "../src/spine/rules/rules-version.ts";
import { BUILT_IN } from "../tools/console/built-in.ts";
import { releasedRules } from "../tools/histories/released.ts";
import { FORMATS } from "../tools/package/declare-formats.ts";
import { fileDifferences } from "../tools/package/expected-files.ts";
import { releasedIn, turned, unreleasedIn } from "../tools/release/changelog.ts";
import { git } from "../tools/release/git.ts";
import { isNewer, isVersion } from "../tools/release/semver.ts";
import { commitVersion, publishLocally, writeVersion } from "../tools/release/steps.ts";
import { releaseFindings } from "../tools/release/verify-release.ts";
import { ROOT } from "../tools/sources.ts";
import { copyTree } from "./package/copied-tree.ts";

test("a version is what semver.org says, and nothing else", () => {
  for (const text of ["0.0.1", "1.2.3", "10.20.30", "1.0.0-rc.1", "1.0.0-0a"]) assert.ok(isVersion(text), text);
  for (const text of [
    "",
    "1",
    "1.2",
    "v1.2.3",
    "1.2.3.4",
    "01.2.3",
    "1.2.3-",
    "1.2.3-01",
    "1.2.3+5",
    "1.2.3\n",
    "latest",
  ])
    assert.ok(!isVersion(text), text);
});

test("versions are in the order of semver.org, and none is newer than itself", () => {
  const order = [
    "0.9.9",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
  ];
  for (const [at, one] of order.entries())
    for (const [before, other] of order.entries()) assert.equal(isNewer(one, other), at > before, `${one} ${other}`);
});

const CHANGES = "# Changelog\n\n## Unreleased\n\n### Features\n- One more.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n";

test("a turned changelog has the changes under their version, and nothing unreleased", () => {
  const after = turned(CHANGES, "0.2.0", "2026-02-03");
  assert.deepEqual(unreleasedIn(CHANGES), ["- One more."]);
  assert.deepEqual(unreleasedIn(after), []);
  assert.deepEqual(releasedIn(after), ["0.2.0", "0.1.0"]);
  assert.ok(after.includes("## 0.2.0 (2026-02-03)\n\n### Features\n- One more.\n"));
});

test("what is packed is what the commit gives: no file less, and no file more but what the lock file names", () => {
  const committed = [
    "src/main.ts",
    "src/cli/run.ts",
    "docs/a.md",
    "LICENSE",
    "test/x.test.ts",
    "tools/package/dedalus.cjs",
  ];
  const formats = Object.keys(FORMATS).map((format) => `types/${format}.d.ts`);
  const packed = [
    ...["lib/main.js", "lib/cli/run.js", "docs/a.md", "LICENSE", "bin/dedalus.cjs", "package.json"],
    ...formats,
    ...["console/index.html", "console/console-0A1B2C3D.js", "node_modules/yaml/index.js"],
  ];
  const differences = (found: readonly string[]) =>
    fileDifferences(found, committed, ["node_modules/yaml"]).map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual(differences(packed), []);
  assert.deepEqual(differences(packed.slice(1)), ["file-missing lib/main.js"]);
  for (const stray of ["docs/b.md", "lib/other.js", "test/x.test.ts", "node_modules/yamlish/index.js", ".env"])
    assert.deepEqual(differences([...packed, stray]), [`file-stray ${stray}`]);
});

describe("a release", () => {
  let folder = "";
  let keyFile = "";
  const root = (...path: readonly string[]): string => join(folder, "tree", ...path);

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "dedalus-release-"));
    copyTree(root());
    git(root(), "init", "--quiet");
    git(root(), "config", "user.name", "a test");
    git(root(), "config", "user.email", "test@example.org");
    writeFileSync(root(".git/info/exclude"), "/node_modules\n");
    // Whatever this tree's own version is.
    writeVersion(root(), "0.1.0", "2026-01-01");
    writeFileSync(root("CHANGELOG.md"), CHANGES);
    git(root(), "add", "--all");
    git(root(), "commit", "--quiet", "--message", "everything");
    git(root(), "tag", "v0.1.0");
    keyFile = join(folder, "release.key");
    const { privateKey } = generateKeyPairSync("ed25519");
    writeFileSync(keyFile, privateKey.export({ format: "pem", type: "pkcs8" }), { mode: 0o600 });
  });
  after(() => rmSync(folder, { force: true, recursive: true }));

  /** Settings of whoever runs the tests take no part. */
  const NOBODYS = { EMAIL: undefined, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const releaseIn = (
    env: Readonly<Record<string, string>>,
    version: string,
    key: string | undefined,
    ...options: readonly string[]
  ) => {
    const { DEDALUS_RELEASE_KEY: _, ...others } = process.env;
    const argv = [root("tools/release/release.ts"), "--version", version, ...options];
    const { status, stderr } = spawnSync(process.execPath, argv, {
      encoding: "utf8",
      env: { ...others, ...NOBODYS, ...env, ...(key === undefined ? {} : { DEDALUS_RELEASE_KEY: key }) },
    });
    return { code: status, obstacles: Array.from(stderr.matchAll(/^([a-z-]+): /gm), ([, code]) => code) };
  };
  const release = (version: string, key: string | undefined, ...options: readonly string[]) =>
    releaseIn({}, version, key, ...options);
  const stateOf = (): string =>
    git(root(), "rev-parse", "HEAD") + git(root(), "tag") + git(root(), "status", "--porcelain");

  /** Refused with this code alone, by a run that would otherwise have released. */
  const refused = (code: string, version: string, key: string | undefined): void => {
    const before = stateOf();
    assert.deepEqual(release(version, key, "--without-checks"), { code: 2, obstacles: [code] });
    assert.equal(stateOf(), before);
    assert.ok(!existsSync(root("artifacts")));
  };

  test("is refused for a version that is none, is not newer, or is tagged", () => {
    refused("version-invalid", "0.2", keyFile);
    refused("version-invalid", "", keyFile);
    refused("version-not-newer", "0.0.9", keyFile);
    refused("version-not-newer", "0.1.0-rc.1", keyFile);
    refused("tag-exists", "0.1.0", keyFile);
  });

  test("is refused without a key that can sign and that its owner alone can read", () => {
    refused("key-absent", "0.2.0", undefined);
    refused("key-absent", "0.2.0", join(folder, "none.key"));
    const other = join(folder, "other.key");
    writeFileSync(other, "no key", { mode: 0o600 });
    refused("key-unusable", "0.2.0", other);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    writeFileSync(other, privateKey.export({ format: "pem", type: "pkcs8" }));
    refused("key-unusable", "0.2.0", other);
    writeFileSync(other, readFileSync(keyFile));
    chmodSync(other, 0o644);
    refused("key-open", "0.2.0", other);
  });

  test("is refused on a dirty tree, and with nothing under Unreleased", () => {
    writeFileSync(root("stray.txt"), "");
    refused("tree-dirty", "0.2.0", keyFile);
    rmSync(root("stray.txt"));
    writeFileSync(root("CHANGELOG.md"), CHANGES.replace("- One more.\n", ""));
    git(root(), "commit", "--quiet", "--all", "--message", "nothing new");
    refused("changelog-empty", "0.2.0", keyFile);
    git(root(), "reset", "--quiet", "--hard", "HEAD~1");
  });

  test("is refused for what the settings of a machine hide from git status", () => {
    writeFileSync(root("docs/stray.md"), "");
    git(root(), "config", "status.showUntrackedFiles", "no");
    refused("tree-dirty", "0.2.0", keyFile);
    rmSync(root("docs/stray.md"));
    const text = readFileSync(root("README.md"), "utf8");
    for (const flag of ["assume-unchanged", "skip-worktree"]) {
      git(root(), "update-index", `--${flag}`, "README.md");
      writeFileSync(root("README.md"), "edited");
      refused("tree-hidden", "0.2.0", keyFile);
      git(root(), "update-index", `--no-${flag}`, "README.md");
      refused("tree-dirty", "0.2.0", keyFile);
      writeFileSync(root("README.md"), text);
    }
    assert.deepEqual(release("0.2.0", keyFile, "--dry-run"), { code: 0, obstacles: [] });
    git(root(), "config", "--unset", "status.showUntrackedFiles");
  });

  test("is refused where git does not know who releases, and not where the environment says it", () => {
    git(root(), "config", "--unset", "user.email");
    const before = stateOf();
    const nobody = ["identity-missing", "identity-missing"];
    assert.deepEqual(release("0.2.0", keyFile, "--without-checks"), { code: 2, obstacles: nobody });
    assert.equal(stateOf(), before);
    assert.ok(!existsSync(root("artifacts")));
    const named = { GIT_AUTHOR_EMAIL: "a@example.org", GIT_COMMITTER_EMAIL: "c@example.org" };
    assert.deepEqual(releaseIn(named, "0.2.0", keyFile, "--dry-run"), { code: 0, obstacles: [] });
    git(root(), "config", "user.email", "test@example.org");
  });

  /** An npm that installs what is here already, and lets something happen while the package is made. */
  const npmThat = (meanwhile: string): Readonly<Record<string, string>> => {
    const bin = join(folder, "bin");
    const real = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
    mkdirSync(bin, { recursive: true });
    const script = `#!/bin/sh
case $1 in
  ci) exec ln -s '${join(ROOT, "node_modules")}' node_modules ;;
  pack) (cd '${root()}' && ${meanwhile}) >&2 || exit 1 ;;
esac
exec '${real}' "$@"
`;
    writeFileSync(join(bin, "npm"), script, { mode: 0o755 });
    return { PATH: [bin, process.env["PATH"]].join(delimiter) };
  };

  test("is refused for what came between while it was checked and packed, and leaves nothing of its own", () => {
    const head = git(root(), "rev-parse", "HEAD");
    const [other, moved] = [join(folder, "moved.key"), join(folder, "away.key")];
    writeFileSync(other, readFileSync(keyFile), { mode: 0o600 });
    const meanwhile = `git tag v0.2.0 && git commit -q --allow-empty -m other && touch stray.txt && mv '${other}' '${moved}'`;
    assert.deepEqual(releaseIn(npmThat(meanwhile), "0.2.0", other, "--without-checks"), {
      code: 2,
      obstacles: ["tag-exists", "head-moved", "tree-dirty", "key-absent"],
    });
    assert.equal(git(root(), "rev-parse", "HEAD~1"), head);
    assert.equal(git(root(), "log", "-1", "--format=%s"), "other");
    assert.equal(git(root(), "status", "--porcelain"), "?? stray.txt");
    assert.ok(!existsSync(root("artifacts/0.2.0")));
    rmSync(root("artifacts"), { recursive: true });
    rmSync(root("stray.txt"));
    git(root(), "tag", "--delete", "v0.2.0");
    git(root(), "reset", "--quiet", "--hard", head);
  });

  test("is not half made where the package cannot be: branch, tag and files are as they were", () => {
    const before = stateOf();
    assert.equal(releaseIn(npmThat("false"), "0.2.0", keyFile, "--without-checks").code, 1);
    assert.equal(stateOf(), before);
    assert.ok(!existsSync(root("artifacts/0.2.0")));
    rmSync(root("artifacts"), { recursive: true });
  });

  test("of two at once one moves the branch; a tag that is there already moves it back", () => {
    const parent = git(root(), "rev-parse", "HEAD");
    const [one, other] = ["0.2.0", "0.3.0"].map((version) => commitVersion(root(), parent, version, "2026-02-03"));
    assert.ok(one !== undefined && other !== undefined);
    const tags = git(root(), "tag");
    publishLocally(root(), parent, one, "0.2.0");
    const published = git(root(), "tag");
    assert.throws(() => publishLocally(root(), parent, other, "0.3.0"));
    assert.deepEqual([git(root(), "rev-parse", "HEAD"), git(root(), "tag")], [one, published]);
    git(root(), "update-ref", "HEAD", parent);
    assert.throws(() => publishLocally(root(), parent, other, "0.2.0"));
    assert.equal(git(root(), "rev-parse", "HEAD"), parent);
    git(root(), "tag", "--delete", "v0.2.0");
    assert.equal(git(root(), "tag"), tags);
  });

  test("may be of the version that package.json has, when that was never released, and of no older one", () => {
    git(root(), "tag", "--delete", "v0.1.0");
    writeFileSync(root("CHANGELOG.md"), CHANGES.slice(0, CHANGES.indexOf("## 0.1.0")));
    git(root(), "commit", "--quiet", "--all", "--message", "never released");
    assert.deepEqual(release("0.1.0", keyFile, "--dry-run"), { code: 0, obstacles: [] });
    refused("version-not-newer", "0.0.9", keyFile);
    git(root(), "reset", "--quiet", "--hard", "HEAD~1");
    git(root(), "tag", "v0.1.0");
  });

  test("changes nothing when it is only tried, and names every obstacle at once", () => {
    const before = stateOf();
    assert.deepEqual(release("0.2.0", keyFile, "--dry-run"), { code: 0, obstacles: [] });
    assert.deepEqual(release("0.1.0", undefined, "--dry-run"), { code: 2, obstacles: ["tag-exists", "key-absent"] });
    assert.equal(stateOf(), before);
    assert.ok(!existsSync(root("artifacts")));
  });

  test("leaves a commit, a tag, and files whose digests are signed; nothing but the commit and the lock is in them", () => {
    const parent = git(root(), "rev-parse", "HEAD");
    // Ignored by the repository, by this clone, and not looked at as a folder of packages: none of it is what was
    // committed.
    mkdirSync(root("docs/dist"));
    writeFileSync(root("docs/dist/ignored.md"), "ignored");
    writeFileSync(root(".git/info/exclude"), "/node_modules\n/docs/excluded.md\n");
    writeFileSync(root("docs/excluded.md"), "excluded");
    rmSync(root("node_modules"));
    mkdirSync(root("node_modules"));
    for (const name of readdirSync(join(ROOT, "node_modules")).filter((one) => one !== "yaml"))
      symlinkSync(join(ROOT, "node_modules", name), root("node_modules", name));
    cpSync(join(ROOT, "node_modules/yaml"), root("node_modules/yaml"), { recursive: true });
    writeFileSync(root("node_modules/yaml/stray.js"), "stray");
    assert.deepEqual(release("0.2.0", keyFile, "--without-checks"), { code: 0, obstacles: [] });
    assert.equal(git(root(), "rev-parse", "v0.2.0^{commit}"), git(root(), "rev-parse", "HEAD"));
    assert.equal(git(root(), "rev-parse", "HEAD~1"), parent);
    assert.equal(git(root(), "status", "--porcelain"), "");
    assert.deepEqual(releasedIn(readFileSync(root("CHANGELOG.md"), "utf8")), ["0.2.0", "0.1.0"]);
    const lock = JSON.parse(readFileSync(root("package-lock.json"), "utf8"));
    const { version } = JSON.parse(readFileSync(root("package.json"), "utf8"));
    assert.deepEqual([version, lock.version, lock.packages[""].version], ["0.2.0", "0.2.0", "0.2.0"]);
    assert.deepEqual(releasedRules(root()), [RULES_VERSION]);

    const at = root("artifacts/0.2.0");
    const packed = execFileSync("tar", ["-tzf", "dedalus-0.2.0.tgz"], { cwd: at, encoding: "utf8" }).split("\n");
    for (const path of ["package/docs/install.md", "package/node_modules/yaml/package.json", "package/lib/main.js"])
      assert.ok(packed.includes(path), path);
    assert.deepEqual(
      packed.filter((path) => /ignored|excluded|stray/.test(path)),
      [],
    );
    const names = ["SHA256SUMS", "dedalus-0.2.0.cdx.json", "dedalus-0.2.0.intoto.json", "dedalus-0.2.0.tgz"];
    assert.deepEqual(readdirSync(at).toSorted(), names);
    execFileSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: at });
    const { components, metadata } = JSON.parse(readFileSync(join(at, "dedalus-0.2.0.cdx.json"), "utf8"));
    assert.equal(metadata.component.version, "0.2.0");
    const materials = components.map(({ name }: { readonly name: string }) => name);
    const inside = packed.flatMap(
      (path) => /^package\/(?:.+\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? [],
    );
    assert.deepEqual(new Set(materials), new Set([...inside, ...BUILT_IN]), "its bill is what is inside");

    const key = createPublicKey(readFileSync(keyFile));
    assert.deepEqual(releaseFindings(at, key), []);
    const stranger = generateKeyPairSync("ed25519").publicKey;
    assert.deepEqual(
      releaseFindings(at, stranger).map(({ code }) => code),
      ["not-signed"],
    );
    appendFileSync(join(at, "dedalus-0.2.0.tgz"), "x");
    assert.deepEqual(releaseFindings(at, key), [{ about: "dedalus-0.2.0.tgz", code: "file-differs" }]);
    rmSync(join(at, "dedalus-0.2.0.tgz"));
    assert.deepEqual(releaseFindings(at, key), [{ about: "dedalus-0.2.0.tgz", code: "file-absent" }]);
  });
});
