// make release VERSION=x.y.z: everything that can refuse is asked first, then the checks run, and then the steps follow.
//
//   node tools/release/release.ts --version X.Y.Z [--dry-run] [--without-checks]
//
// --dry-run says what would be done and changes nothing. --without-checks is for the test of this tool, which is itself one of
// the checks. Nothing is pushed or published: that is for whoever has looked at the result.

import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { ROOT } from "../sources.ts";
import { unreleasedIn } from "./changelog.ts";
import { changelogOf, obstacles, REMEDIES, readKey, tagOf } from "./obstacles.ts";
import { artifactsOf, commitVersion, tagVersion, writeArtifacts, writeVersion } from "./steps.ts";

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

const release = (): number => {
  const found = obstacles(ROOT, version, keyFile);
  for (const { about, code } of found) process.stderr.write(`${code}: ${about}. ${REMEDIES[code]}\n`);
  const key = keyFile === undefined || found.length > 0 ? undefined : readKey(keyFile);
  if (key === undefined) return 2;
  if (values["dry-run"]) {
    say(`would check: make test`);
    say(`would turn CHANGELOG.md: ${unreleasedIn(changelogOf(ROOT)).length} lines under ${version}`);
    say(`would commit: Release ${version}`);
    say(`would write: ${artifactsOf(ROOT, version)}`);
    say(`would tag: ${tagOf(version)}`);
    return 0;
  }
  if (!values["without-checks"] && spawnSync("make", ["test"], { cwd: ROOT, stdio: "inherit" }).status !== 0) return 1;
  writeVersion(ROOT, version, new Date().toISOString().slice(0, 10));
  commitVersion(ROOT, version);
  say(`committed: Release ${version}; if anything fails from here on, take it back: git reset --hard HEAD~1`);
  say(`written: ${writeArtifacts(ROOT, version, key)}`);
  tagVersion(ROOT, version);
  say(`tagged: ${tagOf(version)}. Nothing was pushed.`);
  return 0;
};

process.exitCode = release();
