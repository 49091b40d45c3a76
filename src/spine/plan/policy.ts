// What an operator may add to the rules of an environment, as a value. keeps P7-A3: nothing here can allow, choose or
// start anything.
//
// A line says what it is about (an action, or every one; everybody, a kind of subject or one by name) and what it asks
// there: a higher tier or a refusal, days and hours, at most so many applies an hour. Every line that is about a step
// holds: none takes anything back that another one asks. Not here: reading the file (formats/policy-yaml.ts), judging
// (safety.ts, kernel/decide/policy-limits.ts).

import type { ActionKind, Sha256, Tier } from "../model.ts";
import { canonical } from "../values/canonical.ts";
import { sha256 } from "../values/hash.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** UTC. Without days every day, without hours the whole day; each span is from its beginning to before its end. */
export type PolicyWindow = { readonly days?: readonly Weekday[]; readonly hours?: readonly string[] };
export type PolicyLevel = "refused" | Exclude<Tier, "read">;
export type PolicyLine = {
  readonly action?: ActionKind; // every one where it is left out
  readonly for?: string; // a kind or a name; everybody where it is left out
  readonly only?: PolicyWindow;
  readonly perHour?: number;
  readonly to?: PolicyLevel;
};
export type Policy = { readonly tighten: readonly PolicyLine[]; readonly version: 1 };

/** The most that perHour may be: so many applies of each kind are remembered. */
export const PER_HOUR_MAX = 1_000;

export const NO_POLICY: Policy = Object.freeze({ tighten: [], version: 1 });
export const policyDigest = (policy: Policy): Sha256 => sha256(canonical(policy));

/** Somebody who asks for a plan or applies it. */
export type Hand = { readonly id: string; readonly kind: string };
const SUBJECT_KINDS = ["agent", "person"] as const;

/** A subject that is called as a kind is meant by that word too: a name must not be a way around a line. */
export const isForAny = ({ for: whom }: PolicyLine, hands: readonly Hand[]): boolean =>
  whom === undefined || hands.some(({ id, kind }) => kind === whom || id === whom);

export const isAbout = (line: PolicyLine, action: ActionKind, hands: readonly Hand[]): boolean =>
  (line.action === undefined || line.action === action) && isForAny(line, hands);

/** Everybody whom a policy could tell from others: by kind, and by each name that it has. */
export const handsToldApart = ({ tighten }: Policy): readonly Hand[] => {
  const names = ["", ...new Set(tighten.flatMap(({ for: whom }) => whom ?? []))];
  return SUBJECT_KINDS.flatMap((kind) => names.map((id) => ({ id, kind })));
};
