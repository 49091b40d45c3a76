// What each package of integrations/ may bring: exact versions by its own lock file, no address to download from, and
// nothing that needs to run when it is installed.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../../tools/sources.ts";
import { INTEGRATIONS } from "./integration-package.ts";

type Locked = { readonly hasInstallScript?: boolean; readonly integrity?: string; readonly resolved?: string };
type Lock = { readonly packages: Readonly<Record<string, Locked>> };
type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly private?: boolean;
};

/** Packages that work although their script is not run, and what it would do. */
const SCRIPTS_NOT_RUN: Readonly<Record<string, string>> = {
  "@google/genai": "says that it does nothing",
  "@modelcontextprotocol/inspector": "installs its clients where they are sources; those of the package are built",
  esbuild: "puts its program in the place of its own starter, which finds it too",
  protobufjs: "warns of versions",
};

const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(ROOT, ...path), "utf8"));

for (const name of INTEGRATIONS) {
  test(`${name}: it is private, its versions are exact, and its lock file has hashes and no addresses`, () => {
    const manifest: Manifest = read("integrations", name, "package.json");
    assert.equal(manifest.private, true);
    for (const [one, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/, one);
    const { packages }: Lock = read("integrations", name, "package-lock.json");
    const { "": own, ...brought } = packages;
    assert.ok(own !== undefined && Object.keys(brought).length > 0);
    for (const [path, { hasInstallScript, integrity, resolved }] of Object.entries(brought)) {
      const [, called = path] = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
      assert.equal(resolved, undefined, path);
      assert.ok(hasInstallScript !== true || Object.hasOwn(SCRIPTS_NOT_RUN, called), path);
      assert.match(integrity ?? "", /^sha512-/, path);
    }
  });
}

test("there are such packages", () => {
  assert.ok(INTEGRATIONS.length > 0);
});
