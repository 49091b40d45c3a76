// What counts as one of a closed set of words or numbers, at its bounds, and what only looks like one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isVmid, VMID_MAX } from "../../src/spine/model.ts";
import { ACTION_KINDS, actionNamed, isActionKind } from "../../src/spine/rules/actions.ts";
import { isOutcomeCause, OUTCOME_CAUSES } from "../../src/spine/rules/outcome-causes.ts";
import { isSubject, RESERVED_SUBJECTS } from "../../src/spine/values/subject.ts";

test("a vmid is a whole number from 1 to the greatest", () => {
  assert.equal(VMID_MAX, 999_999_999);
  for (const vmid of [1, 2, VMID_MAX]) assert.ok(isVmid(vmid), `${vmid}`);
  for (const other of [0, -1, 1.5, VMID_MAX + 1, Number.NaN, "1", [1], null, undefined]) assert.ok(!isVmid(other));
});

test("an action is one of the table, written with or without its beginning", () => {
  assert.ok(ACTION_KINDS.every(isActionKind));
  for (const other of ["start", "toString", ["vm.start"], undefined]) assert.ok(!isActionKind(other));
  assert.equal(actionNamed("start"), "vm.start");
  assert.equal(actionNamed("vm.start"), "vm.start");
  assert.equal(actionNamed("vm.vm.start"), undefined);
});

test("a cause of an outcome is one of the table", () => {
  assert.ok(Object.keys(OUTCOME_CAUSES).every(isOutcomeCause));
  for (const other of ["toString", "", ["frozen"], 7, undefined]) assert.ok(!isOutcomeCause(other));
});

test("a name of a subject is lower-case ASCII with single separators, and none that is reserved", () => {
  assert.deepEqual(RESERVED_SUBJECTS, ["anonymous", "dedalus", "nobody", "unknown"]);
  for (const name of ["ada", "ada.l", "a-1_b", "a".repeat(64)]) assert.ok(isSubject(name), name);
  for (const other of [...RESERVED_SUBJECTS, "Ada", "a--b", "1a", "", "a".repeat(65), ["ada"], undefined]) {
    assert.ok(!isSubject(other), String(other));
  }
});
