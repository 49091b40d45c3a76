// The clauses of the contract with agents in words, and why one is broken or was not tried. docs/agent-contract.md has
// the same sentences.

import type { BrokenCode, ClauseId, UntriedCode } from "../../boundary/contract/agent-clauses.ts";

export const CLAUSE_WORDS: Readonly<Record<ClauseId, string>> = {
  C1: "A request without a token is refused, and shows nothing",
  C2: "The token proves an agent, whatever a request says",
  C3: "The tools are the published ones, in their order; none decides, freezes, registers or makes a token",
  C4: "A member that nobody knows is refused, never dropped",
  C5: "A plan has an id, its environment, and a hash that covers what was told of it",
  C6: "A plan that is shown again is the same plan: id, hash and steps",
  C7: "The same key gets the same plan, and makes no second one",
  C8: "A key that was used for one request is refused for another",
  C9: "A plan that nobody made is refused as unknown",
  C10: "An explanation names the hashes of its plan and step, and has a hash of its own that covers it",
  C11: "A step ends within 60 minutes of its plan, and within 15 where its tier is high",
  C12: "A step that nobody approved says so, and how many approvals it needs",
  C13: "An agent cannot approve, deny or confirm",
  C14: "A step that nobody approved is not applied",
  C15: "A canceled plan is closed for good, and canceling it again is the same record",
  C16: "A step of a canceled plan is not applied",
  C17: "A request for approval is one record, however often it is sent, and approves nothing",
  C18: "Approval comes from people and never from the agent; it applies nothing",
  C19: "An apply answers with its intent, and the same apply again with the same intent",
  C20: "A step is performed once, whichever key is used",
  C21: "An intent names its plan, step, VM and environment",
  C22: "An intent ends as succeeded, failed or unknown; the step says the same, and a success is what an observation shows",
  C23: "Every refusal has code, rule, stage and facts, and says what was executed",
  C24: "Every answer is of one ledger: one size has one hash, and a record lies below its head",
};

export const BROKEN_WORDS: Readonly<Record<BrokenCode, string>> = {
  answered: "{asked} was answered, and {due} is due",
  differs: "{field} is {found}",
  missing: "{field} is missing",
  refused: "{asked} was refused: {code}",
  unread: "{asked} had no answer of this door: {code}",
};
/** Where it is known what was due. */
export const DIFFERS_FROM = "{field} is {found}, and {due} is due";

export const UNTRIED_WORDS: Readonly<Record<UntriedCode, string>> = {
  "apply-not-allowed": "needs --apply",
  "earlier-broken": "no plan was made",
  "not-approved": "nobody approved",
  "not-at-this-door": "this door has no such request",
  "plan-not-ours": "the plan was there before",
  "step-absent": "the plan has no step; name a VM with --vm",
  "step-not-awaiting": "the step does not await approval: {status}",
  "wait-not-given": "needs --wait, and a person who approves",
};
