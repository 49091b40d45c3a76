// What the page of the fleet stands on: every environment with its VMs, and what the reader may ask for.

import type { AnswerBodies } from "../../boundary/contract/typed-answers.ts";
import { type ReadAnswer, read } from "../ask/get.ts";
import { type MovedOn, readTogether } from "../ask/read-together.ts";

export type FleetLoaded = AnswerBodies["allowances"] & AnswerBodies["fleet"];

export const loadFleet = async (signal: AbortSignal): Promise<MovedOn | ReadAnswer<FleetLoaded>> => {
  const heard = await readTogether(() => Promise.all([read("fleet", {}, signal), read("allowances", {}, signal)]));
  if ("kind" in heard) return heard;
  const [fleet, allowed] = heard;
  if (fleet.kind !== "read") return fleet;
  if (allowed.kind !== "read") return allowed;
  return { ...fleet, value: { ...fleet.value, ...allowed.value } };
};
