// plan: holds the desired file against what is registered (desired-file.ts), observes, plans on what is registered then, and
// records each. A single requested action takes the same way, on what is registered.
//
// The plan's record answers; the observation's is on the way. A plan that says nothing new is answered by the one that stands.

import { detailsFor, wantedFor } from "../../kernel/apply/perform-apply.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Requests } from "../../kernel/command/request.ts";
import type { ResultOf } from "../../kernel/command/result.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { DesiredState, DesiredVm, Instant, Plan, Verdict } from "../../spine/model.ts";
import { type AgainstTarget, againstTarget } from "../../spine/plan/against-target.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt, type Reading } from "../hold/session.ts";
import { type PlanShown, planShown } from "../read/plans.ts";
import { blobText, readRecordedPlan } from "../read/recorded.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { compareDesiredFile, type DesiredFileCompared } from "./desired-file.ts";
import { recordObservation } from "./record-observation.ts";
import { answerRemembering } from "./remembered.ts";

export type PlanRequest = Omit<Requests["plan"], "observation"> & {
  readonly environment: string;
  /** Plans on what is registered, whatever the environment's desired file says. */
  readonly registeredOnly?: true;
};

export type PlanMade = PlanShown & {
  /** What of the registered entry a requested action leads away from; absent where it does not, and in a repeated answer. */
  readonly against?: readonly AgainstTarget[];
  /** Where the desired file was not what was registered; absent in a repeated answer. */
  readonly desiredFile?: DesiredFileCompared;
  /** What the provider said when it did not answer; everything there is unknown. */
  readonly unanswered?: string;
  /** The plan was made before and still stands, until then. */
  readonly unchanged?: { readonly endsAt: Instant };
};

export const makePlan: ServiceAct<PlanRequest, PlanMade> = {
  perform: async (session, { environment, registeredOnly, request, scope }) => {
    const at = environmentAt(environment, session.desk);
    if ("code" in at) return refusedInput([at]);
    const details = request === undefined ? [] : detailsFor(request.action);
    const only = request === undefined ? undefined : wantedFor(request.action, request.vmid);
    return session.inTurn(at.name, async () => {
      const isRead = request === undefined && registeredOnly === undefined;
      const desiredFile = isRead ? await compareDesiredFile(session, at) : undefined;
      if (desiredFile !== undefined && "domain" in desiredFile) return desiredFile;
      const seen = await recordObservation(session, at, { details, only });
      if ("kind" in seen) return seen;
      const { observation } = seen.observed;
      const asked = await answerRemembering(
        session,
        at.name,
        { kind: "plan", observation: seen.id, ...present({ request }), scope },
        { observation, desired: seen.desired },
      );
      const answer = await answerWith(session, asked, makePlan.valueIn);
      const { unanswered } = seen;
      const against = request === undefined ? [] : againstIn(seen.desired, request);
      return answer.kind === "refused"
        ? answer
        : {
            ...answer,
            value: {
              ...answer.value,
              ...(against.length === 0 ? {} : { against }),
              ...present({ desiredFile, unanswered }),
            },
          };
    });
  },
  valueIn: async (reading, record) => {
    const result = bodyOf(record)?.result;
    if (result?.kind === "planned") {
      const found = await readRecordedPlan(reading.ledger.engine, reading.state, record.auditId);
      return "code" in found ? planForgotten(reading, record, result) : planShown(reading, found);
    }
    if (result?.kind !== "unchanged") throw new Error(`record ${record.seq} is no plan`);
    const found = await readRecordedPlan(reading.ledger.engine, reading.state, result.plan);
    if ("code" in found) return refusedInput([found]);
    return { ...(await planShown(reading, found)), unchanged: { endsAt: result.endsAt } };
  },
};

const againstIn = (
  { entries }: DesiredState,
  { action, vmid }: NonNullable<PlanRequest["request"]>,
): readonly AgainstTarget[] => {
  const entry = entries.find((one): one is DesiredVm => one.kind === "desired" && one.vmid === vmid);
  return entry === undefined ? [] : againstTarget(action, entry);
};

/** The state keeps plans for a day or two, the ledger for ever: what was answered is answered again, without steps to take. */
const planForgotten = async (
  { ledger }: Reading,
  { auditId }: LedgerRecord,
  result: ResultOf<"planned">,
): Promise<PlanMade | RefusedAnswer> => {
  const { plan, verdict }: { readonly plan: Plan; readonly verdict: Verdict } = JSON.parse(
    await blobText(ledger.engine, result.plan),
  );
  const because = result.bars ?? "over";
  return { applicable: false, because, id: auditId, plan, steps: [], verdict, version: 1 };
};
