// N2: each sign of production against each action that interrupts, changes or destroys; the neighbour is the same VM
// without the sign, and the actions that a protected VM may have.

import type { ActionKind, DesiredEntry, VmState } from "../../src/spine/model.ts";
import { rowOf } from "../../src/spine/rules/actions.ts";
import { cannot } from "../cannot.ts";
import { ACTION_KINDS } from "../spine/arbitraries.ts";
import { actionOf } from "../spine/one-of-each.ts";
import { coded, GiB, meeting, request, state, wantRunning, wantStopped } from "../spine/world.ts";

type Protection = {
  readonly entry: { readonly name?: string; readonly protected?: true };
  readonly seen: Partial<VmState>;
};

const PROTECTIONS: Readonly<Record<string, Protection>> = {
  "named prod-": { seen: { name: "prod-db" }, entry: { name: "prod-db" } },
  "named PROD-": { seen: { name: "PROD-db" }, entry: { name: "PROD-db" } },
  "tagged prod": { seen: { tags: ["web", "prod"] }, entry: {} },
  "tagged Prod": { seen: { tags: ["Prod"] }, entry: {} },
  "whose entry says protected": { seen: {}, entry: { protected: true } },
};

/** In the state that the action needs, so that nothing but protection speaks against it. */
const fitFor = (kind: ActionKind): VmState => {
  const { paused, status } = rowOf(kind).before;
  return state({
    cpus: 2,
    maxmem: GiB,
    snapshots: { names: kind === "vm.snapshot.create" ? [] : ["before"], withRam: [] },
    status: status === "any" ? "running" : status,
    ...(paused === true ? { paused } : {}),
  });
};

const touching = (entry: DesiredEntry, seen: VmState) => coded("production-touched", meeting(entry, seen));

for (const [sign, { seen, entry }] of Object.entries(PROTECTIONS)) {
  for (const kind of ACTION_KINDS.filter((one) => !rowOf(one).onProtected)) {
    cannot("N2", `${kind} a VM ${sign}`, {
      neighbour: () => meeting(request(actionOf(kind)), fitFor(kind)),
      offence: () => touching(request(actionOf(kind), entry), { ...fitFor(kind), ...seen }),
    });
  }
  for (const kind of ACTION_KINDS.filter((one) => rowOf(one).onProtected)) {
    cannot("N2", `go past ${kind} on a VM ${sign}`, {
      neighbour: () => meeting(request(actionOf(kind), entry), { ...fitFor(kind), ...seen }),
      offence: () => touching(request({ kind: "vm.reset" }, entry), { ...fitFor("vm.reset"), ...seen }),
    });
  }
}

cannot("N2", "cut the power of a VM named prod-", {
  neighbour: () => meeting(wantStopped("power-off", { name: "reprod-1" }), state({ name: "reprod-1" })),
  offence: () => touching(wantStopped("power-off", { name: "prod-1" }), state({ name: "prod-1" })),
});

cannot("N2", "shut down a VM with the tag prod", {
  neighbour: () => meeting(wantStopped("shutdown"), state({ tags: ["preprod"] })),
  offence: () => touching(wantStopped("shutdown"), state({ tags: ["prod"] })),
});

cannot("N2", "write the sizes of prod, not even while it is stopped", {
  neighbour: () => meeting(wantRunning({ cpus: 4 }), state({ cpus: 2, status: "stopped" })),
  offence: () => touching(wantStopped("shutdown", { cpus: 4, protected: true }), state({ cpus: 2, status: "stopped" })),
});
