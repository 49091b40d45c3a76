// Records that this program cannot read because they are of another time, and not because they are damaged: those of
// before rules had a version, and those of rules that came after this program.

import type { Refusal } from "../../spine/model.ts";
import { refuse } from "../../spine/rules/refusals.ts";
import type { RecordBody } from "../command/record-body.ts";
import type { BringingKind, RequestKind } from "../command/request.ts";

const BRINGING: Readonly<Record<BringingKind, true>> = {
  "ledger.checkpoint": true,
  "ledger.join": true,
  "ledger.restore": true,
  "ledger.unlock": true,
  "ledger.seal": true,
  "ledger.unseal": true,
  "ledger.re-anchor": true,
  start: true,
};
const BRINGING_KINDS: ReadonlySet<RequestKind> = new Set(Object.keys(BRINGING) as readonly BringingKind[]);

/** Undefined for a record that says nothing of its rules, or names rules up to the newest that are known. */
export const formatRefusal = (seq: number, { kind, request }: RecordBody, newest: number): Refusal | undefined => {
  if (!BRINGING_KINDS.has(kind)) return undefined;
  const { config, rules, version } = Object(request) as { readonly [key: string]: unknown };
  // What is no request of any version is damage, and found by whoever decides or folds it.
  if (typeof config !== "object" || typeof version !== "string") return undefined;
  if (rules === undefined) return refuse("ledger-format", { cause: "before", facts: { seq } });
  return typeof rules === "number" && Number.isSafeInteger(rules) && rules > newest
    ? refuse("ledger-format", { cause: "newer", facts: { here: newest, rules, seq } })
    : undefined;
};
