// N8: where the operator numbers the VMs, a number means nothing to the provider, and only an identity says which VM it
// is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { registrationOf } from "../../src/kernel/state/registered-entry.ts";
import type { DesiredVm, Numbers, Refusal, RequestedAction } from "../../src/spine/model.ts";
import { cannot } from "../cannot.ts";
import { planned, refusalsOf, story } from "../kernel/story.ts";
import { coded, desiredFor, observationOf, refusalsIn, request, state, vmidOf, wantRunning } from "../spine/world.ts";

const UUID = "uuid-a";

const registered = (numbers: Numbers, ...entries: readonly DesiredVm[]): readonly Refusal[] => {
  const desired = desiredFor(entries);
  const told = story("single-operator", true, undefined, numbers);
  return refusalsOf(told.ask(registrationOf(desired), { given: { desired } }));
};

cannot("N8", "register an entry that only a number names, where the provider has no numbers", {
  neighbour: () => registered("operator", wantRunning({ identity: UUID })),
  offence: () => coded("identity-required", registered("operator", wantRunning())),
});

cannot("N8", "hide one entry without an identity among others", {
  neighbour: () => registered("provider", wantRunning({ identity: UUID }), wantRunning({ vmid: vmidOf(102) })),
  offence: () =>
    coded(
      "identity-required",
      registered("operator", wantRunning({ identity: UUID }), wantRunning({ vmid: vmidOf(102) })),
    ),
});

test("a file that is refused says how many entries lack an identity, and the first", () => {
  const entries = [101, 102, 103].map((id) =>
    wantRunning({ vmid: vmidOf(id), ...(id === 101 ? { identity: UUID } : {}) }),
  );
  const [refusal] = registered("operator", ...entries);
  assert.deepEqual([refusal?.cause, refusal?.facts], ["registered", { entries: 2, first: 102 }]);
});

const answers = (numbers: Numbers, entry: DesiredVm | RequestedAction): readonly Refusal[] =>
  refusalsIn({ numbers, observation: observationOf([state({ identity: UUID, status: "stopped" })]), entries: [entry] });

cannot("N8", "plan for a VM that only a number names, where the provider has no numbers", {
  neighbour: () => answers("operator", wantRunning({ identity: UUID })),
  offence: () => coded("identity-required", answers("operator", wantRunning())),
});

cannot("N8", "request an action on a VM that only a number names, where the provider has no numbers", {
  neighbour: () => answers("provider", request({ kind: "vm.start" })),
  offence: () => coded("identity-required", answers("operator", request({ kind: "vm.start" }))),
});

test("a plan that the kernel makes knows whose numbers they are", () => {
  const told = story("single-operator", true, undefined, "operator");
  const { result } = planned(told, {
    vms: [state({ identity: UUID, status: "stopped" })],
    entries: [wantRunning({ identity: UUID })],
  });
  assert.equal(result.kind, "planned");
});
