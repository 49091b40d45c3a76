// All wishes of one environment: in order, one for each VM, one digest.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { wishesOf } from "../../src/spine/plan/wishes.ts";
import { cannot } from "../cannot.ts";
import { world } from "./arbitraries.ts";
import { digestOf } from "./reference.ts";
import { coded, request, vmidOf, wantRunning, wishesFor } from "./world.ts";

test("the digest is that of a reference implementation over environment and ordered wishes", () => {
  fc.assert(
    fc.property(world, ({ wishes: given }) => {
      const { digest, environment, wishes } = wishesFor(given);
      assert.equal(digest, digestOf({ environment, wishes }));
      assert.deepEqual(
        wishes,
        given.toSorted((a, b) => a.vmid - b.vmid),
      );
    }),
    { numRuns: 200 },
  );
});

test("the keys of a requested action may come in any order", () => {
  const one = wishesFor([request({ kind: "vm.clone", name: "web-09", to: vmidOf(109) })]);
  const other = wishesFor([request({ to: vmidOf(109), name: "web-09", kind: "vm.clone" })]);
  assert.equal(one.digest, other.digest);
});

const objectionsTo = (...vmids: readonly number[]) => {
  const made = wishesOf(
    "home",
    vmids.map((vmid) => wantRunning({ vmid: vmidOf(vmid) })),
  );
  return "kind" in made ? [made] : [];
};

cannot("N8", "hold two wishes for one VM", {
  neighbour: () => objectionsTo(102, 101, 103),
  offence: () => coded("vmid-duplicate", objectionsTo(102, 101, 102)),
});
