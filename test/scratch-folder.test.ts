// The folder in memory that a run of the tests works in: there where it can be used, and not where it cannot.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { memoryScratch } from "../tools/scratch-folder.ts";
import { ROOT } from "../tools/sources.ts";
import { until } from "./service/bound.ts";

const parentFor = (t: { readonly after: (work: () => void) => void }): string => {
  const parent = mkdtempSync(join(tmpdir(), "dedalus-scratch-"));
  t.after(() => rmSync(parent, { force: true, recursive: true }));
  return parent;
};

test("a scratch folder is empty, is for every user, and is gone when it is removed", (t) => {
  const parent = parentFor(t);
  const scratch = memoryScratch(parent, 1);
  assert.ok(scratch !== undefined);
  assert.deepEqual(readdirSync(scratch.folder), []);
  assert.equal(statSync(scratch.folder).mode & 0o7777, 0o1777);
  scratch.remove();
  assert.deepEqual(readdirSync(parent), []);
});

test("there is none where it would be too small, or where there is no such place", (t) => {
  const parent = parentFor(t);
  assert.equal(memoryScratch(parent, Number.MAX_SAFE_INTEGER), undefined);
  assert.equal(memoryScratch(join(parent, "none"), 1), undefined);
  assert.deepEqual(readdirSync(parent), []);
});

test("there is none where programs may not be run", (t) => {
  const place = join(parentFor(t), "noexec");
  mkdirSync(place);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,noexec", "tmpfs", place], { stdio: "pipe" });
  } catch (error) {
    return t.diagnostic(`no file system of its own here: ${String(error)}`);
  }
  try {
    assert.equal(memoryScratch(place, 1), undefined);
    assert.deepEqual(readdirSync(place), []);
  } finally {
    execFileSync("umount", ["--lazy", place]);
  }
});

test("it goes with the process that made it, however that went", async (t) => {
  const parent = parentFor(t);
  const script = `import { memoryScratch } from "./tools/scratch-folder.ts";
    process.stdout.write(memoryScratch(${JSON.stringify(parent)}, 1).folder);
    process.kill(process.pid, "SIGKILL");`;
  const { signal, stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: ROOT,
    encoding: "utf8",
  });
  assert.equal(signal, "SIGKILL");
  assert.ok(stdout.startsWith(parent));
  await until("the folder's end", () => !existsSync(stdout));
});
