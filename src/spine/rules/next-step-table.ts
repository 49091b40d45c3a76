// Which next steps follow which refusal, by cause where they depend on it. Total: every code is in one of the two
// tables, and a row by cause names every cause; the compiler asks for them.

import type { REFUSAL_WORDS } from "../words/refusals/refusal-words.ts";
import { ask, askOf, type Foreseen } from "./askable.ts";
import type { NOTHING_TO_ASK } from "./nothing-to-ask.ts";
import type { RefusalCode } from "./refusals.ts";
import { USAGE_NEXT_STEPS } from "./usage-next-steps.ts";

const NOTHING = [] as const;
const AGAIN = [ask("again")] as const;
const USAGE = [ask("usage")] as const;
const PLAN_AGAIN = [ask("makePlan")] as const;
const OBSERVE = [ask("observe")] as const;
const STATUS = [ask("status")] as const;
const PEOPLE = [ask("people")] as const;
const TOKENS = [ask("tokens")] as const;
const RE_ANCHOR = [ask("reAnchor")] as const;
const READ_AGAIN = [askOf("challenge", { plan: "plan", step: "step" })] as const;
const APPROVE = [
  askOf("explain", { plan: "plan", step: "step" }),
  askOf("requestApproval", { plan: "plan", step: "step" }),
  askOf("approve", { plan: "plan", step: "step" }),
] as const;
const CLOSE = [askOf("closeFile", { file: "file" })] as const;
const OWNED = { file: "file", gid: "gid", uid: "uid" } as const;
const OWN = [askOf("ownFile", OWNED)] as const;
const REMOVE = [askOf("removeFile", { file: "file" })] as const;
const NARROWED = [askOf("narrow", { scope: "seen" })] as const;

type Because<C extends RefusalCode> = (typeof REFUSAL_WORDS)[C]["because"];
/** For every cause the same, or for each its own. */
type Row<C extends RefusalCode> =
  | readonly Foreseen[]
  | (Because<C> extends string ? never : { readonly [K in keyof Because<C>]: readonly Foreseen[] });
type Answered = Exclude<RefusalCode, (typeof NOTHING_TO_ASK)[number]>;

export const NEXT_STEPS = {
  "actor-unknown": {
    actor: NOTHING,
    "claimer-revoked": PLAN_AGAIN,
    page: NOTHING,
    "token-absent": NOTHING,
    "session-absent": [askOf("login", { server: "server" })],
    token: NOTHING,
    "token-empty": NOTHING,
    "token-ended": NOTHING,
    "token-misspelt": NOTHING,
    "token-named": NOTHING,
    "token-unnamed": NOTHING,
    "variable-absent": NOTHING,
  },
  "anchor-absent": RE_ANCHOR,
  "anchor-empty": RE_ANCHOR,
  "anchor-shortened": RE_ANCHOR,
  "anchor-unjoined": [ask("join"), ask("reAnchor")],
  "anchor-unmounted": RE_ANCHOR,
  "anchor-unverified": RE_ANCHOR,
  "approval-missing": {
    "for-the-agent": NOTHING,
    gone: PLAN_AGAIN,
    "too-few": APPROVE,
    uncounted: APPROVE,
  },
  "approval-unknown": [ask("showPlan")],
  "backup-sealed": [ask("checkpoint")],
  "blocked-by-provider": PLAN_AGAIN,
  "certificate-unconfirmed": {
    declined: AGAIN,
    nobody: [askOf("again", { applyVariable: "apply", fingerprint: "shown", observeVariable: "observe" })],
    other: NOTHING,
  },
  "clock-ahead": [ask("examine"), ask("acceptClock")],
  "clock-not-ahead": PLAN_AGAIN,
  "configuration-differs": {
    absent: PLAN_AGAIN,
    changed: PLAN_AGAIN,
    edited: PLAN_AGAIN,
    restart: NOTHING,
    unreadable: [ask("examine")],
  },
  "confirmation-missing": {
    absent: READ_AGAIN,
    declined: [askOf("apply", { plan: "plan", step: "step" })],
    "no-terminal": READ_AGAIN,
  },
  "confirmation-spent": {
    ended: READ_AGAIN,
    unbound: READ_AGAIN,
    unneeded: [askOf("apply", { plan: "plan", step: "step" })],
  },
  "copy-unfinished": AGAIN,
  "denied-before": [
    askOf("explain", { plan: "plan", step: "step" }),
    askOf("approve", { explanation: "explanation", plan: "plan", step: "step" }),
  ],
  "desired-changed": [ask("vms"), ask("makePlan")],
  "desired-moved": [ask("vms"), ask("again")],
  "desired-unregistered": [
    askOf("inventory", { environment: "environment" }),
    askOf("register", { environment: "environment" }),
  ],
  "entry-unproven": PLAN_AGAIN,
  "environment-unknown": {
    needless: NOTHING,
    "not-configured": NOTHING,
    "not-in-file": NOTHING,
    "not-in-file-meant": NOTHING,
    "not-named": USAGE,
    several: USAGE,
  },
  "explanation-differs": {
    approved: [askOf("explain", { plan: "plan", step: "step" })],
    confirmed: READ_AGAIN,
  },
  "file-empty": [ask("init")],
  "file-held": {
    folder: [askOf("ownFolder", OWNED)],
    "index-foreign": REMOVE,
    "index-special": REMOVE,
    "index-unwritable": REMOVE,
    "records-foreign": OWN,
    "records-special": OWN,
    "records-unwritable": OWN,
  },
  "file-open": CLOSE,
  "file-unreadable": {
    certificate: NOTHING,
    "client-certificate": NOTHING,
    EACCES: NOTHING,
    EEXIST: NOTHING,
    EISDIR: NOTHING,
    ELOOP: NOTHING,
    ENOENT: NOTHING,
    ENOSPC: NOTHING,
    ENOTDIR: NOTHING,
    ENOTPLAIN: NOTHING,
    EROFS: NOTHING,
    "no-config": [ask("usage"), ask("init")],
    "no-config-here": USAGE,
    observation: NOTHING,
    other: NOTHING,
  },
  "freeze-absent": STATUS,
  frozen: {
    environment: [askOf("unfreeze", { environment: "environment" })],
    "environment-again": [ask("status"), askOf("unfreeze", { environment: "environment" })],
    everything: [ask("unfreeze")],
    "everything-again": [ask("status"), ask("unfreeze")],
  },
  "identities-moved": AGAIN,
  "identity-changed": [
    askOf("acceptIdentity", { environment: "environment", identity: "observedIdentity", vmid: "vmid" }),
  ],
  "identity-not-changed": PLAN_AGAIN,
  "identity-not-observed": OBSERVE,
  "intent-unknown": STATUS,
  "ledger-absent": [ask("register")],
  "ledger-ahead": [ask("acceptClock")],
  "ledger-behind": AGAIN,
  "ledger-cut-short": [ask("restore")],
  "ledger-moved": [ask("records"), ...AGAIN],
  "ledger-read-only": [ask("unlock")],
  "ledger-rewritten": [ask("verify")],
  "ledger-unreachable": AGAIN,
  "loosening-unconfirmed": { declined: NOTHING, moved: AGAIN, unsaid: [ask("againConfirmed")] },
  "observation-incomplete": {
    gaps: NOTHING,
    "gaps-narrowable": NARROWED,
    unclaimed: NOTHING,
    "unclaimed-narrowable": NARROWED,
  },
  "observation-stale": OBSERVE,
  "observation-unknown": OBSERVE,
  overloaded: AGAIN,
  "person-unknown": {
    meant: PEOPLE,
    nobody: PEOPLE,
    operator: NOTHING,
    token: [askOf("revokeToken", { name: "subject" })],
  },
  "plan-altered": { plan: PLAN_AGAIN, recorded: PLAN_AGAIN, step: PLAN_AGAIN, verdict: PLAN_AGAIN },
  "plan-closed": PLAN_AGAIN,
  "plan-done": [askOf("makePlan", { environment: "environment" })],
  "plan-not-live": PLAN_AGAIN,
  "plan-refused": PLAN_AGAIN,
  "plan-unknown": [ask("plans")],
  "policy-differs": PLAN_AGAIN,
  "provider-clock-missing": [ask("observe"), ask("examine")],
  "reconcile-early": [askOf("reconcile", { vmid: "vmid" })],
  "reconcile-unclear": [askOf("reconcile", { vmid: "vmid" })],
  "record-doubtful": [ask("records")],
  "rules-differ": PLAN_AGAIN,
  "seal-absent": [ask("records")],
  "seal-misplaced": AGAIN,
  "seal-unconfirmed": [ask("againConfirmed")],
  "secret-open": CLOSE,
  "step-claimed": [askOf("freeze", { environment: "environment" })],
  "step-consumed": STATUS,
  "step-denied": PLAN_AGAIN,
  "step-expired": PLAN_AGAIN,
  "subject-name": { form: NOTHING, login: [ask("init")], operator: NOTHING, reserved: NOTHING },
  "token-expired": { session: NOTHING, token: [askOf("rotateToken", { name: "actor" })] },
  "token-known": {
    "in-use": NOTHING,
    operator: [askOf("revokeToken", { name: "operator" })],
    subject: [askOf("rotateToken", { name: "subject" })],
  },
  "token-malformed": [ask("createToken")],
  "token-unknown": {
    id: TOKENS,
    "id-meant": TOKENS,
    person: [askOf("signOut", { name: "subject" })],
    subject: TOKENS,
    "subject-meant": TOKENS,
  },
  "truth-incomplete": { narrowable: NARROWED, whole: NOTHING },
  "reply-lost": [ask("records"), ask("status")],
  usage: USAGE_NEXT_STEPS,
  "vm-blocked": [askOf("reconcile", { environment: "environment", vmid: "vmid" })],
  "vm-busy": [askOf("status", { vmid: "vmid" })],
  "vm-not-blocked": STATUS,
  "vm-unknown": OBSERVE,
  "waits-for-restart": [askOf("reboot", { vmid: "vmid" })],
  "walks-waiting": AGAIN,
  "words-differ": [ask("challenge")],
} as const satisfies { readonly [C in Answered]: Row<C> };
