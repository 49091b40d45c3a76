// What a desired file loosens, in words. Sentences for people: nothing is decided or recognised by them.

import type { LooseningKind } from "../../model.ts";

export const LOOSENING_WORDS = {
  "entry-removed": "the entry is removed",
  "identity-removed": "the identity is removed",
  "identity-replaced": "another identity is written",
  "production-name-removed": "the prod- name is removed",
  "protection-removed": "protected: true is removed",
} as const satisfies Readonly<Record<LooseningKind, string>>;
