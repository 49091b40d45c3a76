// `refuse`, the only way to make a refusal, so that none lacks its rule. keeps P7-O2
//
// A refusal holds codes and typed facts: which cause it was where its code has several, and every fact that its words
// name. The compiler asks for them; the sentences themselves are rendered for whoever reads
// (words/refusals/refusal-words.ts).

import { factsOfDiagnostic } from "../diagnostic-codes.ts";
import type { Facts, Refusal, Vmid } from "../model.ts";
import type { Stated } from "../observed-codes.ts";
import type { REFUSAL_WORDS } from "../words/refusals/refusal-words.ts";
import type { NamesIn, Told } from "../words/template.ts";
import type { FactsForNext } from "./next-steps.ts";
import { REFUSALS, type RefusalRow } from "./refusal-table.ts";

export type RefusalCode = keyof typeof REFUSALS;
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[];
export const refusalRow = (code: RefusalCode): RefusalRow => REFUSALS[code];
export const isRefusalCode = (value: unknown): value is RefusalCode =>
  typeof value === "string" && Object.hasOwn(REFUSALS, value);

type Words<C extends RefusalCode> = (typeof REFUSAL_WORDS)[C];
type Because<C extends RefusalCode> = Words<C>["because"];
type Next<C extends RefusalCode> = Words<C>["next"];
/** The text of one cause; a code without causes has one text for all. */
type Of<T extends Told, K> = T extends string ? T : K extends keyof T ? T[K] : never;
/** The vmid is a member of its own. */
type Needed<C extends RefusalCode, K> = Exclude<
  NamesIn<(Of<Because<C>, K> | Of<Next<C>, K>) & string> | FactsForNext<C, K>,
  "vmid"
>;
type WithFacts<Names extends string> = [Names] extends [never]
  ? { readonly facts?: Facts }
  : { readonly facts: Facts & { readonly [K in Names]: Facts[string] } };

/** What is special about a case of this code. */
export type About<C extends RefusalCode> =
  Because<C> extends string
    ? WithFacts<Needed<C, never>> & { readonly vmid?: Vmid }
    : {
        [K in keyof Because<C>]: WithFacts<Needed<C, K>> & { readonly cause: K; readonly vmid?: Vmid };
      }[keyof Because<C>];

/** A refusal whose cause an observation states: its code is the cause, and its facts come along. */
export const refuseStated = <C extends "blocked-by-provider" | "reconcile-unclear" | "vm-unknown">(
  code: C,
  { code: cause, diagnostic, facts, said }: Stated<keyof Because<C> & string>,
  about: { readonly facts: Facts; readonly vmid: Vmid },
): Refusal =>
  sealed(code, {
    cause,
    facts: sorted({
      ...(diagnostic === undefined ? {} : factsOfDiagnostic(diagnostic)),
      ...facts,
      ...about.facts,
      ...(said === undefined ? {} : { said }),
    }),
    vmid: about.vmid,
  });

const sorted = (facts: Facts): Facts => Object.fromEntries(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)));

export const refuse = <C extends RefusalCode>(code: C, about: About<C>): Refusal & { readonly code: C } =>
  sealed(code, about as Partial<Refusal>);

const sealed = <C extends RefusalCode>(
  code: C,
  { cause, facts = {}, vmid }: Partial<Refusal>,
): Refusal & { readonly code: C } => {
  const { rule, stage } = REFUSALS[code];
  // Keys in order: a refusal is hashed with its plan.
  return {
    ...(cause === undefined ? {} : { cause }),
    code,
    facts,
    kind: "refusal",
    rule,
    stage,
    ...(vmid === undefined ? {} : { vmid }),
  };
};
