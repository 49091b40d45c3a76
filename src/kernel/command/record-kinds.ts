// Every kind of record, and what it is under whichever rules: the lane in which its command waits, whether its request
// names values that lie in blobs, and whether somebody agrees by it to what they were shown. One row each, so that a
// new kind answers all of it or does not compile.
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
};

const MUTATION: RecordKind = { agrees: "never", lane: "mutation", namesBlobs: false };
const BRAKE: RecordKind = { ...MUTATION, lane: "brake" };
const OUTCOME: RecordKind = { ...MUTATION, lane: "outcome" };
const WITH_BLOBS: RecordKind = { ...MUTATION, namesBlobs: true };

export const RECORD_KINDS: Readonly<Record<RequestKind, RecordKind>> = {
  "accept-clock": MUTATION,
  "accept-identity": WITH_BLOBS,
  annotate: MUTATION,
  apply: { ...MUTATION, agrees: "confirmed" },
  approve: { ...MUTATION, agrees: "always" },
  cancel: BRAKE,
  challenge: { ...MUTATION, agrees: "always" },
  deny: BRAKE,
  dispatched: OUTCOME,
  freeze: BRAKE,
  ingest: { ...WITH_BLOBS, lane: "telemetry" },
  "ledger.checkpoint": MUTATION,
  "ledger.re-anchor": MUTATION,
  "ledger.restore": MUTATION,
  "ledger.seal": MUTATION,
  "ledger.unlock": MUTATION,
  "ledger.unseal": MUTATION,
  observe: WITH_BLOBS,
  outcome: OUTCOME,
  plan: WITH_BLOBS,
  reconcile: WITH_BLOBS,
  recover: OUTCOME,
  register: WITH_BLOBS,
  "request-approval": MUTATION,
  revoke: BRAKE,
  "sign-in": MUTATION,
  "sign-out": MUTATION,
  start: { ...WITH_BLOBS, lane: "outcome" },
  token: MUTATION,
  unfreeze: BRAKE,
};

/** Every act that the kernel records. keeps P7-S3: docs/SCOPE.md lists them. */
export const ACT_KINDS: readonly string[] = Object.keys(RECORD_KINDS);

export const isRecordKind = (kind: string): kind is RequestKind => Object.hasOwn(RECORD_KINDS, kind);
