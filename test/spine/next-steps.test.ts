// What follows a refusal, read from the other side: every operation with what is known for it, and all that lead there.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Refusal } from "../../src/spine/model.ts";
import type { Foreseen } from "../../src/spine/rules/askable.ts";
import { NEXT_STEPS } from "../../src/spine/rules/next-step-table.ts";
import { leadingNowhere, nextStepsOf, type Where } from "../../src/spine/rules/next-steps.ts";
import { REFUSAL_CODES, type RefusalCode, refusalRow, refuse } from "../../src/spine/rules/refusals.ts";
import { OBSERVED_AT, VMID } from "./world.ts";

const WHERE: Where = { environment: "home", plan: "plan 1", step: 1, vmid: VMID };

/** The operation and the fields of its request. */
const LEADS_TO: Readonly<Record<string, readonly string[]>> = {
  acceptClock: ["clock-ahead", "ledger-ahead"],
  "acceptIdentity environment vmid identity": ["identity-changed"],
  again: [
    "certificate-unconfirmed/declined",
    "copy-unfinished",
    "desired-moved",
    "identities-moved",
    "ledger-behind",
    "ledger-moved",
    "ledger-unreachable",
    "loosening-unconfirmed/moved",
    "overloaded",
    "seal-misplaced",
    "walks-waiting",
  ],
  "again fingerprint observeVariable applyVariable": ["certificate-unconfirmed/nobody"],
  againConfirmed: ["loosening-unconfirmed/unsaid", "seal-unconfirmed"],
  "apply plan step": ["confirmation-missing/declined", "confirmation-spent/unneeded"],
  "approve plan step": ["approval-missing/too-few", "approval-missing/uncounted"],
  "approve explanation plan step": ["denied-before"],
  "challenge plan step": [
    "confirmation-missing/absent",
    "confirmation-missing/no-terminal",
    "confirmation-spent/ended",
    "confirmation-spent/unbound",
    "explanation-differs/confirmed",
    "words-differ",
  ],
  checkpoint: ["backup-sealed"],
  "closeFile file": ["file-open", "secret-open"],
  createToken: ["token-malformed"],
  "examine environment": ["clock-ahead", "configuration-differs/unreadable", "provider-clock-missing"],
  "explain plan": ["usage/plan-unnamed", "usage/step-not-shown"],
  "explain plan step": [
    "approval-missing/too-few",
    "approval-missing/uncounted",
    "denied-before",
    "explanation-differs/approved",
  ],
  "freeze environment": ["step-claimed"],
  help: ["usage/command-missing", "usage/command-unknown"],
  "help command": [
    "usage/argument-extra",
    "usage/argument-missing",
    "usage/command-unknown-in-group",
    "usage/command-unknown-meant",
    "usage/given-twice",
    "usage/option-missing",
    "usage/option-unknown",
    "usage/plan-of-what",
    "usage/second-word-missing",
    "usage/value-missing",
    "usage/value-unwanted",
  ],
  init: ["file-empty", "file-unreadable/no-config", "subject-name/login"],
  "inventory environment": ["desired-unregistered"],
  join: ["anchor-unjoined"],
  "makePlan environment": [
    "actor-unknown/claimer-revoked",
    "approval-missing/gone",
    "blocked-by-provider",
    "clock-not-ahead",
    "configuration-differs/absent",
    "configuration-differs/changed",
    "configuration-differs/edited",
    "desired-changed",
    "entry-unproven",
    "identity-not-changed",
    "plan-altered/plan",
    "plan-altered/recorded",
    "plan-altered/step",
    "plan-altered/verdict",
    "plan-closed",
    "plan-done",
    "plan-not-live",
    "plan-refused",
    "policy-differs",
    "rules-differ",
    "step-denied",
    "step-expired",
    "usage/no-plan",
  ],
  "narrow environment scope": [
    "observation-incomplete/gaps-narrowable",
    "observation-incomplete/unclaimed-narrowable",
    "truth-incomplete/narrowable",
  ],
  "observe environment": [
    "identity-not-observed",
    "observation-stale",
    "observation-unknown",
    "provider-clock-missing",
    "vm-unknown",
  ],
  "ownFile file gid uid": ["file-held/records-foreign", "file-held/records-special", "file-held/records-unwritable"],
  "ownFolder file gid uid": ["file-held/folder"],
  "planAction snapshot environment action vmid": ["usage/snapshot-name", "usage/snapshot-name-reserved"],
  "login server": ["actor-unknown/session-absent"],
  plans: [
    "plan-unknown",
    "usage/no-plan-of-several",
    "usage/plan-ambiguous",
    "usage/plan-file-unrecorded",
    "usage/plans-apart",
    "usage/recorded-plan-only",
  ],
  people: ["person-unknown/meant", "person-unknown/nobody"],
  reAnchor: [
    "anchor-absent",
    "anchor-empty",
    "anchor-shortened",
    "anchor-unjoined",
    "anchor-unmounted",
    "anchor-unverified",
  ],
  "reboot environment vmid": ["waits-for-restart"],
  "reconcile environment vmid": ["reconcile-early", "reconcile-unclear", "vm-blocked"],
  records: [
    "ledger-moved",
    "record-doubtful",
    "reply-lost",
    "seal-absent",
    "usage/blob-unknown",
    "usage/record-unknown",
  ],
  "requestApproval plan step": ["approval-missing/too-few", "approval-missing/uncounted"],
  "register environment": ["desired-unregistered", "ledger-absent"],
  restore: ["ledger-cut-short"],
  "removeFile file": ["file-held/index-foreign", "file-held/index-special", "file-held/index-unwritable"],
  "revokeToken name": ["person-unknown/token", "token-known/operator"],
  "rotateToken name": ["token-expired/token", "token-known/subject"],
  rules: ["usage/rule-unknown"],
  "signOut name": ["token-unknown/person"],
  "showPlan plan": ["approval-unknown", "usage/no-step", "usage/no-step-of-vm", "usage/only-step"],
  status: [
    "freeze-absent",
    "frozen/environment-again",
    "frozen/everything-again",
    "intent-unknown",
    "reply-lost",
    "step-consumed",
    "vm-not-blocked",
  ],
  "status vmid": ["vm-busy"],
  tokens: ["token-unknown/id", "token-unknown/id-meant", "token-unknown/subject", "token-unknown/subject-meant"],
  unfreeze: ["frozen/everything", "frozen/everything-again"],
  "unfreeze environment": ["frozen/environment", "frozen/environment-again"],
  unlock: ["ledger-read-only"],
  usage: [
    "environment-unknown/not-named",
    "environment-unknown/several",
    "file-unreadable/no-config",
    "file-unreadable/no-config-here",
    "usage/target-unknown",
  ],
  verify: ["ledger-rewritten"],
  vms: ["desired-changed", "desired-moved", "usage/vm-ambiguous", "usage/vm-unknown", "usage/vm-unrecorded"],
};

type Row = readonly Foreseen[] | Readonly<Record<string, readonly Foreseen[]>>;
const ROWS: Readonly<Partial<Record<RefusalCode, Row>>> = NEXT_STEPS;
const isSteps = (row: Row): row is readonly Foreseen[] => Array.isArray(row);

/** Every code, and where it has causes of its own every one of them, with all the facts that its steps name. */
const CASES: readonly Refusal[] = REFUSAL_CODES.flatMap((code) => {
  const row = ROWS[code] ?? [];
  const causes: readonly (readonly [string | undefined, readonly Foreseen[]])[] = isSteps(row)
    ? [[undefined, row]]
    : Object.entries(row);
  return causes.map(([cause, steps]): Refusal => {
    const facts = Object.fromEntries(steps.flatMap(({ from }) => Object.values(from).map((fact) => [fact, "known"])));
    const { rule, stage } = refusalRow(code);
    return { ...(cause === undefined ? {} : { cause }), code, facts, kind: "refusal", rule, stage };
  });
});

test("every refusal leads where it should, with what is known for the request, and to nothing else", () => {
  const found: Record<string, string[]> = {};
  for (const refusal of CASES) {
    for (const { ask, with: known } of nextStepsOf(refusal, WHERE)) {
      const asked = [ask, ...Object.keys(known)].join(" ");
      found[asked] = [...(found[asked] ?? []), [refusal.code, refusal.cause ?? []].flat().join("/")];
    }
  }
  for (const [asked, refusals] of Object.entries(found)) assert.deepEqual(refusals.toSorted(), LEADS_TO[asked], asked);
  assert.deepEqual(Object.keys(found).toSorted(), Object.keys(LEADS_TO).toSorted());
});

test("what a step needs comes from a fact before what the asker was about, and without it there is no step", () => {
  const blocked = refuse("vm-blocked", {
    facts: { action: "vm.start", environment: "lab", intent: "01" },
    vmid: VMID,
  });
  const asked = [{ ask: "reconcile", with: { environment: "lab", vmid: VMID } }];
  assert.deepEqual(nextStepsOf(blocked, WHERE), asked);
  assert.deepEqual(nextStepsOf(blocked), asked);
  const { vmid: _, ...nameless } = blocked;
  assert.deepEqual(nextStepsOf(nameless, { environment: "home" }), []);
  assert.deepEqual(nextStepsOf(refuse("plan-not-live", { cause: "not-live" })), []);
});

test("what a step may take is a fact alone: what the asker was about is no answer to it", () => {
  const busy = refuse("vm-busy", { facts: { action: "vm.start", intent: "01" } });
  assert.deepEqual(nextStepsOf(busy, WHERE), [{ ask: "status", with: {} }]);
  assert.deepEqual(nextStepsOf({ ...busy, vmid: VMID }, WHERE), [{ ask: "status", with: { vmid: VMID } }]);
});

test("a cause that this version does not know leads nowhere, and neither does a missing one", () => {
  const frozen = refuse("frozen", { cause: "everything", facts: { by: "ada", reason: "repair", since: OBSERVED_AT } });
  assert.deepEqual(nextStepsOf(frozen), [{ ask: "unfreeze", with: {} }]);
  assert.deepEqual(nextStepsOf({ ...frozen, cause: "of-another-version" }), []);
  const { cause: _, ...bare } = frozen;
  assert.deepEqual(nextStepsOf(bare), []);
});

test("whoever asked for one action is led to that action again, and whoever planned everything to everything", () => {
  const denied = refuse("step-denied", { facts: { by: "bob", reason: "not today" }, vmid: VMID });
  const action = { action: "vm.snapshot.create", snapshot: "before", vmid: VMID };
  assert.deepEqual(nextStepsOf(denied, { ...WHERE, ...action }), [
    { ask: "planAction", with: { environment: "home", ...action } },
  ]);
  assert.deepEqual(nextStepsOf(denied, WHERE), [{ ask: "makePlan", with: { environment: "home" } }]);
});

test("nobody is led to approve or confirm a step that needs a new plan", () => {
  const missing = refuse("approval-missing", {
    cause: "too-few",
    facts: { approvals: 0, needed: 1, plan: "plan 1", step: 1 },
    vmid: VMID,
  });
  const denied = refuse("step-denied", { facts: { by: "bob", reason: "not today" }, vmid: VMID });
  const frozen = refuse("frozen", { cause: "everything", facts: { by: "ada", reason: "repair", since: OBSERVED_AT } });
  assert.deepEqual([...leadingNowhere([missing, denied, frozen])], [missing]);
  assert.deepEqual([...leadingNowhere([missing, frozen])], []);
});

test("nobody is led to what would be refused to them; what is beside it stays", () => {
  const refusal = refuse("approval-missing", {
    cause: "too-few",
    facts: { approvals: 0, needed: 1, plan: "p", step: 1 },
  });
  const led = (where: Where) => nextStepsOf(refusal, where).map(({ ask }) => ask);
  assert.deepEqual(led({}), ["explain", "requestApproval", "approve"]);
  assert.deepEqual(led({ unable: ["approve"] }), ["explain", "requestApproval"]);
});
