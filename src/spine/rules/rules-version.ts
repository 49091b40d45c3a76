// The version of the rules: one number for everything compiled in that decides. A plan stands on it, and every process
// records it when it starts, so that each record is decided again under the rules that decided it.
//
// What decides anything differently gets the next number, and what held before is kept beside it (kernel/versions.ts,
// with the steps in docs/decisions/0009). Words are no rules: rewording changes no number. Until a number is released
// it stays.

export const RULES_VERSION = 1;
