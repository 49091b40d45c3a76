// The roles that a token can have. What each may ask for is decide/actors.ts.

export const TOKEN_ROLES = ["observer", "operator", "approver", "auditor", "agent", "sensor"] as const;
/** Those that a person can have; the others are for programs. */
export const PEOPLE_ROLES = ["observer", "operator", "approver", "auditor"] as const satisfies readonly Role[];
export type Role = (typeof TOKEN_ROLES)[number];

export const isRole = (word: string): word is Role => TOKEN_ROLES.some((role) => role === word);
