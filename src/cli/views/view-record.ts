// A record as one line for people: how an intent ended and what was refused in words, everything else as it was written.
// Nothing from a record is printed as it is: what is invisible is written as its code.

import { clip } from "../../formats/fields.ts";
import { bodyOf } from "../../kernel/command/record-body.ts";
import type { LedgerRecord } from "../../ledger/record/record.ts";
import type { OutcomeEnd, Refusal } from "../../spine/model.ts";
import { isOutcomeCause } from "../../spine/rules/outcome-causes.ts";
import { isRefusalCode } from "../../spine/rules/refusals.ts";
import { visible } from "../../spine/values/invisible.ts";
import { becauseOf } from "../../spine/words/refusals/refusal-words.ts";
import { outcomeText } from "../../spine/words/steps/outcome-words.ts";
import { whenText } from "./age.ts";
import { padded } from "./columns.ts";
import type { Paint } from "./paint.ts";
import type { TextStyle } from "./text-style.ts";

const BODY_LENGTH = 100;
const SEQ_WIDTH = 6;

const shortened = (text: string): string =>
  text.length > BODY_LENGTH ? `${text.slice(0, BODY_LENGTH - 1).toWellFormed()}…` : text;

/** Records come one by one, so that no column knows the widest of its cells; these fit nearly all. */
const WIDTHS = { actor: 16, environment: 6, kind: 16, when: 33 } as const;

export const recordLine = (record: LedgerRecord, style: TextStyle): string => {
  const { actor, correlationId, environment = "", kind, processTime, seq } = record;
  return [
    String(seq).padStart(SEQ_WIDTH),
    padded(whenText(processTime, style), WIDTHS.when),
    padded(style.bold(visible(clip(kind))), WIDTHS.kind),
    padded(`${visible(clip(actor.id))} (${actor.kind})`, WIDTHS.actor),
    padded(visible(clip(environment)), WIDTHS.environment),
    correlationId,
    style.dim(visible(told(record) ?? shortened(JSON.stringify(record.body)))),
  ].join("  ");
};

/** Undefined where there are no words for it: another version may have written what this one does not know. */
const told = (record: LedgerRecord): string | undefined => {
  const body = bodyOf(record);
  const { refusals } = Object(body?.result) as { readonly refusals?: unknown };
  if (Array.isArray(refusals) && refusals.every(isKnown)) {
    return refusals.map((refusal) => `refused ${refusal.code}: ${becauseOf(refusal)}`).join("; ");
  }
  const end: unknown = body?.kind === "outcome" ? body.request : undefined;
  return isEnd(end) ? `${end.outcome}: ${outcomeText(end)}` : undefined;
};

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const isKnown = (value: unknown): value is Refusal =>
  isRefusalCode(Object(value).code) && isObject(Object(value).facts);
const isEnd = (value: unknown): value is OutcomeEnd => {
  const { cause, changed = [], facts = {}, refusal } = Object(value) as Record<string, unknown>;
  const isWhole = isOutcomeCause(cause) && Array.isArray(changed) && changed.every(isObject) && isObject(facts);
  return isWhole && (refusal === undefined || isKnown(refusal));
};

export const brokenLine = (seq: number, because: string, paint: Paint): string =>
  `${String(seq).padStart(SEQ_WIDTH)}  ${paint.bold("BROKEN")}  ${visible(because)}`;
