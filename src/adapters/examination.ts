// What an examination of a provider is made of, for `doctor`: the VMs that are asked about, and one finding for each
// check.
//
// A finding is a code with its facts; its words are in the catalogue of the adapter's own descriptor, because they
// speak of one provider, and are rendered by whoever shows them. Commands are for copying and are never run.

import type { Facts, Vmid } from "../spine/model.ts";

export type ExaminationFinding = {
  /** That nobody answered, or that whoever did could not be believed; absent when something else is wrong. */
  readonly cause?: "unreachable" | "untrusted";
  readonly check: string;
  readonly code: string;
  /** `said` is what the provider or the system said. */
  readonly facts: Facts;
  readonly isWrong: boolean;
  /** In order, and only for what is wrong. */
  readonly commands: readonly string[];
};

/**
 * The templates of an adapter's findings (spine/words/template.ts): what is checked, what was found, and what to do.
 */
export type ExaminationWords = {
  readonly checks: Readonly<Record<string, string>>;
  readonly found: Readonly<Record<string, string>>;
  readonly next: Readonly<Record<string, string>>;
};

/** A VM whose rights are looked up, and whether anything that is known of it says that it is production. */
export type ExaminedVm = { readonly isProtected: boolean; readonly vmid: Vmid };

/** It only reads. `wanted` are the VMs that the rights are looked up for. */
export type Examine = (wanted: readonly ExaminedVm[], signal: AbortSignal) => Promise<readonly ExaminationFinding[]>;
