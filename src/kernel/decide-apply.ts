// apply: the decision that a step will be tried, once. Everything is judged here together and on one state: the plan, the
// step, who agreed, the confirmation, the VM. What is granted is an intent with its deadlines.
//
// Every objection is listed, not the first. Keeps P7-A2, P7-E1, P7-E2, B1, B2, B6, N2.

import { rowOf } from "../spine/actions.ts";
import { later } from "../spine/instant.ts";
import type { ActionKind, Instant, PlanStep, Refusal } from "../spine/model.ts";
import { isProductionName } from "../spine/protection.ts";
import { refuse } from "../spine/refusals.ts";
import { tierUnder } from "../spine/safety.ts";
import { approversOf, type Needs, needsOf } from "./agreement.ts";
import { explanationRefusal } from "./decide-agreement.ts";
import { chosen, environmentOf, policyOf, unknownEnvironment } from "./grounds.ts";
import { get } from "./persistent-map.ts";
import { recall } from "./recent.ts";
import type { Command } from "./request.ts";
import { type Decider, refused, unless } from "./result.ts";
import { type PlanState, type State, vmKey } from "./state.ts";

type Apply = Command<"apply">;

/** How long after the decision the call may leave, and how long the place's verdict is waited for. */
export const SEND_MS = 30_000;
const MINUTE_MS = 60_000;
export const SETTLE_MS = (kind: ActionKind): number => (LONG.has(kind) ? 60 * MINUTE_MS : 10 * MINUTE_MS);
const LONG: ReadonlySet<ActionKind> = new Set([
  "vm.clone",
  "vm.delete",
  "vm.migrate",
  "vm.snapshot.create",
  "vm.snapshot.delete",
  "vm.snapshot.rollback",
]);

export const decideApply: Decider<"apply"> = (state, command, at) => {
  const { step } = command.request.of;
  const found = chosen(state, command, command.request, at);
  if ("kind" in found) return refused(found);
  const environment = environmentOf(state, command);
  if (environment === undefined) return refused(unknownEnvironment(command));
  const needs = needsOf(tierUnder(step, policyOf(environment)), environment.approval, command.actor);
  if (needs === undefined) {
    return refused(refuse("agent-irreversible", { because: `${step.action.kind} cannot be undone`, vmid: step.vmid }));
  }
  const approvedBy = approversOf(found.plan, step, at, command.actor, needs);
  return unless(
    [
      ...found.refusals,
      isProtected(step) ? production(step) : undefined,
      command.door === "local" && environment.approval === "four-eyes" ? serviceNeeded() : undefined,
      vmRefusal(state, found.plan, step),
      approvalRefusal(found.plan, command, approvedBy, needs, at),
      ...confirmationRefusals(state, found.plan, command, needs, at),
    ],
    () => ({
      result: {
        approvedBy,
        kind: "intended",
        sendBy: later(at, SEND_MS),
        settleBy: later(at, SETTLE_MS(step.action.kind)),
      },
    }),
  );
};

/** Safety refused such a plan already; a step that came past it is refused again. */
const isProtected = ({ action, name, protected: isMarked }: PlanStep): boolean =>
  (isMarked || isProductionName(name)) && !rowOf(action.kind).onProtected;

const production = ({ action, name, vmid }: PlanStep): Refusal =>
  refuse("production-touched", { because: `the step is ${action.kind} of ${name}`, vmid });

const serviceNeeded = (): Refusal =>
  refuse("service-needed", { because: "the environment requires four eyes, and this is the local door" });

const vmRefusal = (state: State, { environment }: PlanState, { vmid }: PlanStep): Refusal | undefined => {
  const key = vmKey(environment, vmid);
  const blocking = get(state.blocked, key);
  if (blocking !== undefined) {
    return refuse("vm-blocked", {
      because: `the outcome of ${blocking.action} is unknown: ${blocking.because ?? "it was not told"}`,
      facts: { intent: blocking.id },
      vmid,
    });
  }
  const open = get(state.open, key);
  return open === undefined
    ? undefined
    : refuse("vm-busy", { because: `${open.action} is being tried`, facts: { intent: open.id }, vmid });
};

const approvalRefusal = (
  plan: PlanState,
  { actor, request }: Apply,
  approvedBy: readonly string[],
  needs: Needs,
  at: Instant,
): Refusal | undefined => {
  if (approvedBy.length >= needs.approvals) return undefined;
  const { step } = request.of;
  const everybody = approversOf(plan, step, at, actor, { ...needs, ownCounts: true });
  const facts = { approvals: approvedBy.length, needed: needs.approvals };
  if (everybody.length >= needs.approvals) {
    const because = "an approval by the one who asked or applies is not counted";
    return refuse("approval-own", { because, facts, vmid: step.vmid });
  }
  return refuse("approval-missing", {
    because: `${needs.approvals} needed, ${approvedBy.length} given`,
    facts,
    vmid: step.vmid,
  });
};

const confirmationRefusals = (
  state: State,
  plan: PlanState,
  { actor, request }: Apply,
  needs: Needs,
  at: Instant,
): readonly (Refusal | undefined)[] => {
  if (!needs.confirmation) return [];
  const { confirmation, of } = request;
  const { step } = of;
  if (confirmation === undefined) {
    return [refuse("confirmation-missing", { because: "no confirmation is given", vmid: step.vmid })];
  }
  const challenge = recall(state.challenges, confirmation.challenge);
  const isBound =
    challenge !== undefined &&
    challenge.by === actor.id &&
    challenge.plan === of.plan &&
    challenge.step === step.hash &&
    challenge.explanation === confirmation.explanation;
  const because = !isBound
    ? "it is of another step, person or text, or was used"
    : `it ended at ${challenge.expiresAt}`;
  const holds = isBound && at < challenge.expiresAt;
  return [
    // The explanation of a challenge is the kernel's own, of this very step; it is not made a second time.
    isBound ? undefined : explanationRefusal(plan, step, confirmation.explanation),
    holds ? undefined : refuse("confirmation-spent", { because, vmid: step.vmid }),
    needs.typedName && confirmation.name !== step.name
      ? refuse("name-not-typed", { because: `the VM's name is ${step.name}`, vmid: step.vmid })
      : undefined,
  ];
};
