// annotate: a remark that is recorded, about one record or about none. It changes nothing, and nothing is decided by
// it.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { isSize, type Ulid } from "../../ledger/record/record.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import { present } from "../../spine/values/present.ts";
import { type RefusedAnswer, refusedInput } from "../answer.ts";
import { environmentAt } from "../hold/environment-at.ts";
import type { ServiceSession } from "../hold/session.ts";
import { sightOf } from "../hold/sight.ts";
import { refuseSeq } from "../read/records.ts";
import { answerWith, type ServiceAct } from "./act.ts";

/**
 * `about` is the seq of a record; a remark about one stands in its environment, whatever is named. Without either it is
 * of no environment.
 */
export type AnnotateRequest = { readonly about?: number; readonly environment?: string; readonly text: string };
export type RemarkRecorded = {
  /** The id of the record that it is about. */
  readonly about?: Ulid;
  readonly by: string;
  readonly id: Ulid;
  readonly seq: number;
  readonly text: string;
};

export const annotate: ServiceAct<AnnotateRequest, RemarkRecorded> = {
  perform: async (session, request) => {
    const place = await placeOf(session, request);
    if ("kind" in place) return place;
    const { environment, about } = place;
    const asked = await session.answer(
      { ...present({ about }), kind: "annotate", text: request.text },
      present({ environment }),
    );
    return answerWith(session, asked, annotate.valueIn);
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "annotate") throw new Error(`record ${record.seq} is no remark`);
    const { about, text } = body.request;
    return { ...present({ about }), by: record.actor.id, id: record.auditId, seq: record.seq, text };
  },
};

type Place = { readonly about?: Ulid; readonly environment?: string };

/** To whoever does not see a record there is none. keeps B3 */
const placeOf = async (
  session: ServiceSession,
  { about: seq, environment: named }: AnnotateRequest,
): Promise<Place | RefusedAnswer> => {
  if (seq === undefined) {
    const at = named === undefined ? undefined : environmentAt(named, session.desk);
    if (at !== undefined && "code" in at) return refusedInput([at]);
    return present({ environment: at?.name });
  }
  const { engine } = session.ledger;
  if (!isSize(seq)) return refuseSeq(engine, seq);
  for await (const line of engine.read(seq, seq + 1)) {
    const { auditId, environment } = recordOf(line, seq);
    return sightOf(session.caller)(environment)
      ? { about: auditId, ...present({ environment }) }
      : refuseSeq(engine, seq);
  }
  return refuseSeq(engine, seq);
};
