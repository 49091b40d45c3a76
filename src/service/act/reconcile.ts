// reconcile: a fresh observation of one VM that ends an unknown outcome. It states what is; it repairs nothing.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { get } from "../../kernel/state/persistent-map.ts";
import { recall } from "../../kernel/state/recent.ts";
import { vmKey } from "../../kernel/state/state.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { ActionKind, Observation, Vmid } from "../../spine/model.ts";
import { believe } from "../../spine/plan/belief.ts";
import { statusText } from "../../spine/plan/step.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { refusedByRule, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { readKnownVms } from "../read/known-vms.ts";
import { readBlobText } from "../read/registered.ts";
import { resolveVm, type VmRef } from "../read/vm-references.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { recordObservation, refusedUnanswered } from "./record-observation.ts";

export type Reconciled = {
  readonly action?: ActionKind;
  readonly by: string;
  /** What the VM was found to be; absent in a repeated answer whose observation is no longer kept in mind. */
  readonly found?: string;
  readonly intent: Ulid;
  readonly name?: string;
  readonly seq: number;
  readonly vmid?: Vmid;
};

export const reconcile: ServiceAct<{ readonly environment?: string; readonly vmid: VmRef }, Reconciled> = {
  perform: async (session, { environment, vmid: ref }) => {
    const at = environmentAt(environment, session.desk);
    if ("code" in at) return refusedInput([at]);
    const vmid = resolveVm(ref, await readKnownVms(session.ledger.engine, session.writer.state(), at.name));
    if (typeof vmid === "object") return refusedInput([vmid]);
    const blocked = get(session.writer.state().blocked, vmKey(at.name, vmid));
    if (blocked === undefined) {
      return refusedByRule(refuse("vm-not-blocked", { cause: "vm", facts: { environment: at.name }, vmid }));
    }
    return session.inTurn(at.name, async () => {
      const seen = await recordObservation(session, at, { only: [vmid], purpose: "reconcile" });
      if ("kind" in seen) return seen;
      const { observation } = seen.observed;
      const asked = await session.answer(
        { intent: blocked.id, kind: "reconcile", observation: seen.id },
        { causationId: blocked.id, environment: at.name, given: { observation } },
      );
      if (asked.kind === "refused") return refusedUnanswered(seen, asked);
      const answer = await answerWith(session, asked, reconcile.valueIn);
      const { action, name } = blocked;
      return answer.kind === "refused" || answer.replayed
        ? answer
        : { ...answer, value: { ...answer.value, action, found: foundIn(observation, vmid), name, vmid } };
    });
  },
  valueIn: async ({ ledger, state }, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "reconcile") throw new Error(`record ${record.seq} reconciles nothing`);
    const { intent: id, observation: observationId } = body.request;
    const [intent, seen] = [recall(state.intents, id), recall(state.observations, observationId)];
    const base = { by: record.actor.id, intent: id, seq: record.seq };
    if (intent === undefined || seen === undefined) return base;
    const { action, name, vmid } = intent;
    const observation: Observation = JSON.parse(await readBlobText(ledger.engine, seen.digest));
    return { ...base, action, found: foundIn(observation, vmid), name, vmid };
  },
};

const foundIn = (observation: Observation, vmid: Vmid): string => {
  const belief = believe(
    observation.vms.find((state) => state.vmid === vmid),
    observation,
  );
  return belief.kind === "present" ? statusText(belief.state) : belief.kind;
};
