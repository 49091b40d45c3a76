// The registry of rules: what Dedalus never does, and how each is kept.
//
// `kept` says by what: a refusal (a value at run time), a type (the offence does not compile), a shape (a test over
// the source text), or a crash test; "not yet" where the code that would keep it does not exist. docs/INVARIANTS.md is
// generated from this table and checked against it.

export type RuleRow = {
  readonly sentence: string;
  readonly kept: "refusal" | "type" | "shape" | "crash" | "not yet";
};

const RULES = {
  N1: {
    sentence:
      "Dedalus never acts on incomplete truth: unknown is not stopped, missing is not stopped, and a partial observation proves no absence.",
    kept: "refusal",
  },
  N2: {
    sentence: "Dedalus never interrupts, changes or destroys a protected VM; there is no override.",
    kept: "refusal",
  },
  N3: {
    sentence:
      "Observing never mutates: a source has no verbs, and audit and plan write nothing that was not asked for.",
    kept: "type",
  },
  N4: {
    sentence: "A replayed observation and a live one give the same plan: intent is never coupled to a provider.",
    kept: "shape",
  },
  N5: {
    sentence: "Nothing leaks into the spine: it imports nothing outside itself but SHA-256.",
    kept: "shape",
  },
  N6: {
    sentence:
      "The same inputs give the same decision, byte for byte: the spine reads no clock, no chance and no locale.",
    kept: "shape",
  },
  N7: {
    sentence:
      "No decision is hidden: every answer is in a structured artifact, and an artifact that was altered is not believed.",
    kept: "refusal",
  },
  N8: {
    sentence: "Dedalus never acts on a VM whose identity is not certain.",
    kept: "refusal",
  },
  "P7-A1": {
    sentence:
      "Authority is never implicit: only a VM that an operator wrote down is acted on, and viewing grants nothing.",
    kept: "refusal",
  },
  "P7-A2": {
    sentence: "Every change goes back to a conscious human decision; what was not said has no default.",
    kept: "refusal",
  },
  "P7-A3": {
    sentence:
      "Dedalus never decides for the operator: it ranks nothing, recommends nothing, and a policy can only tighten.",
    kept: "refusal",
  },
  "P7-E1": {
    sentence: "One command is one action on one VM: nothing is chained, batched or done as a follow-up.",
    kept: "refusal",
  },
  "P7-E2": {
    sentence: "There is no partial success: an outcome that is not known is never reported as success.",
    kept: "refusal",
  },
  "P7-E3": {
    sentence: "The kernel's answer is final, and every door surfaces it word for word.",
    kept: "refusal",
  },
  "P7-F1": {
    sentence:
      "Under any doubt or failure Dedalus fails closed: nothing is guessed, and nothing is tried on the chance that it might work.",
    kept: "refusal",
  },
  "P7-F2": {
    sentence: "A crash of Dedalus changes nothing, completes nothing and leaves nothing ambiguous unsaid.",
    kept: "refusal",
  },
  "P7-F3": { sentence: "Nothing that mutates is ever retried.", kept: "refusal" },
  "P7-D1": {
    sentence: "The same state and input give the same presentation and the same explanation.",
    kept: "shape",
  },
  "P7-D2": {
    sentence: "The same request on the same state is accepted or refused alike, for the same reasons.",
    kept: "shape",
  },
  "P7-O1": {
    sentence: "Every request, decision and outcome leaves a record.",
    kept: "refusal",
  },
  "P7-O2": {
    sentence: "Every decision can be explained: a refusal names its rule, its facts and what would have to be true.",
    kept: "type",
  },
  "P7-O3": {
    sentence: "Every action can be reconstructed: who, when, what, on which state, with which outcome.",
    kept: "type",
  },
  "P7-S1": { sentence: "Nothing mutates in the background.", kept: "shape" },
  "P7-S2": {
    sentence: "The spine and the kernel work the same without every other room: imports go one way.",
    kept: "shape",
  },
  "P7-S3": {
    sentence: "What docs/SCOPE.md does not list does not exist.",
    kept: "shape",
  },
  G1: { sentence: "Records are durable outside the process.", kept: "crash" },
  G2: {
    sentence: "Service and storage restart without loss and without help.",
    kept: "crash",
  },
  G3: { sentence: "A run replays from durable artifacts alone to the same decisions.", kept: "refusal" },
  G4: {
    sentence: "A stranger can bring up the whole system and run a known scenario with one command.",
    kept: "not yet",
  },
  G5: { sentence: "Event time and process time are recorded apart, and replay reads no clock.", kept: "refusal" },
  G6: {
    sentence: "A duplicate delivery leaves no second outcome.",
    kept: "refusal",
  },
  G7: { sentence: "Configuration and human decisions are recorded, hashed and replayed.", kept: "refusal" },
  B1: { sentence: "Nothing is applied that was not planned before.", kept: "refusal" },
  B2: {
    sentence: "An approver is proven, never named by the caller.",
    kept: "refusal",
  },
  B3: {
    sentence: "What belongs to one environment (desired file, observation, plan, credential) never serves another.",
    kept: "refusal",
  },
  B4: { sentence: "TLS verification cannot be turned off.", kept: "refusal" },
  B5: {
    sentence:
      "Secrets are never logged, returned or recorded; configuration names where a secret is, never the secret.",
    kept: "refusal",
  },
  B6: { sentence: "A duplicate request never acts twice.", kept: "refusal" },
  B7: { sentence: "The catalogue of actions is closed and typed; there is no passthrough.", kept: "refusal" },
} as const satisfies Record<string, RuleRow>;

export type RuleId = keyof typeof RULES;
export const RULE_IDS = Object.keys(RULES) as readonly RuleId[];
export const ruleOf = (id: RuleId): RuleRow => RULES[id];
export const isRuleId = (value: unknown): value is RuleId => typeof value === "string" && Object.hasOwn(RULES, value);
