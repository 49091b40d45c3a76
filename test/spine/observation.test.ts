// The observation as a value: in order, one state for each vmid, one digest, whatever its source was called.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Observation, VmState } from "../../src/spine/model.ts";
import { sha256OfPieces } from "../../src/spine/values/hash.ts";
import { basisOf, observationPieces, observe, ordered } from "../../src/spine/values/observation.ts";
import { observation, vmState } from "./arbitraries.ts";
import { canonicalText, digestOf } from "./reference.ts";
import { observationOf, state, vmidOf } from "./world.ts";

const unsourced = ({ source: _, ...rest }: VmState): Omit<VmState, "source"> => rest;
const hashedPart = ({ vms, ...rest }: Observation) => ({ ...rest, vms: vms.map(unsourced) });

test("the digest is that of a reference implementation over the ordered observation without source", () => {
  fc.assert(
    fc.property(observation, (given) => {
      const { digest, observation: whole } = observe(given);
      assert.equal(digest, digestOf(hashedPart(whole)));
      assert.equal([...observationPieces(whole)].join(""), canonicalText(hashedPart(whole)));
      assert.equal(sha256OfPieces(observationPieces(whole)), digest);
    }),
    { numRuns: 150 },
  );
});

/** What stands beside a code, anywhere in it, left out: a diagnostic, and what was said. */
const unsaid = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (key, member: unknown) => (key === "diagnostic" || key === "said" ? undefined : member)),
  );

const unplaced = ({ node: _, ...state }: VmState): VmState => state;

test("the basis of a step is the digest of the one state without source, node, diagnostics and what was said", () => {
  fc.assert(
    fc.property(vmState, (one) => {
      assert.equal(basisOf(one), digestOf(unsourced(unplaced(unsaid(one)))));
      assert.equal(basisOf({ ...one, node: "elsewhere", source: "another" }), basisOf(one));
      assert.equal(basisOf(unplaced(one)), basisOf(one));
    }),
    { numRuns: 200 },
  );
});

test("an observation is the same whichever order its states arrive in", () => {
  const shuffledLook = observation.chain((given) =>
    fc.tuple(
      fc.constant(given),
      fc.shuffledSubarray([...given.vms], { maxLength: given.vms.length, minLength: given.vms.length }),
    ),
  );
  fc.assert(
    fc.property(shuffledLook, ([given, vms]) => assert.equal(observe({ ...given, vms }).digest, observe(given).digest)),
    { numRuns: 150 },
  );
});

test("states are ascending, one for each vmid, and none is lost or invented", () => {
  fc.assert(
    fc.property(observation, (given) => {
      const vmids = ordered(given).vms.map(({ vmid }) => vmid);
      assert.deepEqual(
        vmids,
        [...new Set(given.vms.map(({ vmid }) => vmid))].sort((a, b) => a - b),
      );
    }),
    { numRuns: 200 },
  );
});

test("two entries for one vmid are one unknown, even when they agree", () => {
  const { vms } = ordered(observationOf([state(), state({ name: "web-02" }), state({ vmid: vmidOf(102) }), state()]));
  assert.deepEqual(
    vms.map(({ because, status, vmid }) => ({ because, status, vmid })),
    [
      { because: { code: "listed-twice", facts: { times: 3 } }, status: "unknown", vmid: 101 },
      { because: undefined, status: "running", vmid: 102 },
    ],
  );
  assert.equal(ordered(observationOf([state(), state()])).vms[0]?.status, "unknown");
});

test("one that names a gap is not complete, whatever it claims", () => {
  assert.equal(
    ordered(observationOf([], { gaps: [{ code: "stated", said: "node pve2 did not answer" }] })).complete,
    false,
  );
  assert.equal(ordered(observationOf([])).complete, true);
  assert.equal(ordered(observationOf([], { complete: false })).complete, false);
});

test("an observation in order is kept as it is, and putting in order twice changes nothing", () => {
  const whole = observationOf([state(), state({ vmid: vmidOf(102) })]);
  assert.equal(ordered(whole), whole);
  fc.assert(
    fc.property(observation, (given) => {
      const once = ordered(given);
      assert.equal(ordered(once), once);
    }),
    { numRuns: 100 },
  );
});

test("an observation that does not say when is another observation", () => {
  const { observedAt: _, ...timeless } = observationOf([state()]);
  assert.notEqual(observe(timeless).digest, observe(observationOf([state()])).digest);
});
