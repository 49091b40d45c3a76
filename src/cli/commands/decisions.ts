// dedalus approve, deny, revoke and cancel: the recorded decisions of people on a plan and its steps.

import type { RegisteredEntry, Request, StepRef } from "../../kernel/command/request.ts";
import { explanationOf, lastDenialOf } from "../../kernel/decide/agree.ts";
import type { State } from "../../kernel/state/state.ts";
import { isUlid } from "../../ledger/record/ulid.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { Arguments, Run } from "../command.ts";
import { badInput } from "../failure.ts";
import type { Io } from "../io.ts";
import type { Outcome } from "../outcome.ts";
import { chosenStep, type RecordedPlan, recordedPlan, registeredNow } from "../recorded.ts";
import { inSession, kernelRefused } from "../session.ts";

/** A step with the registered entry of its VM, which the kernel judges again. */
type Chosen = { readonly of: StepRef; readonly registered?: RegisteredEntry };
type Decision = (
  found: RecordedPlan,
  chosen: Chosen,
  reason: string,
  given: Arguments,
  state: State,
  by: string,
) => Request | Outcome;

/** A no is a brake: it is recorded also while its checkpoint cannot be kept. */
const deciding =
  (word: string, decide: Decision, isBrake = false): Run =>
  (given, io) =>
    decided(given, io, word, decide, isBrake);

const decided = (given: Arguments, io: Io, word: string, decide: Decision, isBrake: boolean): Promise<Outcome> =>
  inSession(
    given,
    io,
    async ({ ask, kernel, ledger, writer }) => {
      const found = await recordedPlan(ledger.engine, writer.state(), given.positionals[0] ?? "");
      if ("code" in found) return kernelRefused([found]);
      const of = chosenStep(found, given.text.get("step"));
      if ("code" in of) return badInput([of]);
      const { environment } = found.planState;
      const chosen = { of, ...(await registeredNow({ ledger, writer }, environment, of.step.vmid)) };
      const request = decide(found, chosen, given.text.get("reason") ?? "", given, writer.state(), kernel.actor.id);
      if ("exit" in request) return request;
      const asked = await ask(request, { environment });
      if (asked.kind === "refused") return asked.outcome;
      const { actor, auditId: id, seq } = asked.record;
      return {
        exit: "done",
        json: { by: actor.id, id, plan: found.planState.id, result: asked.result, seq, step: of.index + 1 },
        text: () => [
          `${word} by ${actor.id}: step ${of.index + 1} of plan ${found.planState.id} (VM ${of.step.vmid}, ${of.step.action.kind})`,
          ...(asked.result.kind === "approved" ? [`it ends at ${asked.result.expiresAt}`] : []),
          `record ${seq}: ${id}`,
        ],
      };
    },
    isBrake,
  );

/** What is approved is what the kernel explains of it; whoever approves was shown that, or says which text it was. */
export const approve = deciding("approved", ({ planState }, { of, ...registered }, reason, given, state) => {
  const explanation = explanationOf(state, planState, of.step).hash;
  const shown = given.text.get("explanation");
  const denied = lastDenialOf(state, planState, of.step);
  const facts = { plan: planState.id, step: of.index + 1 };
  if (shown === undefined && denied !== undefined) {
    const { at, by, id: denial, reason: why } = denied;
    return badInput([
      refuse("explanation-differs", {
        cause: "denied",
        facts: { ...facts, at, by, denial, reason: why },
        vmid: of.step.vmid,
      }),
    ]);
  }
  if (shown !== undefined && shown !== explanation) {
    return badInput([refuse("explanation-differs", { cause: "approved", facts })]);
  }
  return { explanation, kind: "approve", of, reason, ...registered };
});

export const deny = deciding("denied", (_, { of }, reason) => ({ kind: "deny", of, reason }), true);

export const requestApproval = deciding("approval requested", (_, chosen) => ({ kind: "request-approval", ...chosen }));

/** A plan is closed as a whole, also one without a step. */
export const cancel: Run = (given, io) =>
  inSession(
    given,
    io,
    async ({ ask, ledger, writer }) => {
      const found = await recordedPlan(ledger.engine, writer.state(), given.positionals[0] ?? "");
      if ("code" in found) return kernelRefused([found]);
      const { environment, id } = found.planState;
      const asked = await ask({ kind: "cancel", plan: id, reason: given.text.get("reason") ?? "" }, { environment });
      if (asked.kind === "refused") return asked.outcome;
      const { actor, seq } = asked.record;
      return {
        exit: "done",
        json: { by: actor.id, plan: id, seq },
        text: () => [`canceled by ${actor.id}: plan ${id}`, `record ${seq}`],
      };
    },
    true,
  );

export const revoke = deciding(
  "revoked",
  ({ planState }, { of }, reason, given, _, by) => {
    const own = planState.approvals.find((one) => one.step === of.step.hash && one.by === by);
    const approval = given.text.get("approval") ?? own?.id ?? "";
    if (!isUlid(approval)) return badInput([refuse("approval-unknown", { cause: "none", facts: { by } })]);
    return { approval, kind: "revoke", plan: planState.id, reason };
  },
  true,
);
