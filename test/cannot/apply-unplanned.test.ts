// B1, B6, P7-E3: only a step that stands in a recorded plan, which was not refused or canceled, and only once.

import { cannot } from "../cannot.ts";
import { applied, ended } from "../kernel/applied.ts";
import { apply, lastId, planned } from "../kernel/story.ts";
import { coded, vmidOf, state as vmState, wantRunning } from "../spine/world.ts";

cannot("B1", "apply a plan that is not in the ledger", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "plan-unknown",
      applied((of, told) => ({ ...of, plan: told.instance })),
    ),
});
cannot("B1", "apply a step that was changed after it was planned", {
  neighbour: () => applied((of) => ({ ...of, step: { ...of.step } })),
  offence: () =>
    coded(
      "step-unknown",
      applied((of) => ({ ...of, step: { ...of.step, action: { kind: "vm.delete" } } })),
    ),
});
cannot("B1", "apply a step of another plan under this plan's name", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "step-unknown",
      applied((of, told) => ({
        ...planned(told, { vms: [vmState({ boot: "b", status: "stopped" })] }).of,
        plan: of.plan,
      })),
    ),
});
cannot("B1", "apply a plan that was canceled", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "plan-closed",
      applied((of, told) => {
        told.ask({ kind: "cancel", plan: of.plan, reason: "no longer wanted" });
        return of;
      }),
    ),
});

cannot("P7-E3", "apply a step of a plan that was refused", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "plan-refused",
      applied((of) => of, {
        vms: [vmState({ status: "stopped" }), vmState({ status: "unknown", vmid: vmidOf(102) })],
        entries: [wantRunning(), wantRunning({ vmid: vmidOf(102) })],
      }),
    ),
});

cannot("B6", "try a step a second time", {
  neighbour: () => applied(),
  offence: () =>
    coded(
      "step-consumed",
      applied((of, told) => {
        apply(told, of);
        ended(told, lastId(told), "failed");
        return of;
      }),
    ),
});
