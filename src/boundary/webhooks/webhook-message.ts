// What a record is told as: an approval that somebody asks for, or how an apply ended. Codes and facts; its text is
// rendered beside them. Most records are told to nobody.
//
// Its id is that of its record, so that whoever gets a message twice can drop the second. An outcome names its intent
// alone, so the intents that are open are carried along from the record that claimed each. Pure. Not here: the
// reason of whoever asks, whose words would stand in a chat without what Dedalus says of the step; who is told
// (deliver-to.ts).

import type { WebhookEvent } from "../../formats/dedalus/dedalus-webhooks.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import { approvalPath } from "../../service/approval-page.ts";
import type { Instant, OutcomeEnd } from "../../spine/model.ts";
import { endedBy } from "../../spine/rules/outcome-causes.ts";
import { webhookText } from "../../spine/words/remarks/webhook-words.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";

/** The step that a message is about, and who asked or applied. */
export type ToldStep = {
  readonly action: string;
  readonly actor: { readonly id: string; readonly kind: string };
  readonly environment: string;
  readonly plan: string;
  readonly step: number;
  readonly vm: { readonly name: string; readonly vmid: number };
};

type ToldEnd = Pick<OutcomeEnd, "cause" | "outcome"> & { readonly intent: string };

export type WebhookMessage = {
  /** Binds it to what else was recorded of the same request. */
  readonly correlationId: Ulid;
  readonly data: ToldStep & {
    readonly approve?: { readonly command: string; readonly url: string };
  } & Partial<ToldEnd>;
  readonly event: WebhookEvent;
  readonly id: Ulid;
  readonly instance: Ulid;
  readonly seq: number;
  readonly text: string;
  readonly timestamp: Instant;
};

/** By their ids. */
export type OpenIntents = Readonly<Record<string, ToldStep>>;
type ToldRecord = { readonly intents: OpenIntents; readonly message?: WebhookMessage };

/** How a door is reached by whoever is told. */
export type Reached = {
  /** As a command that can be pasted. */
  readonly approveCommand: (plan: string, step: number) => string;
  /** The origin of the service. */
  readonly url: string;
};

export const toldOf = (record: LedgerRecord, intents: OpenIntents, reached: Reached): ToldRecord => {
  const body = bodyOf(record);
  if (body === undefined || body.result.kind === "refused" || record.environment === undefined) return { intents };
  if (body.kind === "request-approval" || body.kind === "apply") {
    const { index, plan, step } = body.request.of;
    const told: ToldStep = {
      action: step.action.kind,
      actor: { id: record.actor.id, kind: record.actor.kind },
      environment: record.environment,
      plan,
      step: index + 1,
      vm: { name: step.name, vmid: step.vmid },
    };
    return body.kind === "apply"
      ? { intents: { ...intents, [record.auditId]: told } }
      : { intents, message: approvalRequested(record, told, reached) };
  }
  if (body.kind !== "outcome" && body.kind !== "recover") return { intents };
  const { intent } = body.request;
  const { [intent]: told, ...open } = intents;
  if (told === undefined) return { intents };
  const end = body.kind === "outcome" ? body.request : endedBy(body.request.ground, {});
  return { intents: open, message: ended(record, told, { ...end, intent }) };
};

const headOf = ({ auditId, correlationId, instance, processTime, seq }: LedgerRecord) => ({
  correlationId,
  id: auditId,
  instance,
  seq,
  timestamp: processTime,
});

const factsOf = ({ action, actor, environment, plan, step, vm }: ToldStep) => ({
  action,
  actor: actor.id,
  environment,
  name: vm.name,
  plan,
  step,
  vmid: vm.vmid,
});

const approvalRequested = (record: LedgerRecord, told: ToldStep, reached: Reached): WebhookMessage => {
  const { plan, step } = told;
  const approve = { command: reached.approveCommand(plan, step), url: `${reached.url}${approvalPath(plan, step)}` };
  return {
    ...headOf(record),
    data: { ...told, approve },
    event: "approval-requested",
    text: webhookText("approval-requested", { ...factsOf(told), ...approve }),
  };
};

const ended = (record: LedgerRecord, told: ToldStep, end: OutcomeEnd & { readonly intent: string }): WebhookMessage => {
  const { cause, intent, outcome } = end;
  const because = outcomeText(end);
  return {
    ...headOf(record),
    data: { ...told, cause, intent, outcome },
    event: "outcome",
    text: webhookText("outcome", { ...factsOf(told), because, outcome }),
  };
};
