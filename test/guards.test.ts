// The guards that the hostile suite relies on: each is where the table says, and some of them are removed here. All of
// them are by `make guards`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GUARDS } from "../tools/guards/all-guards.ts";
import { unguarded } from "../tools/guards/guard.ts";
import { CONTROLS, tryGuard } from "../tools/guards/try-guard.ts";
import { copyTree } from "../tools/mutate/work-copy.ts";

test("each guard is in its file exactly once, has a name of its own, and cases in a file with a control", () => {
  for (const guard of GUARDS) {
    assert.notEqual(unguarded(readFileSync(guard.file, "utf8"), guard), undefined, `${guard.name}: ${guard.file}`);
    assert.ok(guard.cases.length > 0 && guard.test in CONTROLS, guard.name);
    assert.ok(!guard.cases.includes(CONTROLS[guard.test] ?? ""), guard.name);
  }
  assert.equal(new Set(GUARDS.map(({ name }) => name)).size, GUARDS.length);
});

test("a text that is there twice, or not at all, is no guard", () => {
  const guard = { becomes: "true", is: "a < b" };
  assert.equal(unguarded("if (a < b) return;", guard), "if (true) return;");
  assert.equal(unguarded("if (a < b || a < b) return;", guard), undefined);
  assert.equal(unguarded("if (a <= b) return;", guard), undefined);
});

test("a hostile case fails without its guard, and one that fails with nothing removed proves nothing", async (t) => {
  const copy = copyTree(".");
  t.after(() => copy.remove());
  const guard = GUARDS.find(({ name }) => name === "a question is sealed for its step") ?? assert.fail("it is listed");
  assert.equal(await tryGuard(copy, guard), undefined);
  const idle = { ...guard, becomes: guard.is };
  assert.match((await tryGuard(copy, idle)) ?? "", /^not seen to fail: /);
});
