// The tree over registered entries: every entry is shown at its place and nowhere else, whatever the number of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { entriesIn, isRegistered, registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { Wishes } from "../../src/spine/model.ts";
import { entryHash } from "../../src/spine/plan/wishes.ts";
import { desiredVm } from "../spine/arbitraries.ts";
import { vmidOf, wantRunning, wishesFor } from "../spine/world.ts";

const fleet: fc.Arbitrary<Wishes> = fc
  .uniqueArray(desiredVm, { maxLength: 20, selector: ({ vmid }) => vmid })
  .map((entries) => wishesFor(entries));

test("each entry is shown to be registered at its place, and at no other", () => {
  fc.assert(
    fc.property(fleet, (wishes) => {
      const { root, vms: size } = registrationOf(wishes);
      const shown = entriesIn(wishes);
      for (const [at, { vmid }] of wishes.wishes.entries()) {
        const ref = shown(vmid);
        assert.ok(ref !== "none");
        assert.deepEqual([ref.index, ref.entry.vmid], [at, vmid]);
        assert.ok(isRegistered(ref, { root, size }));
        for (let other = 0; other < size; other += 1) {
          assert.equal(isRegistered({ ...ref, index: other }, { root, size }), other === at);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("a VM that is not registered has no entry to show", () => {
  assert.equal(entriesIn(wishesFor([wantRunning()]))(vmidOf(999)), "none");
  assert.equal(entriesIn(wishesFor([]))(vmidOf(101)), "none");
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
