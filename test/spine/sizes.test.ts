// cpus and memory: compared with what a VM has, or will have when it starts, and said in exact words.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { VmState } from "../../src/spine/model.ts";
import { type Sizes, sizeDrift } from "../../src/spine/plan/sizes.ts";
import { bytesText } from "../../src/spine/words/template.ts";
import { assertCanonical } from "./reference.ts";
import { GiB, judge, meeting, observationOf, state, wantRunning } from "./world.ts";

const kindOf = (wanted: Sizes, seen: Partial<VmState>): string => sizeDrift(wanted, state(seen)).kind;

test("a stopped VM is compared by what it will start with", () => {
  assert.equal(kindOf({ cpus: 4 }, { cpus: 2, pending: { cpus: 4 }, status: "stopped" }), "none");
  assert.equal(kindOf({ cpus: 2 }, { cpus: 2, pending: { cpus: 4 }, status: "stopped" }), "drift");
  assert.equal(kindOf({ cpus: 4 }, { pending: { cpus: 4 }, status: "stopped" }), "none");
});

test("a running VM is compared by what it has, and by what waits", () => {
  assert.equal(kindOf({ cpus: 2 }, { cpus: 2 }), "none");
  assert.equal(kindOf({ cpus: 4 }, { cpus: 2 }), "drift");
  assert.equal(kindOf({ cpus: 4 }, { cpus: 2, pending: { cpus: 4 } }), "pending");
  assert.equal(kindOf({ cpus: 2 }, { cpus: 2, pending: { cpus: 4 } }), "drift");
  assert.equal(kindOf({ cpus: 2 }, { cpus: 2, pending: { cpus: 2 } }), "none");
});

test("a running VM of which only the waiting size was seen has no size to compare", () => {
  assert.equal(kindOf({ cpus: 4 }, { pending: { cpus: 4 } }), "not-seen");
  assert.equal(kindOf({ memory: GiB }, { cpus: 4, pending: { cpus: 4 } }), "not-seen");
});

test("a size that is not wanted is not compared", () => {
  assert.equal(kindOf({}, { cpus: 2, pending: { cpus: 4 } }), "none");
  assert.equal(kindOf({ memory: GiB }, { cpus: 2, maxmem: GiB, pending: { cpus: 4 } }), "none");
});

test("one size that drifts and one that waits are a drift, and both are named", () => {
  const drift = sizeDrift({ cpus: 4, memory: GiB }, state({ cpus: 2, maxmem: 2 * GiB, pending: { maxmem: GiB } }));
  assert.equal(drift.kind, "drift");
  assert.deepEqual("to" in drift && drift.to, { cpus: 4, memory: GiB });
});

test("cpus and memory that both wait are refused with their facts in canonical order", () => {
  const seen = state({ cpus: 2, maxmem: GiB, pending: { cpus: 4, maxmem: 2 * GiB } });
  const { plan } = judge({ observation: observationOf([seen]), entries: [wantRunning({ cpus: 4, memory: 2 * GiB })] });
  assert.equal(plan.answers[0]?.kind === "refusal" && plan.answers[0].code, "waits-for-restart");
  assertCanonical(plan);
});

test("which size waits is the cause, and what was seen and is wanted of it are the facts", () => {
  const seen = state({ cpus: 2, maxmem: GiB, pending: { cpus: 4, maxmem: 2 * GiB } });
  const ofCpus = { observedCpus: 2, pendingCpus: 4, desiredCpus: 4 };
  const ofMemory = { observedMemory: GiB, pendingMemory: 2 * GiB, desiredMemory: 2 * GiB };
  for (const [wanted, cause, facts] of [
    [{ cpus: 4 }, "cpus", ofCpus],
    [{ memory: 2 * GiB }, "memory", ofMemory],
    [{ cpus: 4, memory: 2 * GiB }, "both", { ...ofCpus, ...ofMemory }],
  ] as const) {
    const [refusal] = meeting(wantRunning(wanted), seen);
    assert.deepEqual([refusal?.code, refusal?.cause, refusal?.facts], ["waits-for-restart", cause, facts]);
  }
});

test("bytes are said exactly, in the largest unit that divides them", () => {
  const texts = [
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1024, "1 KiB"],
    [1536 * 2 ** 20, "1536 MiB"],
    [GiB, "1 GiB"],
    [GiB + 1, "1073741825 bytes"],
    [2 ** 40, "1 TiB"],
  ] as const;
  for (const [bytes, text] of texts) assert.equal(bytesText(bytes), text);
});
