// plan: holds the desired file against what is registered (desired-file.ts), observes, plans on what is registered
// then, and records each. A single requested action takes the same way.
//
// The plan's record answers; the observation's is on the way. A plan that says nothing new is answered by the one that
// stands.

import { detailsFor, wantedFor } from "../../kernel/apply/perform-apply.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Requests } from "../../kernel/command/request.ts";
import type { ResultOf } from "../../kernel/command/result.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Action, DesiredState, DesiredVm, Instant, Plan, Refusal, Verdict } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { type AgainstTarget, againstTarget } from "../../spine/plan/against-target.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { type EnvironmentNamed, environmentAt } from "../hold/environment-at.ts";
import type { Reading, ServiceSession } from "../hold/session.ts";
import { type PlanShown, showFoundPlan } from "../read/plans.ts";
import { readRecordedPlan } from "../read/recorded.ts";
import { readBlobText, readRegisteredIn } from "../read/registered.ts";
import { resolveVm, resolveVms, strangerIn, type VmRef } from "../read/vm-references.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { compareDesiredFile, type DesiredFileCompared, registerAhead } from "./desired-file.ts";
import { recordObservation } from "./record-observation.ts";
import { answerRemembering } from "./remembered.ts";

/**
 * VMs by number, or by words that are resolved against what is registered. The only environment where none is named.
 */
export type PlanRequest = {
  readonly environment?: string;
  /** Plans on what is registered, whatever the environment's desired file says. */
  readonly registeredOnly?: true;
  readonly request?: { readonly action: Action; readonly vmid: VmRef };
  readonly scope: "all" | readonly VmRef[];
};

export type PlanMade = PlanShown & {
  /**
   * What of the registered entry a requested action leads away from; absent where it does not, and in a repeated
   * answer.
   */
  readonly against?: readonly AgainstTarget[];
  /** Where the desired file was not what was registered; absent in a repeated answer. */
  readonly desiredFile?: DesiredFileCompared;
  /** Why the provider was not seen at all; everything there is unknown. */
  readonly unanswered?: Gap;
  /** The plan was made before and still stands, until then. */
  readonly unchanged?: { readonly endsAt: Instant };
};

export const makePlan: ServiceAct<PlanRequest, PlanMade> = {
  perform: async (session, { environment, registeredOnly, ...asked }) => {
    const at = environmentAt(environment, session.desk);
    if ("code" in at) return refusedInput([at]);
    return session.inTurn(at.name, async () => {
      const ready = await registerDifferences(session, at, asked, registeredOnly);
      if ("domain" in ready) return ready;
      const { desiredFile, request, scope } = ready;
      const details = request === undefined ? [] : detailsFor(request.action);
      const only = request === undefined ? undefined : wantedFor(request.action, request.vmid);
      const seen = await recordObservation(session, at, { details, only, purpose: "plan" });
      if ("kind" in seen) return seen;
      const { observation } = seen.observed;
      const answered = await answerRemembering(
        session,
        at.name,
        { kind: "plan", observation: seen.id, ...present({ request }), scope },
        { observation, desired: seen.desired },
      );
      const answer = await answerWith(session, answered, makePlan.valueIn);
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
      return "code" in found ? planForgotten(reading, record, result) : showFoundPlan(reading, found);
    }
    if (result?.kind !== "unchanged") throw new Error(`record ${record.seq} is no plan`);
    const found = await readRecordedPlan(reading.ledger.engine, reading.state, result.plan);
    if ("code" in found) return refusedInput([found]);
    return { ...(await showFoundPlan(reading, found)), unchanged: { endsAt: result.endsAt } };
  },
};

type Ready = Resolved & { readonly desiredFile?: DesiredFileCompared };

/** Whoever registers at the same time, again and again, is let through. */
const COMPARISONS_MAX = 2;

/** Compares the desired file and registers what differs; once more, where another one was registered in between. */
const registerDifferences = async (
  session: ServiceSession,
  at: EnvironmentNamed,
  asked: Pick<PlanRequest, "request" | "scope">,
  registeredOnly: true | undefined,
): Promise<Ready | RefusedAnswer> => {
  for (let time = 1; ; time += 1) {
    const compared = registeredOnly === undefined ? await compareDesiredFile(session, at) : undefined;
    if (compared !== undefined && "domain" in compared) return compared;
    // Against what will be registered: a word that means nothing leaves everything as it was.
    const ahead = compared?.kind === "ahead" ? compared : undefined;
    const resolved = await resolveRequest(session, at.name, asked, ahead?.after);
    if ("code" in resolved) return refusedInput([resolved]);
    const desiredFile = compared?.kind === "ahead" ? await registerAhead(session, at, compared) : compared;
    if (desiredFile === undefined || !("domain" in desiredFile)) return { ...resolved, ...present({ desiredFile }) };
    const isMoved = desiredFile.refusals.some(({ code }) => code === "desired-moved");
    if (!isMoved || time === COMPARISONS_MAX) return desiredFile;
  }
};

type Resolved = Pick<Requests["plan"], "request" | "scope">;

/** Numbers that came as numbers need nothing read; what nobody registered is refused by the rules then. */
const resolveRequest = async (
  { ledger, writer }: ServiceSession,
  environment: string,
  { request, scope }: Pick<PlanRequest, "request" | "scope">,
  ahead: DesiredState | undefined,
): Promise<Resolved | Refusal> => {
  const refs = [...(scope === "all" ? [] : scope), ...(request === undefined ? [] : [request.vmid])];
  const isWorded = refs.some((ref) => typeof ref === "string");
  const registered = isWorded
    ? (ahead ?? (await readRegisteredIn(ledger.engine, writer.state(), environment)))
    : undefined;
  const known = registered?.entries ?? [];
  const stranger = strangerIn(refs, known);
  if (stranger !== undefined) return stranger;
  const vmid = request === undefined ? undefined : resolveVm(request.vmid, known);
  if (typeof vmid === "object") return vmid;
  const vmids = scope === "all" ? scope : resolveVms(scope, known);
  if (typeof vmids === "object" && "code" in vmids) return vmids;
  return { ...(request === undefined || vmid === undefined ? {} : { request: { ...request, vmid } }), scope: vmids };
};

const againstIn = (
  { entries }: DesiredState,
  { action, vmid }: NonNullable<Resolved["request"]>,
): readonly AgainstTarget[] => {
  const entry = entries.find((one): one is DesiredVm => one.kind === "desired" && one.vmid === vmid);
  return entry === undefined ? [] : againstTarget(action, entry);
};

/**
 * The state keeps plans for a day or two, the ledger for ever: what was answered is answered again, without steps to
 * take.
 */
const planForgotten = async (
  { ledger }: Reading,
  { auditId }: LedgerRecord,
  result: ResultOf<"planned">,
): Promise<PlanMade | RefusedAnswer> => {
  const { plan, verdict }: { readonly plan: Plan; readonly verdict: Verdict } = JSON.parse(
    await readBlobText(ledger.engine, result.plan),
  );
  const because = result.bars ?? "over";
  return { applicable: false, because, id: auditId, plan, steps: [], verdict, version: 1 };
};
