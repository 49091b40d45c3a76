// Order by vmid: sorted, stable, complete, twins noticed, and no copy where none is needed.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { VMID_MAX } from "../../src/spine/model.ts";
import { inOrder } from "../../src/spine/values/in-order.ts";

const vmid = fc.oneof(
  fc.integer({ max: 9, min: 1 }),
  fc.integer({ max: VMID_MAX, min: 1 }),
  fc.integer({ max: VMID_MAX, min: VMID_MAX - 9 }),
);
const list = fc.array(vmid, { maxLength: 40 }).map((vmids) => vmids.map((one, at) => ({ at, vmid: one })));

test("a list comes out ascending, with equal vmids in their former order and nothing lost", () => {
  fc.assert(
    fc.property(list, (given) => {
      const { hasTwins, list: sorted } = inOrder(given);
      assert.deepEqual(
        sorted,
        given.toSorted((a, b) => a.vmid - b.vmid),
      );
      assert.equal(hasTwins, new Set(given.map((one) => one.vmid)).size < given.length);
    }),
    { numRuns: 500 },
  );
});

test("a list that is in order already is given back itself, and another one is left as it was", () => {
  const ascending = [{ vmid: 1 }, { vmid: 2 }, { vmid: 2 }, { vmid: VMID_MAX }];
  assert.equal(inOrder(ascending).list, ascending);
  const descending = [{ vmid: 2 }, { vmid: 1 }];
  assert.deepEqual(inOrder(descending), { hasTwins: false, list: [{ vmid: 1 }, { vmid: 2 }] });
  assert.deepEqual(descending, [{ vmid: 2 }, { vmid: 1 }]);
  assert.deepEqual(inOrder([]), { hasTwins: false, list: [] });
});

test("the largest vmids in a long list keep their exact places", () => {
  const length = 50_000;
  const given = Array.from({ length }, (_, at) => ({ at, vmid: VMID_MAX - ((at * 7919) % length) }));
  const { list: sorted } = inOrder(given);
  assert.ok(sorted.every(({ at, vmid: id }, index) => id === VMID_MAX - length + 1 + index && given[at]?.vmid === id));
});
