// A process that lives long reads its configuration again when a file of it is another, and only then.

import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

test("a file that the system does not tell of is read each time, and nothing is thrown", (t) => {
  const home = mkdtempSync(join(tmpdir(), "dedalus-reread-"));
  t.after(() => rmSync(home, { force: true, recursive: true }));
  const file = join(home, "dedalus.yaml");
  writeFileSync(file, "a");
  let reads = 0;
  const reread = rereadFiles(
    (): Parsed<object> => {
      reads += 1;
      return { kind: "ok", value: {} };
    },
    () => [file],
  );
  reread();
  const before = reads;
  rmSync(file);
  symlinkSync(file, file);
  reread();
  assert.ok(reads > before, "a loop of links is another file than before");
  const looped = reads;
  reread();
  assert.ok(reads > looped, "what it leads to is not known to be the same");
  rmSync(file);
  writeFileSync(file, "a");
  reread();
  const again = reads;
  reread();
  assert.equal(reads, again);
});
