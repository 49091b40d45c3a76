// Every kind of record, and what it is under whichever rules: the lane in which its command waits, whether its request
// names values that lie in blobs, whether somebody agrees by it to what they were shown, and whether it is of an
// environment. One row each, so that a new kind answers all of it or does not compile.
//
// Not here: what a version of the rules can change: who may ask (decide/actors.ts), what decides and what a freeze
// stops (decide/decide.ts), what a record does to the state (evolve/evolve.ts).

import type { Lane } from "../../ledger/write/submission.ts";
import type { RequestKind } from "./request.ts";

type RecordKind = {
  /** `confirmed`: where the request answers a challenge. */
  readonly agrees: "always" | "confirmed" | "never";
  readonly lane: Lane;
  readonly namesBlobs: boolean;
  /** `whole`: of the ledger or of all environments, never of one; `either`: of one, or of all where none is named. */
  readonly of: "either" | "environment" | "whole";
};

const MUTATION: RecordKind = { agrees: "never", lane: "mutation", namesBlobs: false, of: "environment" };
const BRAKE: RecordKind = { ...MUTATION, lane: "brake" };
const OUTCOME: RecordKind = { ...MUTATION, lane: "outcome" };
const WITH_BLOBS: RecordKind = { ...MUTATION, namesBlobs: true };
const WHOLE: RecordKind = { ...MUTATION, of: "whole" };

export const RECORD_KINDS: Readonly<Record<RequestKind, RecordKind>> = {
  "accept-clock": WHOLE,
  "accept-identity": WITH_BLOBS,
  annotate: { ...MUTATION, of: "either" },
  apply: { ...MUTATION, agrees: "confirmed" },
  approve: { ...MUTATION, agrees: "always" },
  cancel: BRAKE,
  challenge: { ...MUTATION, agrees: "always" },
  deny: BRAKE,
  dispatched: OUTCOME,
  freeze: { ...BRAKE, of: "either" },
  ingest: { ...WITH_BLOBS, lane: "telemetry" },
  invite: WHOLE,
  "ledger.checkpoint": WHOLE,
  "ledger.join": WHOLE,
  "ledger.re-anchor": WHOLE,
  "ledger.restore": WHOLE,
  "ledger.seal": WHOLE,
  "ledger.unlock": WHOLE,
  "ledger.unseal": WHOLE,
  observe: WITH_BLOBS,
  outcome: OUTCOME,
  plan: WITH_BLOBS,
  reconcile: WITH_BLOBS,
  recover: OUTCOME,
  redeem: WHOLE,
  register: WITH_BLOBS,
  "request-approval": MUTATION,
  revoke: BRAKE,
  "sign-in": WHOLE,
  "sign-out": WHOLE,
  start: { ...WITH_BLOBS, lane: "outcome", of: "whole" },
  token: WHOLE,
  unfreeze: { ...BRAKE, of: "either" },
};

/** Every act that the kernel records. keeps P7-S3: docs/SCOPE.md lists them. */
export const ACT_KINDS: readonly string[] = Object.keys(RECORD_KINDS);

export const isRecordKind = (kind: string): kind is RequestKind => Object.hasOwn(RECORD_KINDS, kind);
