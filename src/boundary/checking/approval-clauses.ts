// The clauses that need a person: approval is asked for, a person gives it elsewhere, and the step is applied once
// where the terms allow it. A plan that is not applied is canceled, so that no request for approval stays open.

import { objectIn } from "./asked-door.ts";
import { CANCEL_REASON, type CheckGround } from "./check-ground.ts";
import { makeCheckedPlan, stepAt } from "./plan-clauses.ts";
import { type PlanSaid, planSaid, type StepSaid, saidText } from "./plan-said.ts";
import { broken, holds, same, untried, wasAnswered, wasRefused } from "./verdicts.ts";

const POLL_MS = 500;
/** An intent has an end of its own; past this nobody waits for it. */
const OUTCOME_MS = 70 * 60_000;

const ENDED: Readonly<Record<string, string>> = { failed: "failed", succeeded: "applied", unknown: "unknown" };
const LEADS_TO: Readonly<Record<string, string>> = { "vm.shutdown": "stopped", "vm.start": "running" };

export const checkApproval = async (ground: CheckGround, waitSeconds: number): Promise<void> => {
  const { book, door, newKey, terms } = ground;
  const plan = (await makeCheckedPlan(ground))?.plan;
  const [step] = plan?.steps ?? [];
  if (plan === undefined || step === undefined) return;
  if (step.status !== "awaiting-approval")
    return book.put("C17", untried("step-not-awaiting", { status: step.status }));
  try {
    const [key, request] = [newKey(), stepAt(plan, step)];
    const asked = await door.ask("requestApproval", request, key);
    const repeated = await door.ask("requestApproval", request, key);
    const body = asked.kind === "answered" ? asked.body : {};
    book.put(
      "C17",
      wasAnswered("request-approval", asked),
      wasAnswered("request-approval", repeated),
      same("planId", plan.id, body["planId"]),
      same("step", step.number, body["step"]),
      same("seq", body["seq"], repeated.kind === "answered" ? repeated.body["seq"] : undefined),
    );
    if (asked.kind !== "answered") return;
    const page = saidText(body["approvalPage"]);
    ground.waiting({ ...(page === "" ? {} : { page }), plan: plan.id, seconds: waitSeconds, step: step.number });
    const approved = await waitForPeople(ground, plan, step, waitSeconds);
    if (approved === undefined) return;
    book.put(
      "C18",
      same("status", "approved", approved.status),
      holds("approvedBy", approved.approvedBy, approved.approvedBy.length >= Math.max(1, approved.needed)),
      holds("approvedBy", approved.approvedBy, !approved.approvedBy.includes(body["by"])),
    );
    if (terms.isApplying && approved.status === "approved") await checkApplied(ground, plan, step);
  } finally {
    if (!plan.wasThere) await door.ask("cancel", { plan: plan.id, reason: CANCEL_REASON });
  }
};

/** How the step stands once it awaits nobody; undefined where nobody came. */
const waitForPeople = async (
  { door, nowMs, pause, signal }: CheckGround,
  plan: PlanSaid,
  { number }: StepSaid,
  seconds: number,
): Promise<StepSaid | undefined> => {
  const until = nowMs() + seconds * 1_000;
  while (nowMs() < until && !signal.aborted) {
    const step = planSaid(await door.ask("showPlan", { plan: plan.id })).steps[number - 1];
    if (step === undefined || step.status === "denied") return undefined;
    if (step.status !== "awaiting-approval") return step;
    await pause(POLL_MS);
  }
  return undefined;
};

const checkApplied = async (ground: CheckGround, plan: PlanSaid, step: StepSaid): Promise<void> => {
  const { book, door, newKey } = ground;
  const [key, request] = [newKey(), stepAt(plan, step)];
  const intentIn = (reply: typeof applied): unknown => (reply.kind === "answered" ? reply.body["intent"] : undefined);
  const applied = await door.ask("apply", request, key);
  const repeated = await door.ask("apply", request, key);
  const intent = saidText(intentIn(applied));
  book.put(
    "C19",
    wasAnswered("apply", applied),
    wasAnswered("apply", repeated),
    same("intent", intent, intentIn(repeated)),
  );
  if (intent === "") return;
  await checkOutcome(ground, plan, step, intent);
  const other = await door.ask("apply", request, newKey());
  if (door.takesKey("apply")) book.put("C20", wasRefused("apply", other, "step-consumed"));
  else book.put("C20", wasAnswered("apply", other), same("intent", intent, intentIn(other)));
};

const checkOutcome = async (ground: CheckGround, plan: PlanSaid, step: StepSaid, intent: string): Promise<void> => {
  const { book, door, nowMs, pause, terms } = ground;
  const until = nowMs() + OUTCOME_MS;
  let shown = await door.ask("intent", { intent });
  const end = (): string => saidText(objectIn(shown.kind === "answered" ? shown.body["end"] : undefined)["outcome"]);
  const body = shown.kind === "answered" ? shown.body : {};
  book.put(
    "C21",
    wasAnswered("intent", shown),
    same("id", intent, body["id"]),
    same("planId", plan.id, body["planId"]),
    same("step", step.number, body["step"]),
    same("vmid", step.vmid, body["vmid"]),
    same("environment", plan.environment, body["environment"]),
  );
  while (end() === "" && nowMs() < until && shown.kind === "answered") {
    await pause(POLL_MS);
    shown = await door.ask("intent", { intent });
  }
  const status = planSaid(await door.ask("showPlan", { plan: plan.id })).steps[step.number - 1]?.status;
  const due = ENDED[end()];
  book.put("C22", due === undefined ? broken("missing", { field: "end" }) : same("status", due, status));
  const leadsTo = LEADS_TO[step.kind];
  if (end() !== "succeeded" || leadsTo === undefined) return;
  await door.ask("observe", { environment: terms.environment });
  const seen = await door.ask("vms", { environment: terms.environment, vms: [String(step.vmid)] });
  const [vm] = seen.kind === "answered" && Array.isArray(seen.body["vms"]) ? seen.body["vms"] : [];
  book.put("C22", same("vmStatus", leadsTo, objectIn(objectIn(vm)["observed"])["vmStatus"]));
};
