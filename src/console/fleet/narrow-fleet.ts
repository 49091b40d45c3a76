// The VMs of a fleet as rows with one state each, narrowed and ordered as the address says. Pure: the same fleet and
// the same address give the same rows.
//
// Not here: how a row looks (fleet-rows.tsx).

import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";

/** Words of parts/state-sign.tsx. */
type FleetState = "blocked" | "in sync" | "missing" | "refused" | "step" | "unknown";

export type EnvironmentRead = AnswerBodies["fleet"]["fleet"][number];
export type VmRead = EnvironmentRead["registeredVms"][number];
export type FleetRow = { readonly environment: string; readonly state: FleetState; readonly vm: VmRead };

/** What can be asked for by `show`, and the state that it means. */
export const FLEET_SHOWS: Readonly<Record<string, FleetState>> = {
  "in-sync": "in sync",
  step: "step",
  refused: "refused",
  blocked: "blocked",
  unknown: "unknown",
  missing: "missing",
};

/** What is blocked, missing or unknown is told as that, whatever a plan would answer. */
export const stateOfVm = ({ blockedBy, judged, vmStatus }: VmRead): FleetState => {
  if (blockedBy !== undefined) return "blocked";
  if (vmStatus === "missing" || vmStatus === "unknown") return vmStatus;
  if (judged === "in-sync") return "in sync";
  return judged === "step" ? "step" : "refused";
};

export const fleetRows = (fleet: AnswerBodies["fleet"]["fleet"]): readonly FleetRow[] =>
  fleet.flatMap(({ environment, registeredVms }) =>
    registeredVms.map((vm) => ({ environment, state: stateOfVm(vm), vm })),
  );

export const nodeOf = ({ vm }: FleetRow): string | undefined => vm.lastObserved?.onNode;

export type FleetView = {
  readonly by?: string;
  readonly environment?: string;
  readonly find?: string;
  readonly show?: string;
};

export const narrowFleet = (rows: readonly FleetRow[], view: FleetView): readonly FleetRow[] => {
  const state = view.show === undefined ? undefined : FLEET_SHOWS[view.show];
  const text = view.find?.trim().toLowerCase() ?? "";
  const narrowed = rows.filter(
    (row) =>
      (view.environment === undefined || row.environment === view.environment) &&
      (state === undefined || row.state === state) &&
      (text === "" || isFound(row, text)),
  );
  return view.by === "node" ? byNode(narrowed) : narrowed;
};

const isFound = ({ vm }: FleetRow, text: string): boolean =>
  String(vm.vmid) === text ||
  vm.name.toLowerCase().includes(text) ||
  (vm.lastObserved?.onNode?.toLowerCase().includes(text) ?? false) ||
  (vm.refusals?.some(({ code, rule }) => code.includes(text) || rule.toLowerCase() === text) ?? false);

/** Nodes by name, those that are not known last; on each by vmid, as they came. */
const byNode = (rows: readonly FleetRow[]): readonly FleetRow[] => {
  const nodes = Map.groupBy(rows, nodeOf);
  const names = [...nodes.keys()].sort((one, other) => {
    if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? 1 : -1;
    return one < other ? -1 : one > other ? 1 : 0;
  });
  return names.flatMap((name) => nodes.get(name) ?? []);
};
