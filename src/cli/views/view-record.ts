// A record as lines for people: what it is, who asked for it and when, and why it was refused. As it was written with
// --verbose, and where this version has no words for it.
//
// Nothing from a record is printed as it is: what is invisible is written as its code.

import { clip } from "../../formats/fields.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import { visible } from "../../spine/values/invisible.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { timedFacts, whenText } from "./age.ts";
import type { Paint } from "./paint.ts";
import { kindLabel, recordText, refusalsIn } from "./record-text.ts";
import { signText } from "./signs.ts";
import type { TextStyle } from "./text-style.ts";

const SEQ_WIDTH = 6;
const BELOW = " ".repeat(SEQ_WIDTH + 2);

export const recordLines = (record: LedgerRecord, style: TextStyle): readonly string[] => {
  const { body, kind, seq } = record;
  const [text, refusals] = [recordText(record, style), refusalsIn(record)];
  const isTold = refusals !== undefined && (text !== undefined || refusals.length > 0);
  return [
    [String(seq).padStart(SEQ_WIDTH), style.bold(visible(clip(kindLabel(kind)))), visible(text ?? "")]
      .join("  ")
      .trimEnd(),
    style.dim(`${BELOW}${contextOf(record, style)}`),
    ...(refusals ?? []).map((refusal) => {
      const because = becauseOf({ ...refusal, facts: timedFacts(refusal.facts, style) });
      return `${BELOW}${signText("refused", style)} refused ${refusal.code}: ${visible(because)}`;
    }),
    ...(style.isVerbose ? [`${BELOW}${visible(JSON.stringify(record))}`] : []),
    ...(style.isVerbose || isTold ? [] : [`${BELOW}${visible(JSON.stringify(body))}`]),
  ];
};

/** `by alice (person) in home, 3 min ago (…), id …`; of an undertaking with several records that one's id too. */
const contextOf = (record: LedgerRecord, style: TextStyle): string => {
  const { actor, auditId, correlationId, environment, processTime } = record;
  return [
    `by ${visible(clip(actor.id))} (${actor.kind})${environment === undefined ? "" : ` in ${visible(clip(environment))}`}`,
    whenText(processTime, style),
    `id ${auditId}`,
    ...(correlationId === auditId ? [] : [`correlation ${correlationId}`]),
  ].join(", ");
};

export const brokenLine = (seq: number, because: string, paint: Paint): string =>
  `${String(seq).padStart(SEQ_WIDTH)}  ${paint.bold("BROKEN")}  ${visible(because)}`;
