// The sequencer's answer in the kernel's words: the result that was recorded, or why nothing was.

import type { SubmissionAnswer } from "../../ledger/write/submission.ts";
import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import { bodyOf } from "./record-body.ts";
import type { Result } from "./result.ts";

/** The recorded result; undefined when nothing was recorded. */
export const resultOf = (answer: SubmissionAnswer): Result | undefined =>
  answer.kind === "recorded" ? bodyOf(answer.record)?.result : undefined;

/** Why nothing may be done on the strength of this answer; an answer that was given before says so. */
export const answerRefusals = (answer: SubmissionAnswer): readonly Refusal[] => {
  switch (answer.kind) {
    case "recorded": {
      const result = bodyOf(answer.record)?.result;
      if (result?.kind === "refused") return result.refusals;
      return answer.replayed ? [refuse("step-consumed", { cause: "answered", facts: { seq: answer.record.seq } })] : [];
    }
    case "key-reused":
      return [refuse("key-reused", { facts: { seq: answer.seq } })];
    case "overloaded":
      return [refuse("overloaded", {})];
    case "read-only":
      return [refuse("record-unwritten", answer.failure)];
    case "unknown":
      return [refuse("record-doubtful", answer.failure)];
  }
};
