// One recorded observation of an environment: what observe, plan, reconcile and accept-identity share.
//
// Only registered VMs are observed. Not here: how (read/fresh-observation.ts), who waits for whom at one environment
// (hold/session.ts).

import type { Detail, WantedVm } from "../../adapters/source.ts";
import type { RequestOf } from "../../kernel/command/request.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import type { DesiredState, Observed, Vmid } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedByRule } from "../answer.ts";
import type { EnvironmentNamed } from "../hold/environment-at.ts";
import { type CommandAnswer, checkAsker, type ServiceSession } from "../hold/session.ts";
import { observeNow } from "../read/fresh-observation.ts";
import { readRegisteredIn } from "../read/registered.ts";
import { askRemembering } from "./remembered.ts";

export type ObservationRecorded = {
  readonly asked: CommandAnswer & { readonly kind: "granted" };
  readonly id: Ulid;
  readonly observed: Observed;
  readonly record: LedgerRecord;
  /** Why nothing at all was seen; undefined when the provider answered. */
  readonly unanswered: Gap | undefined;
  readonly desired: DesiredState;
};

/**
 * `only` narrows what is registered to the VMs of one action, of which the first must be registered. The observation is
 * in the ledger when this resolves. What it is for is what the caller must be allowed to ask: nothing is observed for
 * anybody else. The record of one that is for itself is the answer to what the door was asked.
 */
export const recordObservation = async (
  session: ServiceSession,
  at: EnvironmentNamed,
  {
    details = [],
    only,
    purpose,
  }: {
    readonly details?: readonly Detail[];
    readonly only?: readonly [Vmid, ...Vmid[]] | undefined;
    readonly purpose: "accept-identity" | "observe" | "plan" | "reconcile";
  },
): Promise<ObservationRecorded | RefusedAnswer> => {
  const { desk, ledger, watch, writer } = session;
  const refused = await checkAsker(session, purpose, at.name);
  if (refused !== undefined) return refused;
  const answers = purpose === "observe";
  const desired = await readRegisteredIn(ledger.engine, writer.state(), at.name);
  if (desired === undefined) {
    return refusedByRule(refuse("desired-unregistered", { facts: { environment: at.name } }));
  }
  const seen = await observeNow(desk, at, wantedIn(desired, only), watch, details);
  if ("kind" in seen) return seen;
  const { observed, providerTime, tookMs, unanswered } = seen;
  const { complete, gaps, observedAt, vms } = observed.observation;
  const request: RequestOf<"observe"> = {
    complete,
    covers: { registered: desired.digest, ...present({ scope: only }) },
    gaps: gaps.length,
    kind: "observe",
    observation: observed.digest,
    ...present({ observedAt, providerTime }),
    tookMs,
    vms: vms.length,
  };
  const ask = answers ? session.answer : session.ask;
  const asked = await askRemembering(
    session,
    at.name,
    (identities) => ask(request, { environment: at.name, given: { identities, observation: observed.observation } }),
    answers && session.caller.key !== undefined ? "answering" : "underway",
  );
  if (asked.kind === "refused") return asked;
  return { asked, id: asked.record.auditId, observed, record: asked.record, unanswered, desired };
};

const wantedIn = ({ entries }: DesiredState, only: readonly [Vmid, ...Vmid[]] | undefined): readonly WantedVm[] => {
  if (only === undefined) return entries;
  const byVmid = new Map(entries.map((entry) => [entry.vmid, entry]));
  return byVmid.has(only[0]) ? only.map((vmid) => byVmid.get(vmid) ?? { vmid }) : [];
};

/**
 * What came of an observation that the provider did not answer: refused all the same, and the provider is the matter.
 */
export const refusedUnanswered = (
  { unanswered }: Pick<ObservationRecorded, "unanswered">,
  refused: RefusedAnswer,
): RefusedAnswer => (unanswered === undefined ? refused : { ...refused, unanswered });
