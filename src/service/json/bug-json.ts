// The two errors that are nobody's refusal: a bug, and a person who ended what was asked. Apart from error-json.ts
// because neither needs the words of refusals.

import type { ErrorJson } from "./error-json.ts";

/** Whatever was under way, nobody knows from here how far it came. */
export const bugJson = (message: string): ErrorJson => ({
  error: { domain: "internal", message, outcome: "unknown", refusals: [] },
});

export const INTERRUPTED_JSON: ErrorJson = {
  error: { domain: "interrupted", outcome: "not_executed", refusals: [] },
};
