// One step as whoever decides on it reads it: the explanation that they would agree to, who asked, who has decided
// what, what is still needed, and what the kernel would answer to their yes, to their no, and to asking for what they
// would confirm. It leaves no record.
//
// The one place where a door learns in advance what is refused; no door has a rule of its own for it. Not here:
// deciding (decisions.ts), how it is shown (boundary/pages/).

import { START_WORDS } from "../../kernel/command/program.ts";
import { readerRefusal } from "../../kernel/decide/actors.ts";
import { explanationOf } from "../../kernel/decide/agree.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { recall } from "../../kernel/state/recent.ts";
import { openIntent, type PlanState, type State } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Explanation, Instant, Refusal, Sha256 } from "../../spine/model.ts";
import { present } from "../../spine/values/present.ts";
import { refusedByKernel, refusedInput, type ServiceAnswer } from "../answer.ts";
import { foresee } from "../hold/foresee.ts";
import type { FittingIndex } from "../hold/held-terms.ts";
import { readingIn, type ServiceSession } from "../hold/session.ts";
import { findStep, type StepFound, type StepRequest } from "../read/explain-recorded.ts";
import type { IntentShown } from "../read/intent-shown.ts";
import { withOlder } from "../read/older-plans.ts";
import { undecidable } from "../read/plan-references.ts";
import { readRegisteredNow } from "../read/recorded.ts";
import { type RequesterShown, requesterIn } from "../read/requester-shown.ts";
import { type StepShown, showSteps } from "../read/steps-shown.ts";

/** `counted` is whether it counts now, for whoever asked for the plan to apply it. */
export type ApprovalGiven = {
  readonly by: string;
  readonly counted: boolean;
  readonly expiresAt: Instant;
  readonly id: Ulid;
};
export type DenialGiven = { readonly by: string; readonly id: Ulid; readonly reason: string };

export type StepReviewed = {
  /** What the kernel would refuse the reader; empty where it would be granted. */
  readonly against: {
    readonly approve: readonly Refusal[];
    /** Asking for what they would confirm, which comes before an apply. */
    readonly challenge: readonly Refusal[];
    readonly deny: readonly Refusal[];
  };
  readonly approvals: readonly ApprovalGiven[];
  readonly denials: readonly DenialGiven[];
  readonly explanation: Explanation;
  /** What was tried of it. */
  readonly intent?: IntentShown;
  readonly of: {
    readonly environment: string;
    readonly plan: Ulid;
    readonly planHash: Sha256;
    readonly step: number;
  };
  readonly requester: RequesterShown;
  /** How it stands, for whoever asked. */
  readonly shown: StepShown;
  /** Approvers who could be the one who asked. */
  readonly uncounted: readonly string[];
  /** The catalogue in which it is shown; whoever approves names it. */
  readonly words: Sha256;
};

export const reviewStep = async (
  session: ServiceSession,
  request: StepRequest,
  index: () => Promise<FittingIndex | undefined>,
): Promise<ServiceAnswer<StepReviewed>> => {
  const { caller } = session;
  const unread = readerRefusal(caller, "account");
  if (unread !== undefined) return refusedByKernel([unread]);
  const recent = readingIn(session);
  const unnamed = undecidable(recent, request.plan);
  if (unnamed !== undefined) return refusedInput([unnamed]);
  const reading = await withOlder({ ...recent, index }, request.plan);
  const chosen = await findStep(reading, request);
  if ("kind" in chosen) return chosen;
  const { found, of } = chosen;
  const { planState } = found;
  const requester = requesterIn(session.writer.state(), planState);
  const shown = (await showSteps({ ...reading, actor: actorOf(planState), door: requester.door }, found))[of.index];
  if (shown === undefined) throw new Error(`step ${of.index} of plan ${of.plan} is not shown with the others`);
  const value: StepReviewed = {
    against: await foreseeDecisions(session, chosen),
    approvals: planState.approvals
      .filter(({ step }) => step === of.step.hash)
      .map(({ by, expiresAt, id }) => ({ by, counted: shown.approvedBy.includes(by), expiresAt, id })),
    denials: planState.denials
      .filter(({ step }) => step === of.step.hash)
      .map(({ by, id, reason }) => ({ by, id, reason })),
    explanation: explanationOf(reading.state, planState, of.step, found.verdict),
    ...present({ intent: intentOf(reading.state, get(planState.consumed, String(of.index))) }),
    of: { environment: planState.environment, plan: of.plan, planHash: planState.hash, step: of.index + 1 },
    requester,
    shown,
    uncounted: shown.uncounted,
    words: START_WORDS,
  };
  return { head: recent.head, kind: "ok", replayed: false, value };
};

/** What an agent asked for is applied by it; what a person asked for, by a person. */
const actorOf = ({ requester: { id, kind } }: PlanState) => ({
  id,
  kind: kind === "agent" ? ("agent" as const) : ("person" as const),
});

/** The reason is theirs to give; whatever it is, the rest is judged as it would be. */
const REASON = "foreseen";

const foreseeDecisions = async (
  session: ServiceSession,
  { found, of }: StepFound,
): Promise<StepReviewed["against"]> => {
  const { environment } = found.planState;
  const registered = await readRegisteredNow(session, environment, of.step.vmid);
  const explanation = explanationOf(session.writer.state(), found.planState, of.step).hash;
  const approval = { explanation, kind: "approve", of, reason: REASON, ...registered } as const;
  return {
    approve: foresee(session, approval, { environment }),
    challenge: foresee(session, { kind: "challenge", of, ...registered }, { environment }),
    deny: foresee(session, { kind: "deny", of, reason: REASON }, { environment }),
  };
};

const intentOf = (state: State, id: Ulid | undefined): IntentShown | undefined =>
  id === undefined ? undefined : (openIntent(state, id) ?? recall(state.intents, id));
