// What an examination of a provider is made of, for `doctor`: the VMs that are asked about, and one finding for each check.

import type { Vmid } from "../spine/model.ts";

/** `next` are things to do, or commands to run, in order. */
export type Finding = {
  /** That nobody answered, or that whoever did could not be believed; absent when something else is wrong. */
  readonly cause?: "unreachable" | "untrusted";
  readonly check: string;
  readonly found: string;
  readonly isWrong: boolean;
  readonly next: readonly string[];
};

/** A VM whose rights are looked up, and whether anything that is known of it says that it is production. */
export type ExaminedVm = { readonly isProtected: boolean; readonly vmid: Vmid };

/** It only reads. `wanted` are the VMs that the rights are looked up for. */
export type Examine = (wanted: readonly ExaminedVm[], signal: AbortSignal) => Promise<readonly Finding[]>;
