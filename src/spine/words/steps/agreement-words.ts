// The words of what a tier needs. Templates alone; which of them is said is chosen in agreement-in-words.ts. Nothing is
// decided or recognised by them: the row that decides is the kernel's.

export const AGREEMENT_WORDS = {
  approvals: {
    agent: { one: "approval by a person", several: "approvals by {approvals} people" },
    own: { one: "approval, which may be their own", several: "{approvals} approvals, one of which may be their own" },
    person: { one: "approval by another person", several: "approvals by {approvals} other people" },
  },
  confirmation: "confirmation",
  /** How many, where there is a word for it. */
  counts: { 2: "two", 3: "three" },
  lines: {
    "all-modes": "tier {tier}: {needs}",
    "one-mode": "tier {tier}, {mode}: {needs}",
  },
  needs: "a person needs {person}; an agent: {agent}",
  nothing: "nothing",
  refused: "refused",
  sequence: "{before}, then {last}",
  "typed-name": "the typed name",
} as const;
