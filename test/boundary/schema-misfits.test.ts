// What does not fit a schema has a misfit, whatever else is wrong with it: a request without one is taken for one that
// fits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "typebox/compile";
import { ACTION_SCHEMA, closed, STEP_NUMBER_SCHEMA, STEP_SCHEMA } from "../../src/boundary/contract/schema-parts.ts";
import { misfitsIn } from "../../src/boundary/http/schema-misfits.ts";
import { cannot, type Objection } from "../cannot.ts";

const SCHEMA = closed({ action: ACTION_SCHEMA });
const check = Compile(SCHEMA);

const misfits = (action: unknown): readonly (Objection & { readonly code: string; readonly field: string })[] => {
  const value = { action };
  if (check.Check(value)) return [];
  return misfitsIn(SCHEMA, value, check.Errors(value)).map(({ field, refusal }) => ({ ...refusal, field }));
};

const more = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`next${at}`, at]));

const HIDDEN = {
  "beyond what the checker counts": { kind: "vm.migrate", node: "pve2", ...more },
  "in the action of a later alternative": { kind: "vm.snapshot.create", next: { kind: "vm.stop" }, snapshot: "before" },
  "in the last alternative": { kind: "vm.migrate", next: { kind: "vm.stop" }, node: "pve2" },
} as const;
for (const [where, action] of Object.entries(HIDDEN)) {
  cannot("P7-F1", `hide a field in an action, ${where}`, {
    neighbour: () => misfits({ kind: "vm.snapshot.create", snapshot: "before" }),
    offence: () => misfits(action),
  });
}

test("a misfit in a later alternative is told at its own place", () => {
  const told = (action: unknown) => misfits(action).map(({ code, field }) => `${code} ${field}`);
  assert.deepEqual(told(HIDDEN["in the action of a later alternative"]), ["key-unknown action.next"]);
  assert.deepEqual(told(HIDDEN["in the last alternative"]), ["key-unknown action.next"]);
  assert.deepEqual(told({ kind: "vm.snapshot.create", snapshot: 7 }), ["type-wrong action.snapshot"]);
  assert.deepEqual(told({ kind: "vm.start", next: 1 }), ["key-unknown action.next"]);
});

test("what the checker finds no place for is refused as a whole", () => {
  const [only, ...others] = misfitsIn(SCHEMA, { action: 7 }, []);
  assert.deepEqual([only?.refusal.code, only?.field, others], ["value-wrong", "", []]);
});

test("what is no object, or has the key of no alternative, is told the keys that it could have", () => {
  const told = (schema: typeof STEP_SCHEMA | typeof STEP_NUMBER_SCHEMA | typeof ACTION_SCHEMA, at: unknown) => {
    const [whole, value] = [closed({ at: schema }), { at }];
    const checker = Compile(whole);
    assert.equal(checker.Check(value), false);
    return misfitsIn(whole, value, checker.Errors(value)).map(({ field, refusal: { cause, code, facts } }) => [
      code,
      field,
      cause,
      facts?.["keys"] ?? facts?.["known"] ?? facts?.["min"],
    ]);
  };
  assert.deepEqual(told(STEP_SCHEMA, 1), [["type-wrong", "at", "object-with-one", ["number", "vmid"]]]);
  assert.deepEqual(told(STEP_SCHEMA, { vm: 101 }), [["value-wrong", "at", "object-with-one", ["number", "vmid"]]]);
  assert.deepEqual(told(STEP_SCHEMA, {}), [["value-wrong", "at", "object-with-one", ["number", "vmid"]]]);
  assert.deepEqual(told(STEP_SCHEMA, { number: 0 }), [["value-wrong", "at.number", "integer", 1]]);
  assert.deepEqual(told(STEP_SCHEMA, { number: 1, why: 2 }), [["key-unknown", "at.why", "listed", ["number"]]]);
  assert.deepEqual(told(STEP_NUMBER_SCHEMA, 1), [["type-wrong", "at", "object-with", ["number"]]]);
  assert.deepEqual(told(ACTION_SCHEMA, "vm.start"), [["type-wrong", "at", "object-with", ["kind"]]]);
});
