// The words of the spine as types: what is desired, what was observed, what is answered.
//
// These are the values at the seams; every other room speaks them. Objects that are hashed list their keys in
// alphabetical order wherever they are built, so that JSON.stringify already gives RFC 8785 (canonical.ts).
// Not here: how text becomes these values (formats/), how an adapter fills them (adapters/). keeps P7-E1: one step
// holds one action on one VM; there is no list of actions to put a second one in.

import type { Diagnostic } from "./diagnostic-codes.ts";
import type { BlockerCode, Doubt, Gap, Stated } from "./observed-codes.ts";
import type { RuleId } from "./rules/invariants.ts";
import type { OutcomeCause } from "./rules/outcome-causes.ts";
import type { RefusalCode } from "./rules/refusals.ts";

type Brand<T, B extends string> = T & { readonly __is: B };

export type Vmid = Brand<number, "Vmid">;
export type Sha256 = Brand<string, "Sha256">;
export type Instant = Brand<string, "Instant">; // RFC 3339, UTC, milliseconds

/**
 * Large enough for every provider we know (Proxmox VE stops at 999,999,999), small enough to sort as one exact number.
 */
export const VMID_MAX = 999_999_999;

export const isVmid = (value: unknown): value is Vmid =>
  typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= VMID_MAX;

/**
 * Who gave the VMs of an environment their numbers. Where the operator did, an entry's identity says which VM it means.
 */
export type Numbers = "operator" | "provider";

export type Tier = "read" | "low" | "medium" | "high" | "irreversible";
/** What must come together before a step of a tier is performed; refused where nobody's agreement is enough. */
export type TierNeeds =
  | "refused"
  | {
      readonly approvals: number;
      readonly confirmation: boolean;
      /** Whether whoever asked or applies may be among those who approve. */
      readonly ownCounts: boolean;
      readonly typedName: boolean;
    };
/** What happens to the guest's execution when the step is performed. */
export type Power = "none" | "starts" | "interrupts" | "stops";
export type Undo = "reversible" | "lossy" | "irreversible";

export type PlainActionKind =
  | "vm.start"
  | "vm.shutdown"
  | "vm.stop"
  | "vm.reboot"
  | "vm.reset"
  | "vm.suspend"
  | "vm.resume"
  | "vm.delete";
export type SnapshotActionKind = "vm.snapshot.create" | "vm.snapshot.rollback" | "vm.snapshot.delete";

export type Action =
  | { readonly kind: PlainActionKind }
  | { readonly kind: "vm.resize"; readonly cpus?: number; readonly memory?: number }
  | { readonly kind: SnapshotActionKind; readonly snapshot: string }
  | { readonly kind: "vm.clone"; readonly name: string; readonly to: Vmid }
  | { readonly kind: "vm.migrate"; readonly node: string };
export type ActionKind = Action["kind"];

/** What the provider forbids at the moment (lock, template, no quorum …): a code of a closed table, with its facts. */
export type Blocker = Stated<BlockerCode> & { readonly actions: "all" | readonly ActionKind[] };

/**
 * Names in ascending order; `parent` is the snapshot that the current state goes back to. `withRam` names those that
 * hold the guest's memory besides its disks, and is absent when the observation does not tell: then nothing is rolled
 * back (N1).
 */
export type Snapshots = {
  readonly names: readonly string[];
  readonly parent?: string;
  readonly withRam?: readonly string[];
};

/**
 * What an adapter says of one VM. Stable between two observations unless something really changed: no times, no
 * counters.
 */
export type VmState = {
  readonly because?: Doubt; // why unknown
  readonly blockers?: readonly Blocker[];
  readonly boot?: string; // opaque: changes when it was started anew
  readonly cpus?: number;
  readonly identity?: string; // opaque: the same VM as before?
  readonly kind: "vm" | "ct";
  readonly maxmem?: number; // bytes
  readonly name: string;
  /** Where it is, by the provider's own name: part of the observation, of no basis, and never decided on. */
  readonly node?: string;
  readonly paused?: true; // running, guest not executing
  /** Sizes that are configured and wait for a restart; absent when what is configured is what runs. */
  readonly pending?: { readonly cpus?: number; readonly maxmem?: number };
  readonly resize?: "hot" | "restart"; // absent means restart
  readonly revision?: string; // opaque: the same configuration as before?
  readonly snapshots?: Snapshots; // absent when the observation did not ask for them
  /** For display only: never hashed, never decided on. */
  readonly source: string;
  readonly status: "running" | "stopped" | "unknown";
  readonly tags?: readonly string[];
  readonly vmid: Vmid;
};

export type Observation = {
  readonly complete: boolean; // may absence be believed?
  readonly environment: string;
  readonly gaps: readonly Gap[]; // what could not be seen
  /** Absent when the input does not say (a bare list); such an observation is never fresh enough to act on. */
  readonly observedAt?: Instant;
  readonly version: 1;
  readonly vms: readonly VmState[]; // ascending vmid, unique
};
/** The digest is the SHA-256 of the canonical observation, which is also its blob address. */
export type Observed = { readonly observation: Observation; readonly digest: Sha256 };

type DesiredBase = {
  readonly cpus?: number;
  /** The identity this VM must have; when written, a VM that cannot show it is refused (N8). */
  readonly identity?: string;
  readonly kind: "desired";
  readonly memory?: number; // bytes
  readonly name: string;
  readonly protected?: true;
  readonly vmid: Vmid;
};
/** What a desired state can take away that protected a VM, or said which one is meant (plan/loosening.ts). */
export type LooseningKind =
  | "entry-removed"
  | "identity-removed"
  | "identity-replaced"
  | "production-name-removed"
  | "protection-removed";
/** Stopping is never a default: a VM that should be stopped says how. */
export type DesiredVm =
  | (DesiredBase & { readonly target: "running" })
  | (DesiredBase & { readonly stop: "shutdown" | "power-off"; readonly target: "stopped" });
/** One requested action on a registered VM; `protected` is taken from its registered entry, never from the caller. */
export type RequestedAction = {
  readonly action: Action;
  readonly entry: Sha256; // of that entry
  readonly identity?: string;
  readonly kind: "request";
  readonly name: string;
  readonly protected?: true;
  readonly vmid: Vmid;
};
export type DesiredEntry = DesiredVm | RequestedAction;
/**
 * All desired entries of one environment, ascending by vmid, one per VM; the digest is the SHA-256 of their canonical
 * form.
 */
export type DesiredState = {
  readonly environment: string;
  readonly entries: readonly DesiredEntry[];
  readonly digest: Sha256;
};

export type Belief =
  | { readonly kind: "present"; readonly state: VmState }
  | { readonly kind: "missing" }
  | { readonly kind: "unknown"; readonly because: Doubt };

export type Fact = string | number | boolean | readonly (string | number)[];
export type Facts = Readonly<Record<string, Fact>>;
export type Scope = "all" | readonly Vmid[];

/** What a step comes from. What differs besides and comes in a later plan is the fact `later`. */
export type StepReason = "requested" | "size-differs" | "status-differs";
/** What differs besides, and comes in a later plan. */
export type Later = "size" | "status";
/** The sign by which a VM is production. */
export type Protection = "desired-name" | "entry" | "observed-name" | "tag";

export type PlanStep = {
  readonly action: Action;
  readonly applies: "now" | "at-restart"; // a resize that needs a restart is written and waits
  readonly basis: Sha256; // of the one VmState it stands on, without source, node and what was said
  readonly entry: Sha256; // of the one desired entry it stands on
  readonly facts: Facts;
  readonly hash: Sha256; // of this step without this field
  readonly kind: "step";
  readonly name: string;
  readonly power: Power;
  readonly protected: boolean;
  readonly reason: StepReason;
  readonly undo: Undo;
  readonly vmid: Vmid;
};
export type InSync = { readonly kind: "in-sync"; readonly vmid: Vmid };
/**
 * `rule` is the rule that would be broken. Codes and facts: sentences are rendered from them
 * (words/refusals/refusal-words.ts).
 */
export type Refusal = {
  readonly cause?: string; // where one code has several
  readonly code: RefusalCode;
  readonly facts: Facts;
  readonly kind: "refusal";
  readonly rule: RuleId;
  readonly stage: RefusalStage;
  readonly vmid?: Vmid;
};
export type RefusalStage = "input" | "plan" | "safety" | "kernel" | "ledger";
export type PlanAnswer = PlanStep | Refusal | InSync;

/** What a plan stands on: change one, and it is another plan. */
export type StandsOn = {
  readonly desired: Sha256;
  readonly environment: Sha256; // the environment's own section of dedalus.yaml
  readonly observation: Sha256;
  readonly policy: Sha256;
  readonly rules: number; // their version
};
export type Plan = {
  readonly answers: readonly PlanAnswer[]; // one per entry in scope, by vmid
  readonly environment: string;
  readonly hash: Sha256; // of this plan without this field; ids, times and expiry live in the record, not here
  readonly observation: { readonly complete: boolean; readonly gaps: readonly Gap[] };
  readonly scope: Scope;
  readonly standsOn: StandsOn;
  readonly version: 1;
};

export type Verdict =
  | { readonly kind: "refused"; readonly refusals: readonly [Refusal, ...Refusal[]] }
  | {
      readonly kind: "clear" | "needs-approval";
      readonly tiers: readonly { readonly step: Sha256; readonly tier: Tier }[];
    };

/** Somebody who was invited, who invited them, and their part in a step. For display: nothing is decided by it. */
export type InvitedParty = {
  readonly invitedBy: string;
  readonly name: string;
  readonly party: "approver" | "requester";
};

/** One object, rendered alike by every view. Who must still agree is shown beside it and is not hashed. */
export type Explanation = {
  readonly answer: PlanAnswer["kind"];
  readonly complete: boolean; // of the observation
  readonly denied?: ExplainedDenial; // the last no to the same action on the same VM
  readonly effect: ExplainedEffect;
  readonly environment: string;
  readonly facts: Facts; // of the answer
  readonly hash: Sha256; // of this explanation without this field
  readonly plan: Sha256;
  readonly rules: readonly Weighed[];
  readonly step?: ExplainedStep; // absent when there is none to perform
  readonly vmid: Vmid;
};
/** What comes of it: nothing needs to, nothing can, nothing may, or what the step says. */
export type ExplainedEffect = "in-sync" | "no-step" | "performed" | "plan-refused";
export type ExplainedStep = Pick<PlanStep, "action" | "applies" | "hash" | "name" | "power" | "reason" | "undo">;
/** A rule that held, with what was seen of it; or one that would be broken, with its refusal. */
export type Weighed =
  | { readonly evidence: Evidence; readonly facts: Facts; readonly held: true; readonly rule: RuleId }
  | { readonly held: false; readonly refusal: Refusal; readonly rule: RuleId };
export type Evidence =
  | "all-seen"
  | "name-as-desired"
  | "no-sign-of-production"
  | "one-action"
  | "protected-untouched"
  | "policy-rate"
  | "policy-tier"
  | "policy-window"
  | "same-environment"
  | "state-fits"
  | "state-seen";
/** The last time that somebody said no to an action on a VM, in whichever plan. */
export type ExplainedDenial = {
  readonly at: Instant;
  readonly by: string;
  readonly id: string;
  readonly reason: string;
};

/**
 * Why a plan cannot be applied: it stands on a recorded file, on an observation that is not live, is refused, or too
 * old.
 */
export type Inapplicable = "local-door" | "not-live" | "over" | "refused" | "replayed";

/** plan.json: the plan and the verdict on it. */
export type PlanFile = {
  /** For display only: no hash covers it, and an apply reads the plan's record, never this. */
  readonly applicable: boolean;
  readonly because?: Inapplicable;
  readonly id?: string; // under which it is recorded, where it is
  readonly plan: Plan;
  readonly verdict: Verdict;
  readonly version: 1;
};

/** Failed only when it is proven that nothing happened and nothing more will; unknown is never success. */
export type OutcomeKind = "succeeded" | "failed" | "unknown";
/** A field of a VM that is not as it was planned on; without values where these are opaque or too long to tell. */
export type VmChange = {
  readonly field: Exclude<keyof VmState, "node" | "source" | "vmid">;
  readonly now?: Fact;
  readonly was?: Fact;
};
/**
 * How an intent ended and why, in codes and facts: the sentence is rendered from them (words/steps/outcome-words.ts).
 */
export type OutcomeEnd = {
  readonly cause: OutcomeCause;
  readonly changed?: readonly VmChange[];
  readonly diagnostics?: readonly Diagnostic[]; // what came between us and the provider, in order
  readonly facts?: Facts;
  readonly outcome: OutcomeKind;
  readonly refusal?: Refusal; // what stood against the call, where that is why none was made
  readonly said?: string; // by the system, in its own words
};

/** result.json: how one intent ended, in the same codes and facts as its record. */
export type ResultFile = OutcomeEnd & {
  readonly action: ActionKind;
  readonly environment: string;
  readonly plan: Sha256;
  readonly reference?: string; // the provider's own name for what it did
  readonly step: Sha256;
  readonly version: 1;
  readonly vmid: Vmid;
};
