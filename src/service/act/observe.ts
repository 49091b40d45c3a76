// observe: one recorded observation of the registered VMs of an environment. It changes nothing there.

import { bodyOf } from "../../kernel/command/record-body.ts";
import type { LedgerRecord, Ulid } from "../../ledger/record/record.ts";
import type { Observation, Sha256, Vmid } from "../../spine/model.ts";
import type { Gap } from "../../spine/observed-codes.ts";
import { refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { readingIn } from "../hold/session.ts";
import { readBlobText } from "../read/registered.ts";
import { answerWith, type ServiceAct } from "./act.ts";
import { recordObservation } from "./record-observation.ts";

export type ObservationShown = {
  /** VMs that showed another identity than the remembered one. */
  readonly changed: readonly Vmid[];
  readonly digest: Sha256;
  readonly environment: string;
  readonly id: Ulid;
  readonly observation: Observation;
  /** Why the provider was not seen at all; everything there is unknown. */
  readonly unanswered?: Gap;
};

const shown = (record: LedgerRecord, digest: Sha256, observation: Observation): ObservationShown => {
  const result = bodyOf(record)?.result;
  return {
    changed: result?.kind === "observed" ? (result.changed?.vmids ?? []) : [],
    digest,
    environment: record.environment ?? "",
    id: record.auditId,
    observation,
  };
};

export const observeEnvironment: ServiceAct<{ readonly environment?: string }, ObservationShown> = {
  perform: async (session, { environment }) => {
    const at = environmentAt(environment, session.desk);
    if ("code" in at) return refusedInput([at]);
    return session.inTurn(at.name, async () => {
      const seen = await recordObservation(session, at, { purpose: "observe" });
      if ("kind" in seen) return seen;
      if (seen.asked.replayed) return answerWith(session, seen.asked, observeEnvironment.valueIn);
      const { observed, record, unanswered } = seen;
      const value = shown(record, observed.digest, observed.observation);
      return {
        head: readingIn(session).head,
        kind: "ok",
        record,
        replayed: false,
        value: unanswered === undefined ? value : { ...value, unanswered },
      };
    });
  },
  valueIn: async ({ ledger }, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "observe") throw new Error(`record ${record.seq} is no observation`);
    const { observation: digest } = body.request;
    return shown(record, digest, JSON.parse(await readBlobText(ledger.engine, digest)));
  },
};
