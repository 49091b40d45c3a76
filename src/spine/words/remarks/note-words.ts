// What is told to whoever runs a service and belongs to no one answer: remarks, by cause, and how one reads.
//
// Not here: who is told (service/ports.ts), intents that were recovered, which are values of their own.

import type { Refusal } from "../../model.ts";
import { type FailureIn, failureText, under } from "../cause.ts";
import { SAVED_STATE_WORDS } from "../causes/engine-words.ts";

export const SERVICE_NOTE_WORDS = {
  ...under("saved-state-", SAVED_STATE_WORDS),
  "checkpoint-failed": "no checkpoint after an outcome: {said}",
  "checkpoint-refused": "no checkpoint after an outcome: {refusals}",
  "index-stopped": "the index of the ledger is not kept up any more: {said}",
  "intent-failed": "intent {intent} ended with a bug: {said}",
  "ledger-not-closed": "the ledger did not close: {said}",
  "locks-left": "locks of processes that ended stay beside the ledger: {said}",
  "milestone-unfit": "the milestone after {size:record|records} does not fit the ledger and is made anew: {cause}",
  "milestones-failed": "the milestones of the ledger could not be made: {said}",
  "progress-unheard": "progress is not shown any more, its listener failed: {said}",
  "writer-not-closed": "the ledger's writer did not close: {said}",
} as const;

export type ServiceNote =
  | FailureIn<typeof SERVICE_NOTE_WORDS>
  /** Of a ledger whose anchor is lost, and which is shown nevertheless (unproven-words.ts). */
  | { readonly cause: "ledger-unproven"; readonly refusal: Refusal };

export const serviceNoteText = (note: FailureIn<typeof SERVICE_NOTE_WORDS>): string =>
  failureText(SERVICE_NOTE_WORDS, note);
