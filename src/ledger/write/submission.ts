// What goes into the sequencer and what comes out of it.

import type { Instant, Sha256 } from "../../spine/model.ts";
import type { UnwrittenFailure } from "../failure.ts";
import type { Draft, LedgerRecord, Ulid } from "../record/record.ts";

/** A draft, and the blobs that it names. */
export type Decided = { readonly blobs?: ReadonlyMap<Sha256, Uint8Array>; readonly draft: Draft };

/**
 * Both are pure. `floor` is the latest process time in the ledger, and no decision is stamped earlier: a clock that is
 * behind or steps back is overruled by it, but for one that an operator accepts (floor.ts). A draft carries the caller
 * and the key of its submission.
 */
export type LedgerDecider<C, S> = {
  readonly initial: S;
  readonly decide: (state: S, command: C, floor: Instant | undefined) => Decided;
  readonly evolve: (state: S, record: LedgerRecord) => S;
};

export type Submission<C> = {
  readonly caller: string;
  readonly command: C;
  readonly key: Ulid;
  readonly lane: Lane;
};

/**
 * Brake: what stops something or takes a yes back. Outcome: what the process itself tells of an intent. Mutation: what
 * is asked for. Telemetry: what is pushed. lanes.ts has their bounds and their order.
 */
export type Lane = "brake" | "mutation" | "outcome" | "telemetry";

export type SubmissionAnswer =
  | { readonly kind: "recorded"; readonly record: LedgerRecord; readonly replayed: boolean }
  | { readonly kind: "key-reused"; readonly seq: number }
  | { readonly kind: "overloaded" }
  | { readonly kind: "read-only"; readonly failure: UnwrittenFailure }
  | { readonly kind: "unknown"; readonly failure: UnwrittenFailure };

export type WaitingSubmission<C> = {
  readonly submission: Submission<C>;
  readonly answer: (answer: SubmissionAnswer) => void;
};
