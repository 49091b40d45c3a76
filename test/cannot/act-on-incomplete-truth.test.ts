// N1: what was not seen is not acted on, and what was not seen whole is not acted on as a whole.

import { cannot } from "../cannot.ts";
import {
  coded,
  meeting,
  observationOf,
  refusalsIn,
  request,
  state,
  vmidOf,
  type World,
  wantRunning,
} from "../spine/world.ts";

const OTHER = vmidOf(102);
const both = { entries: [wantRunning(), wantRunning({ vmid: OTHER })] };
const seenBoth = [state(), state({ vmid: OTHER })];
const seenOne = [state()];

cannot("N1", "act on a VM whose state is unknown", {
  neighbour: () => meeting(wantRunning(), state({ status: "stopped" })),
  offence: () => coded("vm-unknown", meeting(wantRunning(), state({ status: "unknown" }))),
});

cannot("N1", "start a VM that a complete observation did not find", {
  neighbour: () => refusalsIn({ observation: observationOf([state({ status: "stopped" })]), entries: [wantRunning()] }),
  offence: () => coded("vm-missing", refusalsIn({ observation: observationOf([]), entries: [wantRunning()] })),
});

cannot("N1", "take a VM that a partial observation did not show for missing", {
  neighbour: () => refusalsIn({ ...both, observation: observationOf(seenBoth) }),
  offence: () => coded("vm-unknown", refusalsIn({ ...both, observation: observationOf(seenOne, { complete: false }) })),
});

cannot("N1", "compare a size that was not seen", {
  neighbour: () => meeting(wantRunning({ cpus: 2 }), state({ cpus: 2 })),
  offence: () => coded("size-not-seen", meeting(wantRunning({ cpus: 2 }), state())),
});

cannot("N1", "resize a VM on request from a size that was not seen", {
  neighbour: () => meeting(request({ cpus: 4, kind: "vm.resize" }), state({ cpus: 2 })),
  offence: () => coded("size-not-seen", meeting(request({ cpus: 4, kind: "vm.resize" }), state({ maxmem: 1 }))),
});

const SNAPSHOT = request({ kind: "vm.snapshot.create", snapshot: "before" });

cannot("N1", "take a snapshot under a name that may be taken", {
  neighbour: () => meeting(SNAPSHOT, state({ snapshots: { names: ["older"] } })),
  offence: () => coded("snapshots-not-seen", meeting(SNAPSHOT, state())),
});

const ROLLBACK = request({ kind: "vm.snapshot.rollback", snapshot: "before" });

cannot("N1", "roll back to a snapshot of which it is not known whether it holds RAM", {
  neighbour: () => meeting(ROLLBACK, state({ snapshots: { names: ["before"], withRam: [] } })),
  offence: () => coded("snapshot-ram-not-seen", meeting(ROLLBACK, state({ snapshots: { names: ["before"] } }))),
});

cannot("N1", "plan for everything on an incomplete observation", {
  neighbour: () => refusalsIn({ ...both, observation: observationOf(seenBoth) }),
  offence: () =>
    coded("observation-incomplete", refusalsIn({ ...both, observation: observationOf(seenBoth, { complete: false }) })),
});

cannot("N1", "believe an observation that claims to be complete and names a gap", {
  neighbour: () => refusalsIn({ ...both, observation: observationOf(seenBoth, { gaps: [] }) }),
  offence: () =>
    coded(
      "observation-incomplete",
      refusalsIn({ ...both, observation: observationOf(seenBoth, { gaps: [{ code: "stated", said: "node pve2" }] }) }),
    ),
});

const halfSeen: World = {
  ...both,
  observation: observationOf([state({ status: "stopped" }), state({ status: "unknown", vmid: OTHER })]),
};

cannot("N1", "act on one VM while another in scope is unknown", {
  neighbour: () => refusalsIn({ ...halfSeen, scope: [vmidOf(101)] }),
  offence: () => coded("truth-incomplete", refusalsIn(halfSeen)),
});

cannot("N1", "choose between two entries for one VM", {
  neighbour: () => refusalsIn({ observation: observationOf([state()]), entries: [wantRunning()] }),
  offence: () =>
    coded("vm-unknown", refusalsIn({ observation: observationOf([state(), state()]), entries: [wantRunning()] })),
});
