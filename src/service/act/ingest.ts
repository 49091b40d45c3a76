// ingest: an observation that a sensor brings, recorded as it is. Nothing is asked of a provider, no identity is
// remembered by it, and no apply stands on it. keeps N1
//
// It comes as the text of a current.json, which says itself of which environment it is and whether it is complete; a
// bare list says neither, and is taken as not complete. Not here: observing (observe.ts).

import { parseCurrent } from "../../formats/current-json.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { Ulid } from "../../ledger/record/record.ts";
import type { Sha256 } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { observe } from "../../spine/values/observation.ts";
import { present } from "../../spine/values/present.ts";
import { refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import { checkAsker } from "../hold/session.ts";
import { answerWith, type ServiceAct } from "./act.ts";

/** `file` is what problems name beside their place in the text; nothing is read there. */
export type IngestRequest = {
  readonly current: { readonly file: string; readonly text: string };
  readonly environment?: string;
};

export type ObservationIngested = {
  readonly complete: boolean;
  readonly digest: Sha256;
  readonly environment: string;
  /** How many doubts there are about the observation as a whole. */
  readonly gaps: number;
  readonly id: Ulid;
  readonly seq: number;
  readonly vms: number;
};

export const ingest: ServiceAct<IngestRequest, ObservationIngested> = {
  perform: async (session, { current: { file, text }, environment }) => {
    const at = environmentAt(environment, session.desk);
    if ("code" in at) return refusedInput([at]);
    const refused = await checkAsker(session, "ingest", at.name);
    if (refused !== undefined) return refused;
    const parsed = parseCurrent(text, file, { complete: false, environment: at.name });
    if (parsed.kind === "bad") return refusedInput(parsed.problems);
    const { digest, observation } = observe(parsed.value);
    const { complete, environment: of, gaps, observedAt, vms } = observation;
    // keeps B3
    if (of !== at.name) {
      return refusedInput([refuse("observation-foreign", { facts: { desired: at.name, observed: of } })]);
    }
    const asked = await session.answer(
      {
        complete,
        gaps: gaps.length,
        kind: "ingest",
        observation: digest,
        ...present({ observedAt }),
        vms: vms.length,
      },
      { environment: at.name, given: { observation } },
    );
    return answerWith(session, asked, ingest.valueIn);
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "ingest") throw new Error(`record ${record.seq} ingests nothing`);
    const { complete, gaps, observation: digest, vms } = body.request;
    return { complete, digest, environment: record.environment ?? "", gaps, id: record.auditId, seq: record.seq, vms };
  },
};
