// All desired entries of one environment: in order, one for each VM, one digest.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { desiredStateOf } from "../../src/spine/plan/desired-state.ts";
import { cannot } from "../cannot.ts";
import { world } from "./arbitraries.ts";
import { digestOf } from "./reference.ts";
import { coded, desiredFor, request, vmidOf, wantRunning } from "./world.ts";

test("the digest is that of a reference implementation over environment and ordered entries", () => {
  fc.assert(
    fc.property(world, ({ entries: given }) => {
      const { digest, environment, entries } = desiredFor(given);
      assert.equal(digest, digestOf({ environment, entries }));
      assert.deepEqual(
        entries,
        given.toSorted((a, b) => a.vmid - b.vmid),
      );
    }),
    { numRuns: 200 },
  );
});

test("the keys of a requested action may come in any order", () => {
  const one = desiredFor([request({ kind: "vm.clone", name: "web-09", to: vmidOf(109) })]);
  const other = desiredFor([request({ to: vmidOf(109), name: "web-09", kind: "vm.clone" })]);
  assert.equal(one.digest, other.digest);
});

const objectionsTo = (...vmids: readonly number[]) => {
  const made = desiredStateOf(
    "home",
    vmids.map((vmid) => wantRunning({ vmid: vmidOf(vmid) })),
  );
  return "kind" in made ? [made] : [];
};

cannot("N8", "hold two entries for one VM", {
  neighbour: () => objectionsTo(102, 101, 103),
  offence: () => coded("vmid-duplicate", objectionsTo(102, 101, 102)),
});

test("of two entries for one VM, its vmid is told", () => {
  assert.deepEqual(
    objectionsTo(103, 102, 101, 102).map(({ vmid }) => vmid),
    [102],
  );
});
