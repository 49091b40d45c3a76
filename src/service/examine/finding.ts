// What an examination of an installation says of one thing: what was checked and found, and what is wrong with it.
// Codes with facts; their words are in spine/words/remarks/installation-words.ts, or in the catalogue of the adapter
// that found it.

import type { Problem } from "../../formats/problem.ts";
import type { ReAnchored } from "../../kernel/state/state.ts";
import type { Facts, Refusal } from "../../spine/model.ts";
import type { CHECK_WORDS, FOUND_WORDS } from "../../spine/words/remarks/installation-words.ts";

type Checked = {
  /** What somebody could run to mend it, in order. They are shown, and never run. */
  readonly commands?: readonly string[];
  readonly facts: Facts;
  /** Well where there are none. */
  readonly refusals: readonly (Refusal | Problem)[];
};

export type OwnFinding = Checked & {
  readonly kind: "own";
  readonly check: keyof typeof CHECK_WORDS;
  readonly code: keyof typeof FOUND_WORDS;
  /** The last time that an anchor was begun anew. */
  readonly reAnchored?: ReAnchored;
};

/** What an adapter found of its provider, by its own codes. */
export type ProviderFinding = Checked & {
  readonly kind: "provider";
  readonly adapter: string;
  readonly check: string;
  readonly code: string;
};

export type InstallationFinding = OwnFinding | ProviderFinding;

type More = Pick<OwnFinding, "commands" | "reAnchored"> & { readonly refusals?: Checked["refusals"] };

export const found = (
  check: OwnFinding["check"],
  code: OwnFinding["code"],
  facts: Facts,
  { refusals = [], ...more }: More = {},
): OwnFinding => ({ check, code, facts, kind: "own", refusals, ...more });
