// What a service answers: the value that was asked for, or refusals with how far it had come. Values, so that every
// door can render them: an exit code, a problem document, a tool's result.
//
// Refusals are told apart by their code. A caller is never left in doubt whether anything was executed. Not here: the
// domain of a code (domains.ts), sentences (spine/words), exit codes (cli).

import type { Problem } from "../formats/problem.ts";
import type { Head } from "../ledger/engine.ts";
import { readRefusal } from "../ledger/open.ts";
import type { LedgerRecord } from "../ledger/record/record.ts";
import type { Refusal } from "../spine/model.ts";
import type { Gap } from "../spine/observed-codes.ts";
import type { Where } from "../spine/rules/next-steps.ts";
import type { RefusalCode } from "../spine/rules/refusals.ts";
import { type Domain, domainOf } from "./domains.ts";

export type Execution = "executed" | "not_executed" | "unknown";

/** Whole where the ledger is at hand; whoever asks from elsewhere is told its number. */
export type AnsweringRecord = Pick<LedgerRecord, "seq"> & Partial<LedgerRecord>;

export type OkAnswer<T> = {
  readonly kind: "ok";
  readonly value: T;
  /** The ledger that the value stands on. */
  readonly head: Head;
  /** The record that answers, where the request left one. */
  readonly record?: AnsweringRecord;
  /** This key was answered before: the value is of the stored record, and nothing was done. */
  readonly replayed: boolean;
  /** What else went wrong, and changes nothing of the above: a checkpoint that could not be kept. */
  readonly beside?: readonly RefusedAnswer[];
};

export type RefusedAnswer = {
  readonly kind: "refused";
  readonly domain: Domain;
  readonly outcome: Execution;
  readonly refusals: readonly (Refusal | Problem)[];
  /** This key was answered before, and so. */
  readonly replayed?: true;
  /** What the request was about, for the next step of whoever asked. */
  readonly where?: Where;
  /** What else went wrong: what was recorded of the refusal could not be kept outside the ledger. */
  readonly beside?: readonly RefusedAnswer[];
  /** Why nothing was seen when the provider was observed for this: everything there is unknown. */
  readonly unanswered?: Gap;
};

export type ServiceAnswer<T> = OkAnswer<T> | RefusedAnswer;

/** Codes that say of themselves that nobody knows. */
const DOUBTFUL: ReadonlySet<RefusalCode> = new Set(["record-doubtful", "reply-lost"]);
export const executionOf = (code: RefusalCode): Execution => (DOUBTFUL.has(code) ? "unknown" : "not_executed");

const answerOf = (
  domain: Domain,
  refusals: RefusedAnswer["refusals"],
  outcome: Execution = "not_executed",
): RefusedAnswer => ({ domain, kind: "refused", outcome, refusals });

/** What was asked cannot be, as it was said. */
export const refusedInput = (refusals: RefusedAnswer["refusals"]): RefusedAnswer => answerOf("input", refusals);

/** The rules refuse it, whatever the ledger's own state is. */
export const refusedByRule = (refusal: Refusal): RefusedAnswer => answerOf("kernel", [refusal]);

/** One refusal, in the domain of its code. */
export const refusedBy = (refusal: Refusal): RefusedAnswer =>
  answerOf(domainOf(refusal.code), [refusal], executionOf(refusal.code));

/** Refusals of the kernel: whatever was asked was not done. One of the ledger itself speaks for all. */
export const refusedByKernel = (refusals: readonly Refusal[]): RefusedAnswer => {
  const ofLedger = refusals.find(({ stage }) => stage === "ledger");
  return ofLedger === undefined ? answerOf("kernel", refusals) : refusedBy(ofLedger);
};

/** What was asked is done; something beside it could not be. */
export const refusedBeside = (refusal: Refusal): RefusedAnswer => answerOf("input", [refusal], "executed");

/** What went wrong while the ledger was read; a bug rises. */
export const unreadable = (error: unknown): RefusedAnswer => refusedBy(readRefusal(error));

export const isRefused = (value: object): value is RefusedAnswer =>
  "kind" in value && value.kind === "refused" && "domain" in value;
