// The catalogue of refusals: every code an operator can meet, the rule it stands under, and the constant sentences
// that go with it. `refuse` is the only way to make one, so no refusal lacks its rule. keeps P7-O2
//
// What is special about a case is in `because`. docs/INVARIANTS.md lists the whole table.

import type { Facts, Refusal, Vmid } from "../model.ts";
import { CALLER_REFUSALS } from "./caller-refusals.ts";
import { INPUT_REFUSALS } from "./input-refusals.ts";
import { KERNEL_REFUSALS } from "./kernel-refusals.ts";
import { LEDGER_REFUSALS } from "./ledger-refusals.ts";
import { PLAN_REFUSALS } from "./plan-refusals.ts";
import type { RefusalRow } from "./refusal-row.ts";

export const REFUSALS = {
  ...INPUT_REFUSALS,
  ...PLAN_REFUSALS,
  ...CALLER_REFUSALS,
  ...KERNEL_REFUSALS,
  ...LEDGER_REFUSALS,
} as const;

export type RefusalCode = keyof typeof REFUSALS;
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[];
export const refusalRow = (code: RefusalCode): RefusalRow => REFUSALS[code];
export const isRefusalCode = (value: unknown): value is RefusalCode =>
  typeof value === "string" && Object.hasOwn(REFUSALS, value);

export const refuse = (
  code: RefusalCode,
  about: { readonly because: string; readonly facts?: Facts; readonly next?: string; readonly vmid?: Vmid },
): Refusal => {
  const row = REFUSALS[code];
  const { because, facts = {}, next = row.next, vmid } = about;
  const head = { because, code, facts, kind: "refusal", next, rule: row.rule, stage: row.stage } as const;
  return vmid === undefined ? head : { ...head, vmid };
};
