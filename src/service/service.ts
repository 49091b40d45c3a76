// Everything that can be asked of Dedalus, as one interface. A command line, an HTTP door, an agent's tools and a
// console ask the same and get the same; a local service works on a ledger, a remote one asks a local one elsewhere.
//
// What it promises:
// - Callers and answers are values. No arguments, exit codes, paint, terminals or files of an operator are in it.
// - A caller is proven by its credential on the state that its request meets; nobody names themselves. keeps B2
// - A caller sees what is of the environments that it has a role in, and nothing else; what it does not see is refused
//   as unknown. What is of the whole ledger is for whoever audits or operates all of them. keeps B3
// - Every read names the head that it stands on. Whoever reads changes nothing, not even what is found to be over.
// - What writes is judged on the ledger as it is. A read of a service that lives long is answered from what it has
//   followed: its own writes at once, those of others within moments, so that a token that another process revoked may
//   read for as long. A read that names a record (`atLeast`) waits for it. While the ledger is not heard of, each read
//   asks it, and is refused with it.
// - A key belongs to what was asked here. It is looked up before anything is observed or called: the same request gets
//   the stored answer, marked `replayed`, and an apply its intent; another request conflicts. Of two at once one is
//   performed. What was refused on the way, and left no answering record, may be asked again under its key. keeps B6
// - apply answers when its intent is durable; what follows goes on, whoever leaves.
// - Intents past their end are ended as unknown when a request that writes comes, and at the start; never by a timer.
// - Nothing is observed or prepared for whoever may not ask for it; that refusal leaves no record.
// - Of the observations that are asked for, one of an environment at a time; a secret is read for each. An apply's own,
//   of the VM that it acts on, waits for none: its call has a deadline, and whoever observes could let it pass.
// - What must be writable is tested before anything is recorded; brakes (deny, revoke, cancel, freeze) do not wait for
//   it.
// - What a read shows of the clock (what has ended, what has expired) may be a second old where the same was read
//   before.
// - Before each request the anchor is held to be the one that was opened: what a fresh opening refuses is refused here
//   too.
// - After close every request is refused; what was asked before is finished, and what the anchor does not cover is
//   told.
// Not here: how (local-service.ts), what a refusal says (spine/words), acts on the ledger's own files
// (ledger-service.ts).

import type { Sha256 } from "../spine/model.ts";
import type { ClockAccepted, IdentityAccepted, IdentityRequest } from "./act/accept.ts";
import type { Allowances } from "./act/allowances.ts";
import type { AnnotateRequest, RemarkRecorded } from "./act/annotate.ts";
import type { ApplyPrepared, ApplyRequest, PlanToApply } from "./act/apply.ts";
import type { ApprovalWanted, ApproveRequest, DecisionRecorded, PlanCanceled } from "./act/decisions.ts";
import type { FreezeRecorded, FreezeRequest } from "./act/freeze.ts";
import type { IngestRequest, ObservationIngested } from "./act/ingest.ts";
import type { InvitationMade, InvitationRedeemed, InviteRequested, RedeemRequested } from "./act/invitation.ts";
import type { CheckpointSigned } from "./act/ledger-checkpoint.ts";
import type { PlanMade, PlanRequest } from "./act/make-plan.ts";
import type { ObservationShown } from "./act/observe.ts";
import type { Applying, LastQuestion } from "./act/perform-step.ts";
import type { Reconciled } from "./act/reconcile.ts";
import type { Registered, RegisterRequest } from "./act/register.ts";
import type { StepReviewed } from "./act/review-step.ts";
import type { SignInRecorded, SignInRequested, SignOutRecorded, SignOutRequested } from "./act/signing-in.ts";
import type { TokenMade, TokenNamed, TokenRequested, TokenRevoked } from "./act/token.ts";
import type { RefusedAnswer, ServiceAnswer } from "./answer.ts";
import type { ExamineRequest, InstallationExamined } from "./examine/examine.ts";
import type { Caller, CallerShown } from "./hold/callers.ts";
import type { Verified } from "./ledger/held-against.ts";
import type { Watch } from "./progress.ts";
import type { KeyAnswered } from "./read/answered.ts";
import type { InvitationFound, PasskeyFound } from "./read/at-the-door.ts";
import type { BlobRequest, BlobShown } from "./read/blob.ts";
import type { CheckpointList, CheckpointsRequest } from "./read/checkpoints.ts";
import type { ComparePlansRequest, PlansCompared } from "./read/compare-plans.ts";
import type { DesiredShown } from "./read/desired-shown.ts";
import type { Drift, DriftRequest } from "./read/drift.ts";
import type { EnvironmentList } from "./read/environments.ts";
import type { AnswerExplained, ExplainRequest, StepExplained, StepRequest } from "./read/explain-recorded.ts";
import type { ExportRequest, LedgerExport } from "./read/export.ts";
import type { Fleet, FleetRequest } from "./read/fleet.ts";
import type { InventoryRequest, InventoryShown } from "./read/import.ts";
import type { IntentFound } from "./read/intent-shown.ts";
import type { PeopleList } from "./read/people-list.ts";
import type { PlanList, PlanShown } from "./read/plans.ts";
import type { RecordPiece, RecordProven, RecordsRequest } from "./read/records.ts";
import type { ReplayedEqual, ReplayRequest } from "./read/replay-records.ts";
import type { RuleList } from "./read/rule-list.ts";
import type { LedgerStatus, StateShown, StatusRequest } from "./read/status.ts";
import type { TokenList } from "./read/tokens.ts";
import type { HistoryRequest, VmHistory } from "./read/vm-history.ts";
import type { VmRef } from "./read/vm-references.ts";
import type { VmRequest, VmShown } from "./read/vm-shown.ts";
import type { VmList, VmListRequest } from "./read/vms.ts";
import type { WhatIf, WhatIfRequest } from "./read/weigh-policy.ts";

/** One thing that can be asked. `watch` hears how it goes on, for whoever waits. */
export type Operation<R, T> = (caller: Caller, request: R, watch?: Watch) => Promise<ServiceAnswer<T>>;

/** The only environment where none is named. */
type AtEnvironment = { readonly environment?: string };
type OfPlan = { readonly plan: string };
type Because = { readonly reason: string };

/** Reads: they leave no record. */
export type Reads = {
  /** What became of a key of the caller's. */
  readonly answered: Operation<{ readonly key: string }, KeyAnswered>;
  /**
   * What is wrong with the installation, from its configuration on; with an environment its provider is asked too.
   * Where the ledger itself cannot be opened, that is the refusal, and the rest is examined at its files
   * (ledger-service.ts).
   */
  readonly examine: Operation<ExamineRequest, InstallationExamined>;
  /** What a record names by its digest, as it was stored; for whoever may see such a record. */
  readonly blob: Operation<BlobRequest, BlobShown>;
  /** The signed checkpoints that the anchor holds, a page at a time. */
  readonly checkpoints: Operation<CheckpointsRequest, CheckpointList>;
  /** What moved between two recorded plans, by VM. */
  readonly comparePlans: Operation<ComparePlansRequest, PlansCompared>;
  /** The registered entries of an environment, and the record that registered them. */
  readonly desired: Operation<AtEnvironment, DesiredShown>;
  /** Those that the caller has a role in, and under which terms each is changed; no provider is asked. */
  readonly environments: Operation<Readonly<Record<never, never>>, EnvironmentList>;
  /** What differs from what is registered, by an observation that is made for it and recorded nowhere. */
  readonly drift: Operation<DriftRequest, Drift>;
  readonly explain: Operation<ExplainRequest, AnswerExplained>;
  /** The whole ledger as files that a stranger verifies with the public key, while the service is open. */
  readonly export: Operation<ExportRequest, LedgerExport>;
  /** The registered VMs beside the newest recorded observation, judged as a plan would; no provider is asked. */
  readonly fleet: Operation<FleetRequest, Fleet>;
  /** Every record that concerns one VM, oldest first. */
  readonly history: Operation<HistoryRequest, VmHistory>;
  /** One intent of the last day or two, open or ended. */
  readonly intent: Operation<{ readonly intent: string }, IntentFound>;
  /**
   * What is at a provider, whether anybody wrote it down or not: for a person to edit, and never planning input. It
   * needs no ledger but to know whose token it is.
   */
  readonly inventory: Operation<InventoryRequest, InventoryShown>;
  /** Who signed in, what they may do now, and their open sessions. */
  readonly people: Operation<Readonly<Record<never, never>>, PeopleList>;
  readonly plans: Operation<Readonly<Record<never, never>>, PlanList>;
  /** One record with its path to a signed root. */
  readonly prove: Operation<{ readonly seq: number }, RecordProven>;
  /** The records themselves, as they come, while the service is open; also of a ledger whose anchor is lost. */
  readonly records: Operation<RecordsRequest, { readonly pieces: AsyncIterable<RecordPiece> }>;
  readonly replay: Operation<ReplayRequest, ReplayedEqual>;
  /** Every rule with the refusals behind it, in general words. */
  readonly rules: Operation<Readonly<Record<never, never>>, RuleList>;
  readonly showPlan: Operation<OfPlan, PlanShown>;
  readonly stateAfter: Operation<{ readonly at: number }, StateShown>;
  /** Also of a ledger whose anchor is lost, which is told beside it. */
  readonly status: Operation<StatusRequest, LedgerStatus>;
  readonly tokens: Operation<Readonly<Record<never, never>>, TokenList>;
  /**
   * The whole ledger, held against its anchor without trust in what is read. A broken one is an answer; whoever is
   * proven by a token is refused one that could not be read to know them.
   */
  readonly verify: Operation<Readonly<Record<never, never>>, Verified>;
  /** What is known of one VM, in one answer; no provider is asked. */
  readonly vm: Operation<VmRequest, VmShown>;
  /** The registered VMs, and how the last recorded observation saw each; no provider is asked. */
  readonly vms: Operation<VmListRequest, VmList>;
  /** What a policy would have refused of the recorded plans and applies, or asked more agreement for. */
  readonly whatIf: Operation<WhatIfRequest, WhatIf>;
  /** Who the credential proves, what they are granted, and until when it proves them. */
  readonly whoami: Operation<Readonly<Record<never, never>>, CallerShown>;
};

/** Acts: each leaves a record that answers it, granted or refused. */
export type Acts = {
  readonly acceptClock: Operation<Because, ClockAccepted>;
  readonly acceptIdentity: Operation<IdentityRequest, IdentityAccepted>;
  /** A remark on record, about one record or about none; nothing is decided by it. */
  readonly annotate: Operation<AnnotateRequest, RemarkRecorded>;
  /** One step, once. `isWanted` is asked a last time right before the claim. */
  readonly apply: (
    ...asked: [...Parameters<Operation<ApplyRequest, Applying>>, isWanted?: LastQuestion]
  ) => ReturnType<Operation<ApplyRequest, Applying>>;
  readonly approve: Operation<ApproveRequest, DecisionRecorded>;
  readonly cancel: Operation<OfPlan & Because, PlanCanceled>;
  /** Records that the explanation of a step was shown to the caller; the hash of it confirms the step once. */
  readonly challenge: Operation<StepRequest & { readonly here?: true }, StepExplained>;
  /** Size and root of the ledger, signed and appended to the anchor, and who asked for it. */
  readonly checkpoint: Operation<Readonly<Record<never, never>>, CheckpointSigned>;
  readonly createToken: Operation<TokenRequested, TokenMade>;
  readonly deny: Operation<StepRequest & Because, DecisionRecorded>;
  readonly freeze: Operation<FreezeRequest, FreezeRecorded>;
  /** An observation that a sensor brings: recorded as it is, and never what an apply stands on. */
  readonly ingest: Operation<IngestRequest, ObservationIngested>;
  /** Somebody may come once and set what they are known by; the link is in the first answer alone. */
  readonly invite: Operation<InviteRequested, InvitationMade>;
  readonly makePlan: Operation<PlanRequest, PlanMade>;
  readonly observe: Operation<AtEnvironment, ObservationShown>;
  readonly reconcile: Operation<AtEnvironment & { readonly vmid: VmRef }, Reconciled>;
  readonly register: Operation<RegisterRequest, Registered>;
  readonly requestApproval: Operation<ApprovalWanted, DecisionRecorded>;
  readonly revoke: Operation<StepRequest & Because & { readonly approval?: string }, DecisionRecorded>;
  readonly revokeToken: Operation<TokenNamed, TokenRevoked>;
  readonly rotateToken: Operation<Pick<TokenRequested, "days" | "name">, TokenMade>;
  /** Ends the caller's own session; with a name, as an operator, every session of that person. */
  readonly signOut: Operation<SignOutRequested, SignOutRecorded>;
  readonly unfreeze: Operation<FreezeRequest, FreezeRecorded>;
};

/**
 * What a serving process asks for somebody whom its door has proven, as itself (hold/callers.ts, `instance`). No caller
 * asks for it: it is no operation of the service, and has no route.
 */
export type DoorActs = {
  /** The open invitation whose secret has this hash. */
  readonly findInvitation: Operation<{ readonly secret: Sha256 }, InvitationFound>;
  /** The key of a passkey, and whose it is. */
  readonly findPasskey: Operation<{ readonly credential: string }, PasskeyFound>;
  readonly redeem: Operation<RedeemRequested, InvitationRedeemed>;
  readonly signIn: Operation<SignInRequested, SignInRecorded>;
};

export type Service = Reads &
  Acts & {
    /** What the kernel would answer the caller's acts now; it leaves no record. */
    readonly allowances: Operation<AtEnvironment, Allowances>;
    /** Waits for what it performs, and closes. What could not be kept beside what was recorded is told. */
    readonly close: () => Promise<readonly RefusedAnswer[]>;
    /** What a walk over a plan must know first. It leaves no record of its own. */
    readonly prepareApply: Operation<PlanToApply, ApplyPrepared>;
    /** What whoever decides on a step reads first, and what they would be answered. It leaves no record of its own. */
    readonly review: Operation<StepRequest, StepReviewed>;
  };
