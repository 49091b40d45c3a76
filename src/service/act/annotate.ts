// annotate: a remark that is recorded, about one record or about none. It changes nothing, and nothing is decided by
// it.

import { bodyOf } from "../../kernel/command/record-body.ts";
import { isSize, type Ulid } from "../../ledger/record/record.ts";
import { recordOf } from "../../ledger/verify/chain-state.ts";
import { present } from "../../spine/values/present.ts";
import type { RefusedAnswer } from "../answer.ts";
import type { ServiceSession } from "../hold/session.ts";
import { refuseSeq } from "../read/records.ts";
import { answerWith, type ServiceAct } from "./act.ts";

/** `about` is the seq of a record. */
export type AnnotateRequest = { readonly about?: number; readonly text: string };
export type RemarkRecorded = {
  /** The id of the record that it is about. */
  readonly about?: Ulid;
  readonly by: string;
  readonly id: Ulid;
  readonly seq: number;
  readonly text: string;
};

export const annotate: ServiceAct<AnnotateRequest, RemarkRecorded> = {
  perform: async (session, { about: seq, text }) => {
    const about = seq === undefined ? undefined : await idAt(session, seq);
    if (typeof about === "object") return about;
    const asked = await session.answer({ ...present({ about }), kind: "annotate", text });
    return answerWith(session, asked, annotate.valueIn);
  },
  valueIn: async (_, record) => {
    const body = bodyOf(record);
    if (body?.kind !== "annotate") throw new Error(`record ${record.seq} is no remark`);
    const { about, text } = body.request;
    return { ...present({ about }), by: record.actor.id, id: record.auditId, seq: record.seq, text };
  },
};

const idAt = async ({ ledger: { engine } }: ServiceSession, seq: number): Promise<RefusedAnswer | Ulid> => {
  if (isSize(seq)) for await (const line of engine.read(seq, seq + 1)) return recordOf(line, seq).auditId;
  return refuseSeq(engine, seq);
};
