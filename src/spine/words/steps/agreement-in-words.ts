// What a tier needs, in words: for whoever applies, from the row that decides. The row itself is the kernel's, the
// templates are in agreement-words.ts.

import type { Tier, TierNeeds } from "../../model.ts";
import { filled } from "../template.ts";
import { CATALOGUE, type Catalogue } from "../words-catalogue.ts";

type Applier = "agent" | "person";
type Words = Catalogue["agreements"];

export const needsText = (
  needs: TierNeeds,
  applier: Applier,
  { agreements: words }: Pick<Catalogue, "agreements"> = CATALOGUE,
): string => {
  if (needs === "refused") return words.refused;
  const parts = [
    ...approvalsText(needs, applier, words),
    ...(needs.typedName ? [words["typed-name"]] : []),
    ...(needs.confirmation ? [words.confirmation] : []),
  ];
  const [last = words.nothing, ...before] = parts.reverse();
  return before.length === 0 ? last : filled(words.sequence, { before: before.reverse(), last });
};

const approvalsText = (
  { approvals, ownCounts }: Exclude<TierNeeds, "refused">,
  applier: Applier,
  words: Words,
): readonly string[] => {
  if (approvals === 0) return [];
  const { one, several } = words.approvals[ownCounts ? "own" : applier];
  const counts: Readonly<Record<number, string>> = words.counts;
  return [approvals === 1 ? one : filled(several, { approvals: counts[approvals] ?? approvals })];
};

type Spoken = { readonly agent: TierNeeds; readonly mode: string; readonly person: TierNeeds; readonly tier: Tier };

const areSame = (a: TierNeeds, b: TierNeeds): boolean => {
  if (a === "refused" || b === "refused") return a === b;
  const isSameCount = a.approvals === b.approvals && (a.approvals === 0 || a.ownCounts === b.ownCounts);
  return isSameCount && a.confirmation === b.confirmation && a.typedName === b.typedName;
};

/** One line for each mode; where they need the same, one for all. */
export const agreementTexts = (
  agreements: readonly Spoken[],
  catalogue: Pick<Catalogue, "agreements"> = CATALOGUE,
): readonly string[] => {
  const { lines, needs } = catalogue.agreements;
  const said = ({ agent, person }: Spoken): string =>
    filled(needs, { agent: needsText(agent, "agent", catalogue), person: needsText(person, "person", catalogue) });
  const [first, ...others] = agreements;
  if (first === undefined) return [];
  return others.length > 0 &&
    others.every((one) => areSame(one.agent, first.agent) && areSame(one.person, first.person))
    ? [filled(lines["all-modes"], { needs: said(first), tier: first.tier })]
    : agreements.map((one) => filled(lines["one-mode"], { mode: one.mode, needs: said(one), tier: one.tier }));
};
