// The closed catalogue of commands: what can be asked of the kernel, and what comes with the asking. keeps B7
//
// A command is data: who asks, when, from which process and with which configuration. Its request is recorded word for
// word; large values (a desired state, an observation) come beside it as `given` and are recorded by their digest, as
// blobs. Not here: whether it is granted (decide.ts).

import type { AnchorClaim } from "../../ledger/anchor/anchor-claim.ts";
import type { OwnerGone } from "../../ledger/engine.ts";
import type { ReadOnlyFailure } from "../../ledger/failure.ts";
import type { Actor, Ulid } from "../../ledger/record/record.ts";
import type { Root } from "../../ledger/verify/chain-state.ts";
import type {
  Action,
  DesiredState,
  DesiredVm,
  Instant,
  Observation,
  OutcomeEnd,
  PlanStep,
  Scope,
  Sha256,
  Vmid,
} from "../../spine/model.ts";
import type { RefusalCode } from "../../spine/rules/refusals.ts";
import type { Identities } from "../../spine/values/identities.ts";
import type { IssuedIdentity } from "./proposed-subject.ts";
import type { RecordedConfig } from "./recorded-config.ts";
import type { Grants } from "./role-grants.ts";

/** One step of a recorded plan: the step itself, and the proof that the plan whose root is recorded holds it there. */
export type StepRef = {
  readonly index: number;
  readonly plan: Ulid;
  readonly proof: readonly Sha256[]; // empty where the challenge that is confirmed has shown it
  readonly step: PlanStep;
};

/**
 * The entry of a step's VM as it is registered, and the proof that the registration whose root is recorded holds it.
 */
export type EntryRef = {
  readonly entry: DesiredVm;
  readonly index: number;
  readonly proof: readonly Sha256[];
};
/** "none" where the door found no entry of the VM. */
export type RegisteredEntry = EntryRef | "none";

/** A step that somebody agrees to or applies, with what is registered for its VM at this moment. */
type OfStep = {
  readonly of: StepRef;
  readonly registered?: RegisteredEntry; // left out where the challenge that is confirmed was judged on it
};

/** What is asked, by its kind. So it stands in the body of its record, which has the kind itself. */
export type Requests = {
  readonly start: Bringing & {
    readonly anchor?: AnchorClaim; // what the process found of its anchor; a shorter one is not its anchor any more
    readonly contract: Sha256; // the text of DESIGN.md that the program serves
    readonly serves?: Sha256; // a serving process: the digest of what rules at its door (serving.ts)
    readonly words: Sha256; // the blob with the catalogue of words that the program shows
  };
  readonly register: {
    readonly before?: Sha256; // what was registered when it was compared with that; absent where nothing was
    readonly desired: Sha256;
    readonly root: Sha256;
    readonly vms: number;
  };
  readonly observe: ObservationRequest;
  /** Pushed by the provider; recorded, and never the observation that an apply stands on. */
  readonly ingest: ObservationRequest;
  readonly plan: {
    readonly observation: Ulid; // the observation's record
    readonly request?: { readonly action: Action; readonly vmid: Vmid };
    readonly scope: Scope;
  };
  readonly cancel: { readonly plan: Ulid; readonly reason: string };
  readonly "request-approval": OfStep & {
    readonly reason?: string; // for whoever decides; it decides nothing
  };
  readonly approve: OfStep & {
    readonly explanation: Sha256; // what the person was shown
    readonly reason: string;
    readonly until?: Instant; // never beyond the step's own end
  };
  readonly deny: { readonly of: StepRef; readonly reason: string };
  readonly revoke: { readonly approval: Ulid; readonly plan: Ulid; readonly reason: string };
  readonly challenge: OfStep & {
    readonly here?: true; // asked at a terminal: only the process that asked may confirm with it
  };
  readonly apply: OfStep & { readonly confirmation?: Confirmation };
  readonly dispatched: { readonly intent: Ulid; readonly reference: string };
  readonly outcome: OutcomeEnd & { readonly intent: Ulid; readonly reference?: string };
  readonly recover: { readonly ground: OwnerGone | "past-settle-by"; readonly intent: Ulid };
  readonly reconcile: { readonly intent: Ulid; readonly observation: Ulid }; // the observation's record
  readonly freeze: { readonly reason: string };
  readonly unfreeze: { readonly reason: string };
  readonly token: TokenRequest;
  /** Of somebody whom the service proved; the session is a token that ends, and is recorded as one. */
  readonly "sign-in": { readonly by: SignedInBy; readonly session: NewToken; readonly subject: string };
  readonly "sign-out": SignOutRequest;
  /** Somebody may come once, by a secret that is shown to them alone; it is known here by its hash. */
  readonly invite: {
    readonly expiresAt: Instant;
    readonly grants: Grants;
    readonly secret: Sha256;
    readonly subject: string;
  };
  /** Who was invited came, and set what they will be known by. */
  readonly redeem: { readonly by: RedeemedBy; readonly secret: Sha256; readonly subject: string };
  /**
   * The clock of the machine, as the command was stamped by it, in the place of a head from the future. `size` binds it
   * to the very head that was seen: whatever came in between may have begun after the stamp.
   */
  readonly "accept-clock": { readonly reason: string; readonly size: number };
  /** Another VM than the remembered one is meant by this number: the one that the observation shows. */
  readonly "accept-identity": {
    readonly identity: string;
    readonly observation: Ulid; // the observation's record
    readonly reason: string;
    readonly vmid: Vmid;
  };
  readonly "ledger.checkpoint": Bringing & { readonly anchor: string };
  readonly "ledger.restore": Bringing & {
    readonly anchored?: Root; // the most that the anchor covered; whatever is beyond the backup is lost
    readonly copy: Sha256; // the id of this very ledger, as its marks have it
    readonly reason: string;
    readonly root: Sha256; // of the backup
    readonly size: number; // of the backup: the record's own place
  };
  readonly "ledger.unlock": Bringing & {
    readonly reason: string;
    readonly why?: ReadOnlyFailure; // it took no writes
  };
  readonly "ledger.seal": Bringing & {
    readonly copy: Sha256; // the id of the copy that goes on
    readonly root: Sha256;
    readonly size: number; // what was copied: the seal's own place
    readonly to: string;
  };
  readonly "ledger.unseal": Bringing & { readonly copy: Sha256; readonly reason: string };
  /** One more instance at a ledger with records: it was held against a checkpoint of one that is there. */
  readonly "ledger.join": Bringing & {
    readonly held: Root & { readonly key: Sha256 }; // the checkpoint, and whose it is
    readonly key: Sha256; // of the instance that joins
    readonly reason: string;
    readonly root: Sha256; // of the records that were verified and are accepted
    readonly size: number;
  };
  readonly "ledger.re-anchor": Bringing & {
    readonly found: RefusalCode; // what was wrong with the anchor
    readonly notes: number; // how many of its checkpoints could still be believed
    readonly reason: string;
    readonly root: Sha256; // of the records that were verified and are accepted
    readonly size: number;
  };
  readonly annotate: { readonly about?: Ulid; readonly text: string };
};

/** The configuration that a process acts under, recorded whole, and the rules that its program decides by. */
export type Bringing = { readonly config: RecordedConfig; readonly rules: number; readonly version: string };

/** A token is named by its public id, which tells nothing of it; itself it is shown once and recorded nowhere. */
export type TokenRequest =
  | (NewToken & {
      readonly act: "create";
      readonly subject: { readonly grants: Grants; readonly id: string; readonly kind: "person" | "agent" };
    })
  | (NewToken & { readonly act: "rotate"; readonly subject: string })
  | { readonly act: "revoke"; readonly token: string };
export type NewToken = {
  readonly expiresAt: Instant;
  readonly hash: Sha256; // of the token
  readonly token: string;
};

/** By a provider of identities. `name` is what it calls them, for display only. */
export type SignedInByOidc = IssuedIdentity & {
  readonly groups: readonly string[]; // those that the configuration names, sorted
  readonly kind: "oidc";
  readonly name?: string;
};
/** How the service proved who signs in: by a provider, or by the passkey that they set when they were invited. */
export type SignedInBy = SignedInByOidc | { readonly credential: string; readonly kind: "passkey" };

/** The public half of a passkey (WebAuthn), in base64url; the private one never leaves its owner's device. */
export type Passkey = {
  readonly algorithm: PasskeyAlgorithm;
  readonly credential: string; // its id
  readonly publicKey: string; // SubjectPublicKeyInfo
};
export type PasskeyAlgorithm = "ES256" | "EdDSA" | "RS256";
export type RedeemedBy = ({ readonly kind: "passkey" } & Passkey) | ({ readonly kind: "token" } & NewToken);

/** One's own session, by its public id; or an operator's act on everything by which a person is known. */
export type SignOutRequest =
  | { readonly ends: "session"; readonly token: string }
  | { readonly ends: "person"; readonly reason: string; readonly subject: string };

/** What an observation was asked to see: all that was registered then, or these VMs of it. */
export type ObservationCovers = { readonly registered: Sha256; readonly scope?: readonly Vmid[] };

type ObservationRequest = {
  readonly complete: boolean;
  /** For display: whose absence it tells of. Absent where nobody was asked, as with what a sensor brings. */
  readonly covers?: ObservationCovers;
  readonly gaps: number;
  readonly observation: Sha256;
  readonly observedAt?: Instant;
  /** The provider's own clock at the end of the observation; absent where it shows none. */
  readonly providerTime?: Instant;
  /** How long it took, by one clock that never steps back; it is so much older than its record. */
  readonly tookMs?: number;
  readonly vms: number;
};

export type RequestKind = keyof Requests;
/** Kinds whose request brings the configuration, so that no record before has to. */
export type BringingKind = { [K in RequestKind]: Requests[K] extends Bringing ? K : never }[RequestKind];
/** A request with its kind, as doors say it. */
export type RequestOf<K extends RequestKind> = { [Kind in K]: { readonly kind: Kind } & Requests[Kind] }[K];
export type Request = RequestOf<RequestKind>;

/** The applier's own yes to an explanation; `name` is the VM's name, typed, where nothing can be undone. */
export type Confirmation = { readonly challenge: Ulid; readonly explanation: Sha256; readonly name?: string };

/**
 * Local: at the ledger's own files, as its operator or with a token. Service: through a running service, with a token
 * or a session. Agent: through a running service too, where agents alone are known and ask for what is listed for them.
 */
export type Door = "agent" | "local" | "service";

export type Command<K extends RequestKind = RequestKind> = {
  [Kind in K]: Circumstances & { readonly kind: Kind; readonly request: Requests[Kind] };
}[K];

/** Who asks, when, from which process and under which configuration. */
type Circumstances = {
  readonly actor: Actor;
  readonly asked?: Sha256; // the digest of what the door was asked under this key
  readonly at: Instant; // stamped once, before deciding
  readonly causationId?: Ulid;
  readonly configHash: Sha256;
  readonly correlationId: Ulid;
  readonly door: Door;
  readonly environment?: string;
  /** Values that the request or the state names by digest; the decision checks that they are those. */
  readonly given?: {
    readonly identities?: Identities;
    readonly observation?: Observation;
    readonly desired?: DesiredState;
    readonly words?: string; // the canonical text of the catalogue
  };
  readonly id: Ulid;
  readonly instance: Ulid;
  readonly key: Ulid; // idempotency key of this caller
  /** The public id of the token by which the actor was proven; absent where none was shown. */
  readonly token?: string;
  /** The catalogue of words in which somebody was shown what they agree to; absent where nothing is agreed to. */
  readonly words?: Sha256;
};
