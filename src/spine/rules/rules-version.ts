// The version of the rules: one number for everything compiled in that decides. A plan stands on it, and every process
// records it when it starts, so that each record is decided again under the rules that decided it.
//
// What decides anything differently gets the next number, and keeps the former deciders beside it (kernel/decide/decide.ts).
// Words are no rules: rewording changes no number. Until the first release it stays 1.

export const RULES_VERSION = 1;
