// A plan as a door told it: what the clauses compare of it. Whatever is missing is the text "", the number 0 or an
// empty list, which equals nothing that is due.

import type { Plan } from "../../spine/model.ts";
import { planHash } from "../../spine/plan/plan.ts";
import { sha256 } from "../../spine/values/hash.ts";
import { type DoorReply, listIn, objectIn, type SaidJson } from "./asked-door.ts";

export type StepSaid = {
  readonly approvedBy: readonly unknown[];
  readonly endsAt: string;
  readonly hash: string;
  readonly kind: string;
  readonly needed: number;
  readonly number: number;
  readonly objections: readonly string[];
  readonly status: string;
  readonly tier: string;
  readonly vmid: number;
};
export type PlanSaid = {
  /** What it says of each VM, as it was told. */
  readonly answers: readonly SaidJson[];
  readonly environment: string;
  readonly hash: string;
  readonly id: string;
  /** What the hash would be of what was told. */
  readonly ownHash: string;
  readonly stepCount: number;
  readonly steps: readonly StepSaid[];
  /** It was there before, and is not ours to cancel. */
  readonly wasThere: boolean;
};

export const saidText = (value: unknown): string => (typeof value === "string" ? value : "");
const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0);

/** What a stranger tells may have any form; what cannot be hashed has no hash. */
const hashOrNone = (plan: SaidJson): string => {
  const { hash: _, ...body } = plan;
  try {
    return planHash(body as Omit<Plan, "hash">);
  } catch {
    return "";
  }
};

const stepSaid = (answer: SaidJson, step: SaidJson, index: number): StepSaid => ({
  approvedBy: Array.isArray(step["approvedBy"]) ? step["approvedBy"] : [],
  endsAt: saidText(step["endsAt"]),
  hash: saidText(answer["hash"]),
  kind: saidText(objectIn(answer["action"])["kind"]),
  needed: numberIn(step["needed"]),
  number: index + 1,
  objections: listIn(step["objections"]).map(({ code }) => saidText(code)),
  status: saidText(step["status"]),
  tier: saidText(step["tier"]),
  vmid: numberIn(answer["vmid"]),
});

export const planSaid = (reply: DoorReply): PlanSaid => {
  const body = reply.kind === "answered" ? reply.body : {};
  const plan = objectIn(body["plan"]);
  const planned = listIn(plan["answers"]).filter(({ kind }) => kind === "step");
  const steps = listIn(body["steps"]);
  return {
    answers: listIn(plan["answers"]),
    environment: saidText(plan["environment"]),
    hash: saidText(plan["hash"]),
    id: saidText(body["id"]),
    ownHash: hashOrNone(plan),
    stepCount: steps.length,
    steps: planned.map((answer, index) => stepSaid(answer, steps[index] ?? {}, index)),
    wasThere: "unchanged" in body,
  };
};

/** Of an explanation as it was told: its members in order, without its own hash. */
export const explanationHash = (said: SaidJson): string => {
  const { answer, complete, denied, effect, environment, facts, plan, rules, step, vmid } = said;
  return sha256(JSON.stringify({ answer, complete, denied, effect, environment, facts, plan, rules, step, vmid }));
};
