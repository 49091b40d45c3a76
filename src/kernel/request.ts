// The closed catalogue of commands: what can be asked of the kernel, and what comes with the asking. keeps B7
//
// A command is data: who asks, when, from which process and with which configuration. Its request is recorded word for
// word; large values (wishes, an observation) come beside it as `given` and are recorded by their digest, as blobs.
// Not here: whether it is granted (decide.ts).

import type { Actor, Ulid } from "../ledger/record.ts";
import type { Action, Instant, Observation, PlanStep, Scope, Sha256, Vmid, Wishes } from "../spine/model.ts";
import type { ConfigSnapshot } from "./config-snapshot.ts";

/** One step of a recorded plan: the step itself, and the proof that the plan whose root is recorded holds it there. */
export type StepRef = {
  readonly index: number;
  readonly plan: Ulid;
  readonly proof: readonly Sha256[]; // empty where the challenge that is confirmed has shown it
  readonly step: PlanStep;
};

export type Role = "observer" | "operator" | "approver" | "auditor" | "agent";

export type Request =
  | { readonly kind: "start"; readonly config: ConfigSnapshot; readonly version: string }
  | { readonly kind: "desire"; readonly vms: number; readonly wishes: Sha256 }
  | LookRequest<"observe">
  | LookRequest<"ingest"> // pushed by the place; recorded, and never the look that an apply stands on
  | {
      readonly kind: "plan";
      readonly look: Ulid; // the observation's record
      readonly request?: { readonly action: Action; readonly vmid: Vmid };
      readonly scope: Scope;
    }
  | { readonly kind: "cancel"; readonly plan: Ulid; readonly reason: string }
  | { readonly kind: "request-approval"; readonly of: StepRef }
  | {
      readonly kind: "approve";
      readonly explanation: Sha256; // what the person was shown
      readonly of: StepRef;
      readonly reason: string;
      readonly until?: Instant; // never beyond the step's own end
    }
  | { readonly kind: "deny"; readonly of: StepRef; readonly reason: string }
  | { readonly kind: "revoke"; readonly approval: Ulid; readonly plan: Ulid; readonly reason: string }
  | { readonly kind: "challenge"; readonly of: StepRef }
  | { readonly kind: "apply"; readonly confirmation?: Confirmation; readonly of: StepRef }
  | { readonly kind: "dispatched"; readonly intent: Ulid; readonly reference: string }
  | {
      readonly kind: "outcome";
      readonly because: string;
      readonly intent: Ulid;
      readonly outcome: OutcomeKind;
      readonly reference?: string;
    }
  | { readonly kind: "recover"; readonly ground: "owner-ended" | "past-settle-by"; readonly intent: Ulid }
  | { readonly kind: "reconcile"; readonly intent: Ulid; readonly look: Ulid } // the observation's record
  | { readonly kind: "freeze"; readonly reason: string }
  | { readonly kind: "unfreeze"; readonly reason: string }
  | {
      readonly kind: "token";
      readonly act: "create" | "revoke";
      readonly hash: Sha256; // of the token; the token itself is shown once and recorded nowhere
      readonly subject: { readonly id: string; readonly kind: "person" | "agent"; readonly roles: readonly Role[] };
    }
  | { readonly kind: "rearm"; readonly reason: string }
  | { readonly kind: "annotate"; readonly about?: Ulid; readonly text: string };

type LookRequest<K extends string> = {
  readonly kind: K;
  readonly complete: boolean;
  readonly gaps: number;
  readonly observation: Sha256;
  readonly observedAt?: Instant;
  readonly vms: number;
};

export type RequestKind = Request["kind"];
export type RequestOf<K extends RequestKind> = Extract<Request, { readonly kind: K }>;

export type OutcomeKind = "succeeded" | "failed" | "unknown";

/** The applier's own yes to an explanation; `name` is the VM's name, typed, where nothing can be undone. */
export type Confirmation = { readonly challenge: Ulid; readonly explanation: Sha256; readonly name?: string };

/** Local: whoever can write the ledger's own files. Service: a token was shown. */
export type Door = "local" | "service";

export type Command<R extends Request = Request> = {
  readonly actor: Actor;
  readonly at: Instant; // stamped once, before deciding
  readonly causationId?: Ulid;
  readonly configHash: Sha256;
  readonly correlationId: Ulid;
  readonly door: Door;
  readonly environment?: string;
  /** Values that the request names by digest; the decision checks that they are those. */
  readonly given?: { readonly observation?: Observation; readonly wishes?: Wishes };
  readonly id: Ulid;
  readonly instance: Ulid;
  readonly key: Ulid; // idempotency key of this caller
  readonly request: R;
};
