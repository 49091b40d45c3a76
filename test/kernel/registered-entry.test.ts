// The tree over registered entries: every entry is shown at its place and nowhere else, whatever the number of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { entriesIn, isRegistered, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { DesiredState } from "../../src/spine/model.ts";
import { entryHash } from "../../src/spine/plan/desired-state.ts";
import { desiredVm } from "../spine/arbitraries.ts";
import { desiredFor, vmidOf, wantRunning } from "../spine/world.ts";

const fleet: fc.Arbitrary<DesiredState> = fc
  .uniqueArray(desiredVm, { maxLength: 20, selector: ({ vmid }) => vmid })
  .map((entries) => desiredFor(entries));

test("each entry is shown to be registered at its place, and at no other", () => {
  fc.assert(
    fc.property(fleet, (desired) => {
      const { root, vms: size } = registrationOf(desired);
      const shown = entriesIn(desired);
      for (const [at, { vmid }] of desired.entries.entries()) {
        const ref = shown(vmid);
        assert.ok(ref !== "none");
        assert.deepEqual([ref.index, ref.entry.vmid], [at, vmid]);
        assert.ok(isRegistered(ref, entryHash(ref.entry), { root, size }));
        for (let other = 0; other < size; other += 1) {
          assert.equal(isRegistered({ ...ref, index: other }, entryHash(ref.entry), { root, size }), other === at);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a VM that is not registered has no entry to show", () => {
  assert.equal(entriesIn(desiredFor([wantRunning()]))(vmidOf(999)), "none");
  assert.equal(entriesIn(desiredFor([]))(vmidOf(101)), "none");
});

test("an entry read back from its canonical form has the same hash, whatever the order of its keys", () => {
  fc.assert(
    fc.property(desiredVm, (entry) => {
      const turned = Object.fromEntries(Object.entries(entry).reverse()) as typeof entry;
      assert.equal(entryHash(turned), entryHash(entry));
      assert.notEqual(entryHash({ ...entry, name: `${entry.name}x` }), entryHash(entry));
    }),
    { numRuns: 100 },
  );
});
