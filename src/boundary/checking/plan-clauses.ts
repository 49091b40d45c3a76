// The clauses about a plan that nobody approves: it is hashed, stays, answers its key, is explained, ends, awaits a
// person, lets no agent decide, and is canceled for good. Whatever happens on the way, the plan is canceled.
//
// Nothing is asked to be applied unless the terms allow it: a server that breaks the contract would do it.

import { isUlid, ulidBytes } from "../../ledger/record/ulid.ts";
import { instantOf } from "../../spine/values/instant.ts";
import type { ClauseVerdict } from "../contract/agent-clauses.ts";
import { objectIn } from "./asked-door.ts";
import { CANCEL_REASON, type CheckGround, planAsked } from "./check-ground.ts";
import { explanationHash, type PlanSaid, planSaid, type StepSaid, saidText } from "./plan-said.ts";
import { broken, HELD, holds, same, untried, wasAnswered, wasRefused } from "./verdicts.ts";

const AWAITING = "awaiting-approval";
/** How a step cannot stand that nobody has agreed to. */
const AGREED: ReadonlySet<string> = new Set(["approved", "awaiting-confirmation", "applying", "applied"]);
const MINUTE_MS = 60_000;
const MINUTES: Readonly<Record<string, number>> = { high: 15, irreversible: 15 };
const MINUTES_ELSE = 60;

/** The time of a plan is in its id. */
const plannedAt = ({ id }: PlanSaid): number => (isUlid(id) ? ulidBytes(id).readUIntBE(0, 6) : 0);

export const stepAt = (plan: PlanSaid, { number }: StepSaid) => ({ plan: plan.id, step: { number } });

/** The plan that was made; undefined where none was, and why is in the book. */
export const makeCheckedPlan = async ({ book, door, newKey, terms }: CheckGround, key = newKey()) => {
  const made = await door.ask("makePlan", planAsked(terms), key);
  const plan = planSaid(made);
  book.put(
    "C5",
    wasAnswered("plan", made),
    holds("id", plan.id, isUlid(plan.id)),
    same("environment", terms.environment, plan.environment),
    same("hash", plan.ownHash, plan.hash),
    same("steps", plan.steps.length, plan.stepCount),
  );
  return made.kind === "answered" && isUlid(plan.id) ? { key, plan } : undefined;
};

export const checkPlan = async (ground: CheckGround): Promise<void> => {
  const made = await makeCheckedPlan(ground);
  if (made === undefined) return;
  const { key, plan } = made;
  try {
    await checkKeys(ground, plan, key);
    await checkShown(ground, plan);
    const [step] = plan.steps;
    if (step !== undefined) await checkStep(ground, plan, step);
  } finally {
    await checkCanceled(ground, plan);
  }
};

const checkKeys = async ({ book, door, terms }: CheckGround, plan: PlanSaid, key: string): Promise<void> => {
  const again = await door.ask("makePlan", planAsked(terms), key);
  book.put(
    "C7",
    wasAnswered("plan", again),
    same("id", plan.id, planSaid(again).id),
    same("hash", plan.hash, planSaid(again).hash),
    same("replayed", true, again.kind === "answered" && again.replayed),
  );
  book.put(
    "C8",
    wasRefused("observe", await door.ask("observe", { environment: terms.environment }, key), "key-reused"),
  );
};

const checkShown = async ({ book, door, newKey }: CheckGround, plan: PlanSaid): Promise<void> => {
  const shown = await door.ask("showPlan", { plan: plan.id });
  const said = planSaid(shown);
  book.put(
    "C6",
    wasAnswered("plan_status", shown),
    same("id", plan.id, said.id),
    same("hash", plan.hash, said.hash),
    same("answers", plan.answers, said.answers),
  );
  const nobodys = newKey();
  book.put("C9", wasRefused("plan_status", await door.ask("showPlan", { plan: nobodys }), "plan-unknown"));
};

const checkStep = async (ground: CheckGround, plan: PlanSaid, step: StepSaid): Promise<void> => {
  const { book, door, terms } = ground;
  const explanation = await checkExplained(ground, plan, step);
  const most = (MINUTES[step.tier] ?? MINUTES_ELSE) * MINUTE_MS;
  // Instants are written so that their order is that of their texts.
  const isWithin = step.endsAt !== "" && step.endsAt <= instantOf(plannedAt(plan) + most);
  book.put("C11", holds("endsAt", step.endsAt, isWithin));
  book.put("C12", plan.wasThere ? untried("plan-not-ours") : awaits(step));
  await checkDecisions(ground, plan, step, explanation);
  if (!terms.isApplying) return;
  if (step.status !== AWAITING) return book.put("C14", untried("step-not-awaiting", { status: step.status }));
  const applied = await door.ask("apply", stepAt(plan, step));
  const after = planSaid(await door.ask("showPlan", { plan: plan.id })).steps[0]?.status;
  book.put("C14", wasRefused("apply", applied, "approval-missing"), same("status", AWAITING, after));
};

const awaits = (step: StepSaid): ClauseVerdict => {
  const { approvedBy, needed, objections, status } = step;
  if (AGREED.has(status)) return broken("differs", { due: AWAITING, field: "status", found: status });
  if (status !== AWAITING) return untried("step-not-awaiting", { status });
  if (approvedBy.length > 0) return same("approvedBy", [], approvedBy);
  if (needed < 1) return holds("needed", needed, false);
  return holds("objections", objections, objections.includes("approval-missing"));
};

const checkExplained = async ({ book, door }: CheckGround, plan: PlanSaid, step: StepSaid): Promise<string> => {
  const read = async () => {
    const reply = await door.ask("explain", stepAt(plan, step));
    return { reply, said: objectIn(reply.kind === "answered" ? reply.body["explanation"] : undefined) };
  };
  const [first, second] = [await read(), await read()];
  const hash = saidText(first.said["hash"]);
  book.put(
    "C10",
    wasAnswered("explain", first.reply),
    same("plan", plan.hash, first.said["plan"]),
    same("step", step.hash, objectIn(first.said["step"])["hash"]),
    same("vmid", step.vmid, first.said["vmid"]),
    same("explanation", explanationHash(first.said), hash),
    same("explanation", hash, second.said["hash"]),
  );
  return hash;
};

const checkDecisions = async (
  { book, door }: CheckGround,
  plan: PlanSaid,
  step: StepSaid,
  explanation: string,
): Promise<void> => {
  if (!door.knows.has("approve")) return book.put("C13", untried("not-at-this-door"));
  const at = stepAt(plan, step);
  const reason = CANCEL_REASON;
  const approved = await door.ask("approve", { ...at, explanation, reason, words: explanation });
  const denied = await door.ask("deny", { ...at, reason });
  const challenged = await door.ask("challenge", at);
  book.put(
    "C13",
    wasRefused("approve", approved, "agent-decides"),
    wasRefused("deny", denied, "agent-decides"),
    wasRefused("challenge", challenged, "agent-decides"),
  );
};

const checkCanceled = async (ground: CheckGround, plan: PlanSaid): Promise<void> => {
  const { book, door, newKey, terms } = ground;
  if (plan.wasThere) return book.put("C15", untried("plan-not-ours"));
  const [key, request] = [newKey(), { plan: plan.id, reason: CANCEL_REASON }];
  const canceled = await door.ask("cancel", request, key);
  const [step] = plan.steps;
  // Without a step there is nothing that could be left open.
  if (step === undefined) return;
  const repeated = await door.ask("cancel", request, key);
  const seqIn = (reply: typeof canceled): unknown => (reply.kind === "answered" ? reply.body["seq"] : undefined);
  const after = planSaid(await door.ask("showPlan", { plan: plan.id })).steps;
  book.put(
    "C15",
    wasAnswered("cancel", canceled),
    wasAnswered("cancel", repeated),
    same("seq", seqIn(canceled), seqIn(repeated)),
    ...after.map(({ status }) =>
      AGREED.has(status) || status === AWAITING ? same("status", "canceled", status) : HELD,
    ),
  );
  if (terms.isApplying)
    book.put("C16", wasRefused("apply", await door.ask("apply", stepAt(plan, step)), "plan-closed"));
};
