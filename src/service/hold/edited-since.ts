// Whether dedalus.yaml and the policies it names still say what this process works under: they are read again right
// before a claim and right before its call, because a question may have stood for long and a provider may be slow, and
// whoever tightens a file means the step that is about to be taken.
//
// Whatever differs is refused, also where the step itself may not be touched by it: what a process recorded as its
// configuration is what its claims stand on. Not here: what a plan stands on (kernel/decide/stands-on.ts). Keeps P7-A2,
// P7-A3.

import { configToRecord } from "../../formats/dedalus/config-to-record.ts";
import type { ApplyGround } from "../../kernel/apply/perform-apply.ts";
import { configHash, sectionsOf } from "../../kernel/command/recorded-config.ts";
import { groundRefusals, groundsOf, policyOf } from "../../kernel/decide/stands-on.ts";
import type { PlanState } from "../../kernel/state/state.ts";
import type { Refusal, Vmid } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { type RefusedAnswer, refusedByKernel, refusedInput } from "../answer.ts";
import type { Configuration } from "../ports.ts";
import type { ServiceSession } from "./session.ts";

type Under = Pick<ServiceSession, "desk" | "kernel">;

/** Before the claim: what cannot be read is told with every problem and its place. */
export const checkEditedSince = (under: Under, plan: PlanState, vmid: Vmid): RefusedAnswer | undefined => {
  const read = under.desk.ports.configured();
  if (read.kind === "bad") return refusedInput(read.problems);
  const refusals = refusalsOf(read.value, under, plan, vmid);
  return refusals.length === 0 ? undefined : refusedByKernel(refusals);
};

/** Before the call: an outcome records the rule and no text of a file. */
export const editedSinceClaim =
  (under: Under, plan: PlanState, vmid: Vmid): ApplyGround["edited"] =>
  () => {
    const read = under.desk.ports.configured();
    return read.kind === "bad"
      ? refuse("configuration-differs", { cause: "unreadable", vmid })
      : refusalsOf(read.value, under, plan, vmid)[0];
  };

const refusalsOf = (
  { config, policies }: Configuration,
  { kernel }: Pick<Under, "kernel">,
  plan: PlanState,
  vmid: Vmid,
): readonly Refusal[] => {
  const now = configToRecord(config, policies);
  if (configHash(now) === kernel.configHash) return [];
  const { environment } = plan;
  const section = Object.hasOwn(now.environments, environment) ? now.environments[environment] : undefined;
  const grounds = groundsOf(
    section === undefined ? undefined : sectionsOf(now)[environment],
    policyOf(section),
    plan.rules,
  );
  const own = groundRefusals(plan, grounds, vmid);
  return own.length > 0 ? own : [refuse("configuration-differs", { cause: "edited", vmid })];
};
