// A process that lives long reads its configuration again when a file of it is another, and only then.

import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { rereadFiles } from "../../src/cli/files/reread-config.ts";
import type { Parsed } from "../../src/formats/problem.ts";
import { problem, wholeFile } from "../../src/formats/problem.ts";

test("what was not edited is the same value again; an edited file, a replaced one and an edited policy are read again", (t) => {
  const home = mkdtempSync(join(tmpdir(), "dedalus-reread-"));
  t.after(() => rmSync(home, { force: true, recursive: true }));
  for (const name of ["dedalus.yaml", "policy.yaml"]) writeFileSync(join(home, name), "a");
  let reads = 0;
  const reread = rereadFiles(
    (): Parsed<object> => {
      reads += 1;
      return { kind: "ok", value: {} };
    },
    () => ["dedalus.yaml", "policy.yaml"].map((name) => join(home, name)),
  );
  const valueNow = (): object => {
    const read = reread();
    return read.kind === "ok" ? read.value : assert.fail("it can be used");
  };
  let last = valueNow();
  const isSame = (): boolean => {
    const [before, now] = [last, valueNow()];
    last = now;
    return now === before;
  };
  assert.equal(isSame(), true);
  const before = reads;
  assert.equal(isSame(), true);
  assert.equal(reads, before);
  for (const change of [
    () => writeFileSync(join(home, "dedalus.yaml"), "b"),
    () => writeFileSync(join(home, "policy.yaml"), "b"),
    () => rmSync(join(home, "policy.yaml")),
    () => {
      writeFileSync(join(home, "other"), "b");
      renameSync(join(home, "other"), join(home, "dedalus.yaml"));
    },
  ]) {
    change();
    assert.equal(isSame(), false);
    assert.equal(isSame(), true);
  }
});

test("what cannot be used is read again each time", () => {
  let reads = 0;
  const unusable = problem("file-empty", wholeFile("dedalus.yaml"), { cause: "blanks" });
  const reread = rereadFiles(
    (): Parsed<object> => {
      reads += 1;
      return { kind: "bad", problems: [unusable] };
    },
    () => [],
  );
  assert.deepEqual([reread().kind, reread().kind, reads], ["bad", "bad", 2]);
});
