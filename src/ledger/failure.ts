// Why the ledger, or what stands around it, did not do what it was asked: closed causes with typed facts, one type for
// each concern. Programs tell them apart by `cause`; people read the words of the same tables (spine/words/).
//
// Not here: the words themselves; damage of what is stored (verify/damage.ts).

import type { Refusal } from "../spine/model.ts";
import { refuse } from "../spine/rules/refusals.ts";
import type { FailureIn } from "../spine/words/cause.ts";
import type {
  ANCHOR_UNFIT_WORDS,
  KEY_WORDS,
  NOTE_WORDS,
  PROOF_WORDS,
  READ_ONLY_WORDS,
  SAVED_STATE_WORDS,
  SERVER_WORDS,
  UNWRITTEN_WORDS,
  VKEY_WORDS,
} from "../spine/words/causes/engine-words.ts";
import type { RECORD_FLAWS, STORE_FLAWS } from "../spine/words/causes/flaw-words.ts";

/** Why an engine takes no writes. */
export type ReadOnlyFailure = FailureIn<typeof READ_ONLY_WORDS>;
/** Why a record was not written, or is not known to be. */
export type UnwrittenFailure = FailureIn<typeof UNWRITTEN_WORDS>;
export type ServerFailure = FailureIn<typeof SERVER_WORDS>;
export type VkeyFailure = FailureIn<typeof VKEY_WORDS>;
export type NoteFailure = FailureIn<typeof NOTE_WORDS>;
export type ProofFailure = FailureIn<typeof PROOF_WORDS>;
export type KeyCause = keyof typeof KEY_WORDS | "open-to-others";
export type AnchorUnfitness = FailureIn<typeof ANCHOR_UNFIT_WORDS>;
export type SavedStateRemark = FailureIn<typeof SAVED_STATE_WORDS>;
/** What is wrong with one record. */
export type RecordFlaw = FailureIn<typeof RECORD_FLAWS>;
/** What is wrong with what stands beside the records. */
export type StoreFlaw = FailureIn<typeof STORE_FLAWS>;
export type Flaw = RecordFlaw | StoreFlaw;

/**
 * Thrown where a read cannot be answered and nothing is known to be damaged: a server that is gone, a disk that fails.
 */
export class LedgerUnread extends Error {
  readonly refusal: Refusal;
  readonly failure: Extract<UnwrittenFailure, ServerFailure | { readonly cause: "read-failed" }>;

  constructor(failure: LedgerUnread["failure"]) {
    super(`the ledger cannot be read: ${failure.cause}`);
    this.name = "LedgerUnread";
    this.failure = failure;
    this.refusal = failure.cause === "read-failed" ? refuse("ledger-unusable", failure) : serverRefusal(failure);
  }
}

/** The refusal of a ledger whose server did not do what it was asked. */
export const serverRefusal = (failure: ServerFailure): Refusal => {
  switch (failure.cause) {
    case "connection-lost":
    case "unreachable":
      return refuse("ledger-unreachable", failure);
    case "untrusted":
      return refuse("ledger-untrusted", failure);
    default:
      return refuse("ledger-unusable", failure);
  }
};
