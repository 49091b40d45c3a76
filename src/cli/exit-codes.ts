// Exit codes: one table, stable for scripts. docs/ci.md shows the same table.

export const EXIT_CODES = {
  done: { code: 0, meaning: "nothing to do, or done" },
  internal: { code: 1, meaning: "internal error: a bug in Dedalus" },
  input: { code: 2, meaning: "usage or bad input" },
  refused: { code: 3, meaning: "refused or not confirmed; nothing was executed" },
  steps: { code: 4, meaning: "steps to apply, or drift" },
  outcome: {
    code: 5,
    meaning: "a step failed, an outcome is unknown, or apply stopped early",
  },
  contract: { code: 6, meaning: "contract lock broken" },
  verification: { code: 7, meaning: "verification failed" },
  unreachable: { code: 8, meaning: "provider or server not reachable" },
  interrupted: { code: 130, meaning: "interrupted; nothing was executed" },
} as const;

export type Exit = keyof typeof EXIT_CODES;
export const exitCode = (exit: Exit): number => EXIT_CODES[exit].code;
