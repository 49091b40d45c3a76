// What changed between two states is named field by field, and nothing else is.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { VmState } from "../../src/spine/model.ts";
import { changedFields, changesOf } from "../../src/spine/plan/changed.ts";
import { basisOf } from "../../src/spine/values/observation.ts";
import { outcomeText } from "../../src/spine/words/steps/outcome-words.ts";
import { GiB, state } from "./world.ts";

const BEFORE = state({ cpus: 2, maxmem: GiB, revision: "a", status: "stopped", tags: ["web"] });

const CHANGES: readonly (readonly [Partial<VmState>, readonly string[], string])[] = [
  [{ status: "running" }, ["status"], "status stopped → running"],
  [{ name: "web-02" }, ["name"], "name web-01 → web-02"],
  [{ tags: ["prod", "web"] }, ["tags"], "tags web → prod web"],
  [{ tags: [] }, ["tags"], "tags web → none"],
  [{ revision: "b" }, ["revision"], "revision"],
  [{ cpus: 4, maxmem: 2 * GiB }, ["cpus", "maxmem"], "cpus 2 → 4, maxmem 1 GiB → 2 GiB"],
  [{ boot: "x", status: "running" }, ["boot", "status"], "boot, status stopped → running"],
  [{ paused: true }, ["paused"], "paused no → yes"],
  [{ pending: { cpus: 4 } }, ["pending"], "pending"],
  [{ identity: "uuid-b" }, ["identity"], "identity"],
  [
    { blockers: [{ actions: "all", code: "locked", facts: { lock: "backup" } }] },
    ["blockers"],
    "blockers none → locked",
  ],
  [{ snapshots: { names: ["a", "b"] } }, ["snapshots"], "snapshots none → a b"],
  // The same names, and of one it is now known that it holds RAM.
  [{ snapshots: { names: [], withRam: [] } }, ["snapshots"], "snapshots"],
  [{ resize: "hot" }, ["resize"], "resize restart → hot"],
];

for (const [more, fields, text] of CHANGES) {
  test(`a change of ${fields.join(", ")} is told as "${text}"`, () => {
    const after = { ...BEFORE, ...more };
    const changed = changesOf(BEFORE, after);
    assert.deepEqual(
      [changedFields(BEFORE, after), changed.map(({ field }) => field), outcomeText({ cause: "vm-changed", changed })],
      [fields, fields, `${outcomeText({ cause: "vm-changed" })} (${text})`],
    );
    assert.notEqual(basisOf(BEFORE), basisOf(after), "and it is another basis");
  });
}

test("a value that is too long to be told is named only, and one that was not seen is told as such", () => {
  const names = Array.from({ length: 100 }, (_, at) => `nightly-${at}`);
  assert.deepEqual(changesOf(BEFORE, { ...BEFORE, snapshots: { names } }), [{ field: "snapshots" }]);
  // A list of one name is its name with two quotes and two brackets; that of none is two brackets.
  const named = (length: number) => ({ ...BEFORE, snapshots: { names: ["a".repeat(length)] } });
  assert.deepEqual(changesOf(BEFORE, named(194)), [{ field: "snapshots", now: ["a".repeat(194)], was: [] }]);
  assert.deepEqual(changesOf(BEFORE, named(195)), [{ field: "snapshots" }]);
  const { cpus: _, ...unseen } = BEFORE;
  assert.deepEqual(changesOf(unseen, BEFORE), [{ field: "cpus", now: 2 }]);
  assert.deepEqual(changesOf(BEFORE, unseen), [{ field: "cpus", was: 2 }]);
  assert.match(outcomeText({ cause: "vm-changed", changed: changesOf(BEFORE, unseen) }), /\(cpus 2 → not seen\)$/);
});

test("the source is no change, the node is none, and neither is nothing", () => {
  assert.deepEqual(changedFields(BEFORE, { ...BEFORE, node: "pve2", source: "elsewhere" }), []);
});
