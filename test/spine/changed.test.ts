// What changed between two states is named field by field, and nothing else is.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { VmState } from "../../src/spine/model.ts";
import { changedFields, changesText } from "../../src/spine/plan/changed.ts";
import { basisOf } from "../../src/spine/values/observation.ts";
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
];

for (const [more, fields, text] of CHANGES) {
  test(`a change of ${fields.join(", ")} is told as "${text}"`, () => {
    const after = { ...BEFORE, ...more };
    assert.deepEqual([changedFields(BEFORE, after), changesText(BEFORE, after)], [fields, text]);
    assert.notEqual(basisOf(BEFORE), basisOf(after), "and it is another basis");
  });
}

test("the source is no change, and neither is nothing", () => {
  assert.deepEqual(changedFields(BEFORE, { ...BEFORE, source: "elsewhere" }), []);
});
