// P7-F1 and P7-E1: what is known to fail is not tried, and nothing is done as a follow-up.

import { cannot } from "../cannot.ts";
import {
  coded,
  meeting,
  observationOf,
  refusalsIn,
  request,
  state,
  VMID,
  vmidOf,
  wantRunning,
  wantStopped,
} from "../spine/world.ts";

const locked = (actions: "all" | readonly ["vm.start" | "vm.reset"]) =>
  state({ blockers: [{ actions, code: "locked", facts: { lock: "backup" } }], status: "stopped" });

cannot("P7-F1", "start a VM while the provider forbids everything", {
  neighbour: () => meeting(wantRunning(), state({ status: "stopped" })),
  offence: () => coded("blocked-by-provider", meeting(wantRunning(), locked("all"))),
});

cannot("P7-F1", "start a VM while the provider forbids starting", {
  neighbour: () => meeting(wantRunning(), locked(["vm.reset"])),
  offence: () => coded("blocked-by-provider", meeting(wantRunning(), locked(["vm.start"]))),
});

cannot("P7-F1", "ask a paused guest to shut down", {
  neighbour: () => meeting(wantStopped("power-off"), state({ paused: true })),
  offence: () => coded("state-unfit", meeting(wantStopped("shutdown"), state({ paused: true }))),
});

cannot("P7-F1", "start a VM that runs", {
  neighbour: () => meeting(request({ kind: "vm.start" }), state({ status: "stopped" })),
  offence: () => coded("state-unfit", meeting(request({ kind: "vm.start" }), state())),
});

cannot("P7-F1", "delete a VM that runs", {
  neighbour: () => meeting(request({ kind: "vm.delete" }), state({ status: "stopped" })),
  offence: () => coded("state-unfit", meeting(request({ kind: "vm.delete" }), state())),
});

const cloning = (to: number) => request({ kind: "vm.clone", name: "web-09", to: vmidOf(to) });

cannot("P7-F1", "clone a VM onto itself", {
  neighbour: () => meeting(cloning(109), state()),
  offence: () => coded("state-unfit", meeting(cloning(VMID), state())),
});

cannot("P7-F1", "clone a VM onto a vmid that is taken", {
  neighbour: () => refusalsIn({ observation: observationOf([state()]), entries: [cloning(102)] }),
  offence: () =>
    coded(
      "state-unfit",
      refusalsIn({ observation: observationOf([state(), state({ vmid: vmidOf(102) })]), entries: [cloning(102)] }),
    ),
});

cannot("P7-F1", "clone a VM onto a vmid that a partial observation did not show", {
  neighbour: () => refusalsIn({ observation: observationOf([state()]), scope: [VMID], entries: [cloning(102)] }),
  offence: () =>
    coded(
      "state-unfit",
      refusalsIn({
        observation: observationOf([state()], { complete: false }),
        scope: [VMID],
        entries: [cloning(102)],
      }),
    ),
});

cannot("P7-F1", "resize a VM to no size", {
  neighbour: () => meeting(request({ cpus: 4, kind: "vm.resize" }), state({ cpus: 2 })),
  offence: () => coded("state-unfit", meeting(request({ kind: "vm.resize" }), state({ cpus: 2 }))),
});

cannot("P7-F1", "resize a VM to the size that it has", {
  neighbour: () => meeting(request({ cpus: 4, kind: "vm.resize" }), state({ cpus: 2 })),
  offence: () => coded("state-unfit", meeting(request({ cpus: 2, kind: "vm.resize" }), state({ cpus: 2 }))),
});

cannot("P7-E1", "restart a VM so that its sizes become active", {
  neighbour: () => meeting(wantRunning({ cpus: 4 }), state({ cpus: 2 })),
  offence: () =>
    coded("waits-for-restart", meeting(wantRunning({ cpus: 4 }), state({ cpus: 2, pending: { cpus: 4 } }))),
});

cannot("P7-E1", "write on request what is written and waits", {
  neighbour: () => meeting(request({ cpus: 4, kind: "vm.resize" }), state({ cpus: 2, pending: { cpus: 8 } })),
  offence: () =>
    coded(
      "waits-for-restart",
      meeting(request({ cpus: 4, kind: "vm.resize" }), state({ cpus: 2, pending: { cpus: 4 } })),
    ),
});
