// Whether dedalus.yaml and the policies it names still say what this process works under: they are read again right
// before a claim, because a question may have stood for long, and whoever tightens a file means the step that is about
// to be taken.
//
// Whatever differs is refused, also where the step itself may not be touched by it: what a process recorded as its
// configuration is what its claims stand on. Not here: what a plan stands on (kernel/decide/stands-on.ts). Keeps P7-A2,
// P7-A3.

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import { configHash, sectionsOf } from "../../kernel/command/recorded-config.ts";
import { groundRefusals, groundsOf, policyOf } from "../../kernel/decide/stands-on.ts";
import type { PlanState } from "../../kernel/state/state.ts";
import type { Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "../answer.ts";
import type { ServiceSession } from "./session.ts";

export const checkEditedSince = (
  { desk, kernel }: Pick<ServiceSession, "desk" | "kernel">,
  plan: PlanState,
  vmid: Vmid,
): RefusedAnswer | undefined => {
  const read = desk.ports.configured();
  if (read.kind === "bad") return refusedInput(read.problems);
  const { config, policies } = read.value;
  const now = configToRecord(config, policies);
  if (configHash(now) === kernel.configHash) return undefined;
  const { environment } = plan;
  const section = Object.hasOwn(now.environments, environment) ? now.environments[environment] : undefined;
  const grounds = groundsOf(
    section === undefined ? undefined : sectionsOf(now)[environment],
    policyOf(section),
    plan.rules,
  );
  const own = groundRefusals(plan, grounds, vmid);
  return refusedByKernel(own.length > 0 ? own : [refuse("configuration-differs", { cause: "edited", vmid })]);
};
