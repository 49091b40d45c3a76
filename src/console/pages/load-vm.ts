// What the page of a VM stands on: its row of the fleet, how it stands, its records, and what the reader may do. One
// that is not registered may still have records; one without any has neither.

import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read } from "../ask/get.ts";
import type { EnvironmentRead, VmRead } from "../narrow-fleet.ts";

export type VmLoaded = {
  readonly allowances: AnswerBodies["allowances"]["allowances"];
  readonly environment: EnvironmentRead | undefined;
  readonly events: AnswerBodies["history"]["events"];
  readonly status: AnswerBodies["status"];
  readonly vm: VmRead | undefined;
};

export const loadVm = async (environment: string, vm: string, signal: AbortSignal): Promise<ReadAnswer<VmLoaded>> => {
  const [fleet, status, history, allowed] = await Promise.all([
    read("fleet", { environment }, signal),
    read("status", { environment, vmid: vm }, signal),
    read("history", { environment, vm }, signal),
    read("allowances", { environment }, signal),
  ]);
  if (fleet.kind !== "read") return fleet;
  if (status.kind !== "read") return status;
  if (allowed.kind !== "read") return allowed;
  const [of] = fleet.value.fleet;
  const row = of?.registeredVms.find(({ vmid }) => String(vmid) === vm);
  // Of a registered VM that nothing happened to yet there is no record to refuse it by.
  if (history.kind !== "read" && (history.kind !== "refused" || row === undefined)) return history;
  const value: VmLoaded = {
    allowances: allowed.value.allowances,
    environment: of,
    events: history.kind === "read" ? history.value.events : [],
    status: status.value,
    vm: row,
  };
  return { ...fleet, value };
};
