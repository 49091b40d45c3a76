// What a decision comes to. A refusal is a result like any other, and is recorded like any other. keeps P7-O2

import type { Draft, Ulid } from "../../ledger/record/record.ts";
import type { Instant, Refusal, Sha256, Verdict, Vmid } from "../../spine/model.ts";

/** Who may apply what is approved: the agent that asked for the plan, or whichever person confirms it. */
export type Appliers = { readonly kind: "agent"; readonly id: string } | { readonly kind: "people" };
/**
 * Why a plan carries no apply: it was made from a replay, a collection or telemetry; or it was asked for at the
 * ledger's own files where four eyes are required, and whoever is there may be anybody.
 */
export type Bar = "local-door" | "not-live";

export type Refused = { readonly kind: "refused"; readonly refusals: readonly [Refusal, ...Refusal[]] };

export type Result =
  | Refused
  | { readonly kind: "done" }
  | {
      readonly kind: "planned";
      readonly bars?: Bar; // why it carries no apply
      readonly complete: boolean;
      readonly content: Sha256; // of all of it but the observation
      readonly hash: Sha256;
      readonly observedAt?: Instant;
      readonly plan: Sha256; // the blob with the whole of it
      readonly policy?: Sha256; // the one it stands on; absent where nothing is tightened
      readonly refusals: number;
      readonly rules: number; // their version
      readonly section: Sha256; // of the environment's configuration, without the policy
      readonly inSync: number;
      readonly steps: { readonly root: Sha256; readonly size: number };
      readonly supersedes?: Ulid;
      readonly verdict: Verdict["kind"];
    }
  /** The same plan was made before and still stands: that one is the answer, with its end and its approvals. */
  | { readonly kind: "unchanged"; readonly endsAt: Instant; readonly plan: Ulid }
  /** Who may apply follows from who asked for the plan; never an input. */
  | { readonly kind: "approved"; readonly appliers: Appliers; readonly expiresAt: Instant }
  | {
      readonly kind: "observed";
      /** VMs with another identity than the remembered one, the first of them by number. */
      readonly changed?: { readonly count: number; readonly vmids: readonly Vmid[] };
      readonly identities?: Sha256; // the blob with what is remembered from here on
    }
  | { readonly kind: "identity-accepted"; readonly identities: Sha256; readonly was: string }
  /** `head`: the time that the ledger had come to. */
  | { readonly kind: "clock-accepted"; readonly head: Instant }
  | {
      readonly kind: "challenged";
      readonly expiresAt: Instant;
      readonly explanation: Sha256;
      readonly typedName: boolean;
    }
  | {
      readonly kind: "intended";
      /** Derived from the records of approval; never an input. */
      readonly approvedBy: readonly string[];
      readonly sendBy: Instant;
      readonly settleBy: Instant;
    }
  /** Late: the intent had an outcome already; this one is kept as a fact and changes nothing. */
  | { readonly kind: "ended"; readonly late: boolean };

export type ResultOf<K extends Result["kind"]> = Extract<Result, { readonly kind: K }>;

/** Their texts: who only decides again needs no bytes of them. */
export type Blobs = ReadonlyMap<Sha256, string>;
/** What was decided, as it would be recorded. */
export type DecidedInText = { readonly blobs?: Blobs; readonly draft: Draft };
export type Decision = { readonly blobs?: Blobs; readonly result: Result };

export const refused = (first: Refusal, ...rest: readonly Refusal[]): Decision => ({
  result: { kind: "refused", refusals: [first, ...rest] },
});
export const DONE: Decision = { result: { kind: "done" } };

/** Refused with every reason there is, or what `granted` comes to. */
export const unless = (refusals: readonly (Refusal | undefined)[], granted: () => Decision): Decision => {
  if (refusals.every((refusal) => refusal === undefined)) return granted();
  const [first, ...rest] = refusals.filter((refusal) => refusal !== undefined);
  return first === undefined ? granted() : refused(first, ...rest);
};
