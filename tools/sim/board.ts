// What the people of a world know of each other: the plans that were made, the approvals that were given, and what was
// asked before, so that it can be asked again under the same key.

import { parseJson } from "../../src/formats/json/json-text.ts";
import type { Command, StepRef } from "../../src/kernel/command/request.ts";
import type { Result } from "../../src/kernel/command/result.ts";
import type { CommandOptions } from "../../src/kernel/command-desk.ts";
import { explanationOf } from "../../src/kernel/decide/agree.ts";
import { stepRef, stepsOf } from "../../src/kernel/decide/step-ref.ts";
import { evolve } from "../../src/kernel/fold-versions.ts";
import { get } from "../../src/kernel/state/persistent-map.ts";
import { recall } from "../../src/kernel/state/recent.ts";
import { INITIAL, type State } from "../../src/kernel/state/state.ts";
import { canonicalText } from "../../src/ledger/record/profile.ts";
import type { Ulid } from "../../src/ledger/record/record.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import type { Plan, Sha256 } from "../../src/spine/model.ts";
import type { Json } from "../../src/spine/values/canonical.ts";
import type { Identities } from "../../src/spine/values/identities.ts";
import type { SimLedger } from "./ledger.ts";
import type { Who } from "./process.ts";
import { ENVIRONMENT } from "./registrations.ts";

export type Board = {
  readonly approvals: readonly { readonly by: string; readonly id: Ulid; readonly plan: Ulid }[];
  readonly asked: readonly Command[];
  /** Somebody with a token that they hold: the youngest that was heard of, or the one before. */
  readonly holding: (who: Who, isOld?: boolean) => Who;
  /** Every step of every plan, the youngest last. */
  readonly steps: readonly StepRef[];
  readonly note: (command: Command, answer: SubmissionAnswer) => void;
};

export const blobIn = (ledger: Pick<SimLedger, "blobs">, digest: Sha256): unknown => {
  const text = new TextDecoder().decode(ledger.blobs.get(digest));
  const read = parseJson(text, "blob");
  if (read.kind !== "ok") throw new Error("a blob is JSON");
  return read.value;
};

export const planIn = (ledger: SimLedger, { plan }: Extract<Result, { readonly kind: "planned" }>): Plan =>
  (blobIn(ledger, plan) as { readonly plan: Plan }).plan;
/** What is remembered of the VMs by the state of whoever asks. */
export const identitiesOf = (ledger: SimLedger, { identities }: Pick<State, "identities">): Identities => {
  const digest = get(identities, ENVIRONMENT);
  const text = digest === undefined ? undefined : new TextDecoder().decode(ledger.blobs.get(digest));
  const read = text === undefined ? undefined : parseJson(text, "identities");
  return read?.kind === "ok" ? (read.value as { readonly identities: Identities }).identities : [];
};
/** The same, by the whole ledger. */
export const identitiesIn = (ledger: SimLedger): Identities =>
  identitiesOf(ledger, ledger.records.reduce(evolve, INITIAL));

/** Undefined when the process does not know the plan, and so cannot show what it says. */
export const explanationFor = (state: State, { plan: id, step }: StepRef): Sha256 | undefined => {
  const plan = recall(state.plans, id);
  return plan === undefined ? undefined : explanationOf(state, plan, step).hash;
};

export const askingAgain = ({ correlationId, environment, given, key }: Command): CommandOptions => ({
  correlationId,
  ...(environment === undefined ? {} : { environment }),
  ...(given === undefined ? {} : { given }),
  key,
});

export const boardOf = (ledger: SimLedger): Board => {
  const approvals: Board["approvals"][number][] = [];
  const asked: Command[] = [];
  const tokens = new Map<string, readonly string[]>();
  const names = new Set<string>();
  const steps: StepRef[] = [];
  return {
    approvals,
    asked,
    holding: (who, isOld = false) => {
      if (who.token === undefined) return who;
      const held = [who.token, ...(tokens.get(who.actor.id) ?? [])];
      return { ...who, token: held.at(isOld ? -2 : -1) ?? who.token };
    },
    note: (command, answer) => {
      const name = canonicalText([command.key, command.environment ?? null, command.kind, command.request as Json]);
      if (command.actor.kind !== "kernel" && !names.has(name)) {
        names.add(name);
        asked.push(command);
      }
      if (answer.kind !== "recorded" || answer.replayed) return;
      const result = answer.record.body["result"] as Result;
      const { auditId: id } = answer.record;
      if (result.kind === "planned") {
        const plan = planIn(ledger, result);
        const known = stepsOf(plan).flatMap((_, index) => stepRef(id, plan, index) ?? []);
        steps.push(...known);
      }
      if (result.kind === "done" && command.kind === "token" && command.request.act !== "revoke") {
        const { subject, token } = command.request;
        const whose = typeof subject === "string" ? subject : subject.id;
        tokens.set(whose, [...(tokens.get(whose) ?? []), token]);
      }
      if (result.kind === "done" && command.kind === "sign-in") {
        const { session, subject } = command.request;
        tokens.set(subject, [...(tokens.get(subject) ?? []), session.token]);
      }
      if (result.kind === "approved" && command.kind === "approve") {
        approvals.push({ by: command.actor.id, id, plan: command.request.of.plan });
      }
    },
    steps,
  };
};
