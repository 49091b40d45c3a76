// A record as one line for people. Nothing from a record is printed as it is: what is invisible is written as its code.

import { visible } from "../../formats/field-path.ts";
import { clip } from "../../formats/fields.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { Paint } from "./paint.ts";

const BODY_LENGTH = 100;
const SEQ_WIDTH = 6;

const shortened = (text: string): string =>
  text.length > BODY_LENGTH ? `${text.slice(0, BODY_LENGTH - 1).toWellFormed()}…` : text;

export const recordLine = (record: LedgerRecord, paint: Paint): string => {
  const { actor, body, correlationId, environment, kind, processTime, seq } = record;
  return [
    String(seq).padStart(SEQ_WIDTH),
    processTime,
    paint.bold(visible(clip(kind))),
    `${visible(clip(actor.id))} (${actor.kind})`,
    ...(environment === undefined ? [] : [visible(clip(environment))]),
    correlationId,
    paint.dim(visible(shortened(JSON.stringify(body)))),
  ].join("  ");
};

export const brokenLine = (seq: number, because: string, paint: Paint): string =>
  `${String(seq).padStart(SEQ_WIDTH)}  ${paint.bold("BROKEN")}  ${visible(because)}`;
