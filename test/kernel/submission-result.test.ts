// What the ledger's answers mean to whoever asked: only a fresh record is something to act on.

import assert from "node:assert/strict";
import { test } from "node:test";
import { claimOf } from "../../src/kernel/apply/claim.ts";
import { answerRefusals, resultOf } from "../../src/kernel/command/submission-result.ts";
import type { LedgerRecord } from "../../src/ledger/record/record.ts";
import type { SubmissionAnswer } from "../../src/ledger/write/submission.ts";
import { cannot } from "../cannot.ts";
import { apply, planned, story } from "./story.ts";

const intent = (): LedgerRecord => {
  const told = story();
  apply(told, planned(told).of);
  return told.records.at(-1) ?? assert.fail("there is a record");
};
const recorded = (replayed: boolean): SubmissionAnswer => ({ kind: "recorded", record: intent(), replayed });

cannot("B6", "perform on the strength of an answer that was given before", {
  neighbour: () => answerRefusals(recorded(false)),
  offence: () => answerRefusals(recorded(true)).filter(() => claimOf(recorded(true)) === undefined),
});
cannot("B6", "take a used key for another request", {
  neighbour: () => answerRefusals(recorded(false)),
  offence: () => answerRefusals({ kind: "key-reused", seq: 3 }).filter(({ code }) => code === "key-reused"),
});

test("a fresh record of a granted apply is a claim, and nothing else is", () => {
  assert.notEqual(claimOf(recorded(false)), undefined);
  const told = story();
  told.ask({ kind: "annotate", text: "hello" });
  const note = told.records.at(-1) ?? assert.fail("there is a record");
  assert.equal(claimOf({ kind: "recorded", record: note, replayed: false }), undefined);
  assert.deepEqual(resultOf({ kind: "recorded", record: note, replayed: false }), { kind: "done" });
  const refusedApply = story();
  const { of } = planned(refusedApply);
  refusedApply.ask({ kind: "apply", of });
  const refused = refusedApply.records.at(-1) ?? assert.fail("there is a record");
  assert.equal(claimOf({ kind: "recorded", record: refused, replayed: false }), undefined);
});

test("what was not recorded says why, under its own code", () => {
  const answers: readonly (readonly [SubmissionAnswer, string])[] = [
    [{ kind: "overloaded" }, "overloaded"],
    [{ failure: { cause: "closing", facts: {} }, kind: "read-only" }, "record-unwritten"],
    [{ failure: { cause: "connection-lost", facts: { name: "postgres db" } }, kind: "unknown" }, "record-doubtful"],
  ];
  for (const [answer, code] of answers) {
    assert.deepEqual(
      answerRefusals(answer).map((refusal) => refusal.code),
      [code],
    );
    assert.equal(claimOf(answer), undefined);
    assert.equal(resultOf(answer), undefined);
  }
});
