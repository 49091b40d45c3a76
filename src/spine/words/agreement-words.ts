// What a tier needs, in words: for whoever applies, from the row that decides. The row itself is the kernel's.

import type { Tier, TierNeeds } from "../model.ts";

type Applier = "agent" | "person";

const APPROVALS = {
  agent: { one: "approval by a person", several: "approvals by {approvals} people" },
  own: { one: "approval, which may be their own", several: "{approvals} approvals, one of which may be their own" },
  person: { one: "approval by another person", several: "approvals by {approvals} other people" },
} as const;
const NAME = "the typed name";
const CONFIRMATION = "confirmation";
const NOTHING = "nothing";
const REFUSED = "refused";

export const needsText = (needs: TierNeeds, applier: Applier): string => {
  if (needs === "refused") return REFUSED;
  const parts = [
    ...approvalsText(needs, applier),
    ...(needs.typedName ? [NAME] : []),
    ...(needs.confirmation ? [CONFIRMATION] : []),
  ];
  const [last = NOTHING, ...before] = parts.reverse();
  return before.length === 0 ? last : `${before.reverse().join(", ")}, then ${last}`;
};

const approvalsText = (
  { approvals, ownCounts }: Exclude<TierNeeds, "refused">,
  applier: Applier,
): readonly string[] => {
  if (approvals === 0) return [];
  const { one, several } = APPROVALS[ownCounts ? "own" : applier];
  return [approvals === 1 ? one : several.replace("{approvals}", COUNTS[approvals] ?? String(approvals))];
};
const COUNTS: Readonly<Record<number, string>> = { 2: "two", 3: "three" };

type Spoken = { readonly agent: TierNeeds; readonly mode: string; readonly person: TierNeeds; readonly tier: Tier };

/** One line for each mode; where they say the same, one for all. */
export const agreementTexts = (agreements: readonly Spoken[]): readonly string[] => {
  const said = (one: Spoken): string =>
    `a person needs ${needsText(one.person, "person")}; an agent: ${needsText(one.agent, "agent")}`;
  const [first, ...others] = agreements;
  if (first === undefined) return [];
  return others.length > 0 && others.every((one) => said(one) === said(first))
    ? [`tier ${first.tier}: ${said(first)}`]
    : agreements.map((one) => `tier ${one.tier}, ${one.mode}: ${said(one)}`);
};
