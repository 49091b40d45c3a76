// What the page of a VM stands on: what is known of it, at one head, and its records up to that head.
//
// The ledger only grows: what was recorded after the head is left out, so that all of the page is of one moment. What
// the reader may do is asked for where there is something to do.

import type { ProblemJson } from "../../boundary/contract/problem-json.ts";
import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, type ReadHead, read, type Unheard } from "../ask/get.ts";
import { type AllowancesTold, readAllowancesAt } from "../ask/read-allowances.ts";

type VmEvents = AnswerBodies["history"]["events"];
export type VmLoaded = {
  /** None where nothing blocks the VM. */
  readonly allowances: AllowancesTold;
  readonly events: VmEvents;
  readonly shown: AnswerBodies["vm"];
};

export const loadVm = async (environment: string, vm: string, signal: AbortSignal): Promise<ReadAnswer<VmLoaded>> => {
  const heard = await read("vm", { environment, vm }, signal);
  if (heard.kind !== "read") return heard;
  const { head, value: shown } = heard;
  if (head === undefined) return { kind: "lost" };
  const events = await eventsUpTo(head, environment, vm, signal);
  if ("kind" in events) return events;
  const allowed = shown.blockedIntent === undefined ? { allowances: [] } : await readAllowancesAt(head, signal);
  if ("kind" in allowed) return allowed;
  return { ...heard, value: { ...allowed, events, shown } };
};

const eventsUpTo = async (
  { size }: ReadHead,
  environment: string,
  vm: string,
  signal: AbortSignal,
): Promise<VmEvents | Unheard> => {
  const heard = await read("history", { environment, vm }, signal);
  if (heard.kind === "refused" && isUnrecorded(heard.problem)) return [];
  if (heard.kind !== "read") return heard;
  // Answered by one that has not heard of all of it yet: not the records of this moment.
  if (heard.head === undefined || heard.head.size < size) return { kind: "lost" };
  return heard.value.events.filter(({ seq }) => seq < size);
};

/** Of a VM that is known and that nothing happened to yet there is no record; whatever else is refused is told. */
const isUnrecorded = ({ refusals }: ProblemJson): boolean =>
  refusals.length > 0 && refusals.every(({ cause }) => cause === "vm-unrecorded");
