// The words of why a plan cannot be applied. Sentences for people: nothing is decided or recognised by them.

import type { Inapplicable } from "../../model.ts";

export const INAPPLICABLE_WORDS = {
  "local-door": "four eyes are required, and it was made on the ledger's own files: plan at the service",
  "not-live": "it was made from an observation that is not live",
  over: "it has expired",
  refused: "its verdict is refused",
  replayed: "it was made from a recorded observation",
} as const satisfies Readonly<Record<Inapplicable, string>>;

export const inapplicableText = (because: Inapplicable): string => INAPPLICABLE_WORDS[because];
