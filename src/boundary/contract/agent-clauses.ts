// The clauses of the contract with agents (docs/agent-contract.md) that can be checked from outside, and what came of
// checking one. For whoever checks, and for whoever shows it.
//
// Not here: how one is checked (checking/), what each says in words (cli/views/).

/** What must be allowed or given before a clause can be tried. `step` is a plan that has one. */
export type ClauseNeed = "apply" | "approval" | "nothing" | "step" | "wait";

export const CLAUSES = {
  C1: { name: "caller-proven", needs: ["nothing"] },
  C2: { name: "caller-is-agent", needs: ["nothing"] },
  C3: { name: "tools-published", needs: ["nothing"] },
  C4: { name: "unknown-refused", needs: ["nothing"] },
  C5: { name: "plan-hashed", needs: ["nothing"] },
  C6: { name: "plan-stays", needs: ["nothing"] },
  C7: { name: "key-repeated", needs: ["nothing"] },
  C8: { name: "key-bound", needs: ["nothing"] },
  C9: { name: "plan-unknown", needs: ["nothing"] },
  C10: { name: "explanation-bound", needs: ["step"] },
  C11: { name: "step-ends", needs: ["step"] },
  C12: { name: "approval-awaited", needs: ["step"] },
  C13: { name: "decisions-refused", needs: ["step"] },
  C14: { name: "unapproved-refused", needs: ["step", "apply"] },
  C15: { name: "cancel-final", needs: ["step"] },
  C16: { name: "canceled-refused", needs: ["step", "apply"] },
  C17: { name: "request-recorded", needs: ["step", "wait"] },
  C18: { name: "approval-by-person", needs: ["step", "approval"] },
  C19: { name: "applied-once", needs: ["step", "approval", "apply"] },
  C20: { name: "step-consumed", needs: ["step", "approval", "apply"] },
  C21: { name: "intent-bound", needs: ["step", "approval", "apply"] },
  C22: { name: "outcome-seen", needs: ["step", "approval", "apply"] },
  C23: { name: "refusals-told", needs: ["nothing"] },
  C24: { name: "one-ledger", needs: ["nothing"] },
} as const satisfies Readonly<
  Record<string, { readonly name: string; readonly needs: readonly [ClauseNeed, ...ClauseNeed[]] }>
>;
export type ClauseId = keyof typeof CLAUSES;
export const CLAUSE_IDS = Object.keys(CLAUSES) as readonly ClauseId[];

export const CHECKED_DOORS = ["http", "mcp"] as const;
export type CheckedDoor = (typeof CHECKED_DOORS)[number];

/** Why a clause is broken: what came was an answer, a refusal, another value, or nothing that could be read. */
export type BrokenCode = "answered" | "differs" | "missing" | "refused" | "unread";
/** Why a clause was not tried. */
export type UntriedCode =
  | "apply-not-allowed"
  | "earlier-broken"
  | "not-approved"
  | "not-at-this-door"
  | "plan-not-ours"
  | "step-absent"
  | "step-not-awaiting"
  | "wait-not-given";

export type ClauseFacts = Readonly<Record<string, number | string>>;
export type ClauseVerdict =
  | { readonly status: "held" }
  | { readonly code: BrokenCode; readonly facts: ClauseFacts; readonly status: "broken" }
  | { readonly code: UntriedCode; readonly facts: ClauseFacts; readonly status: "not-tried" };
export type ClauseStatus = ClauseVerdict["status"];

export type ClauseChecked = { readonly clause: ClauseId; readonly door: CheckedDoor; readonly verdict: ClauseVerdict };

/** What may be done while checking. Without `isApplying` nothing is asked to be applied. */
export type CheckTerms = {
  readonly action: "vm.shutdown" | "vm.start";
  readonly environment: string;
  readonly isApplying: boolean;
  /** The plan is for this action on this VM; without one it is of the desired state. */
  readonly vm?: string;
  /** How long a person is waited for; without it approval is not asked for. */
  readonly waitSeconds?: number;
};
